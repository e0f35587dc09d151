package dev.millrace.app;

import dev.millrace.config.ConfigException;
import dev.millrace.config.ConfigReader;
import dev.millrace.config.LoadedConfig;
import dev.millrace.config.MillraceConfig;
import dev.millrace.servlet.ClientWatch;
import dev.millrace.servlet.Writes;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Millrace} in a container of Servlet 6.1 that others run: what the WAR's {@code web.xml}
 * names. It brings the threads, the scheduler and the buffers that its HTTP client needs, and takes
 * them away with it.
 */
public final class WebappInitializer implements ServletContextListener {
  private static final Logger LOG = LoggerFactory.getLogger(WebappInitializer.class);

  private static final int MAX_THREADS = 16;
  private static final int MIN_THREADS = 2;
  private static final int MAX_POOLED_BUFFER_BYTES = 128 << 10;
  private static final long STOP_MILLIS = 5_000;

  private @Nullable QueuedThreadPool threads;
  private @Nullable Scheduler scheduler;
  private @Nullable Millrace millrace;

  /**
   * Starts everything.
   *
   * @throws IllegalStateException if it cannot, so that the container gives the deployment up; the
   *     log then says why
   */
  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    requireServletLevel(context.getMajorVersion(), context.getMinorVersion());
    try {
      start(context, read(context));
    } catch (Exception e) {
      contextDestroyed(event);
      throw new IllegalStateException("Millrace cannot start: " + e.getMessage(), e);
    }
  }

  static void requireServletLevel(int major, int minor) {
    if (major < 6 || (major == 6 && minor < 1)) {
      throw new IllegalStateException(
          "Millrace needs a container of Servlet 6.1 (Tomcat 11, Jetty 12.1 with ee11); this one"
              + " has Servlet "
              + major
              + "."
              + minor);
    }
  }

  private static MillraceConfig read(ServletContext context) {
    Map<String, String> parameters = new HashMap<>();
    for (String name : Collections.list(context.getInitParameterNames())) {
      parameters.put(name, String.valueOf(context.getInitParameter(name)));
    }
    try {
      LoadedConfig loaded = ConfigReader.ofWebapp(parameters).read();
      loaded.settings().stream()
          .filter(setting -> !setting.isDefault())
          .forEach(
              setting ->
                  LOG.info("{} = {} ({})", setting.name(), setting.text(), setting.source()));
      loaded.warnings().forEach(LOG::warn);
      return loaded.config();
    } catch (ConfigException e) {
      e.problems().forEach(problem -> context.log("Millrace: " + problem));
      throw new IllegalStateException(
          "Millrace cannot start with these settings: " + String.join("; ", e.problems()));
    }
  }

  private void start(ServletContext context, MillraceConfig config) throws Exception {
    QueuedThreadPool pool = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    pool.setName("millrace");
    pool.setDaemon(true);
    pool.setStopTimeout(STOP_MILLIS);
    threads = pool;
    pool.start();
    Scheduler timers = new ScheduledExecutorScheduler("millrace-scheduler", true);
    scheduler = timers;
    timers.start();
    long pooledBytes = config.relay().bufferMemoryBytes();
    ByteBufferPool buffers =
        new ArrayByteBufferPool(
            0, 4096, MAX_POOLED_BUFFER_BYTES, Integer.MAX_VALUE, pooledBytes / 4, pooledBytes);
    Millrace made =
        new Millrace(
            config, new Container(pool, timers, buffers, ClientWatch.NONE, Writes.GATHERED));
    millrace = made;
    made.start(context);
  }

  /** Breaks what is running; when this returns, no thread of ours is left. */
  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (millrace != null) {
      millrace.close();
    }
    LifeCycle.stop(scheduler);
    LifeCycle.stop(threads);
  }
}
