package dev.millrace.app;

import dev.millrace.config.MillraceConfig;
import dev.millrace.metrics.Metrics;
import dev.millrace.servlet.AbortServlet;
import dev.millrace.servlet.CrossOrigin;
import dev.millrace.servlet.HealthServlet;
import dev.millrace.servlet.MediaProxyServlet;
import dev.millrace.servlet.StreamServices;
import dev.millrace.servlet.Transforms;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.FetchMetrics;
import dev.millrace.upstream.Fetcher;
import dev.millrace.upstream.JettyClientFactory;
import dev.millrace.upstream.JettyResources;
import dev.millrace.upstream.JettyUpstream;
import dev.millrace.upstream.OriginGate;
import dev.millrace.upstream.UpstreamConfig;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.time.Clock;
import java.util.EnumSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * The components, built in the order in which data flows: what every deployment runs, whatever the
 * server round it.
 */
final class Millrace implements AutoCloseable {
  private static final int MAX_RESOLVERS = 8;
  private static final int MAX_WAITING_LOOKUPS = 256;

  private final MillraceConfig config;
  private final Container container;
  private final MemoryBudget memory;
  private final ThreadPoolExecutor resolvers;
  private final ScheduledThreadPoolExecutor timer;
  private final HttpClient client;

  /** Nothing runs before {@link #start}. */
  Millrace(MillraceConfig config, Container container) {
    this.config = config;
    this.container = container;
    this.memory = new MemoryBudget(config.relay().bufferMemoryBytes());
    this.timer = newTimer();
    this.resolvers = newResolvers();
    this.client =
        JettyClientFactory.newClient(
            config.upstream(),
            new JettyResources(
                container.executor(),
                resolvers,
                container.scheduler(),
                container.buffers(),
                memory));
  }

  private static ScheduledThreadPoolExecutor newTimer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, task -> daemon(task, "millrace-timer"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  /** Look-ups block for as long as the system's resolver likes: they have threads of their own. */
  private static ThreadPoolExecutor newResolvers() {
    ThreadPoolExecutor resolvers =
        new ThreadPoolExecutor(
            MAX_RESOLVERS,
            MAX_RESOLVERS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING_LOOKUPS),
            task -> daemon(task, "millrace-resolver"));
    resolvers.allowCoreThreadTimeOut(true);
    return resolvers;
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts, and puts filters and servlets into the context, which is just starting; the container's
   * executor and scheduler run already.
   */
  void start(ServletContext context) throws Exception {
    client.start();
    var crossOrigin = context.addFilter("cross-origin", new CrossOrigin());
    crossOrigin.setAsyncSupported(true);
    crossOrigin.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    add(context, "health", new HealthServlet(Clock.systemUTC()), "/health");
    add(context, "abort", new AbortServlet(), AbortServlet.PATH);
    add(context, "proxy", new MediaProxyServlet(client, newServices()), "/");
  }

  private static void add(ServletContext context, String name, Servlet servlet, String path) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.setAsyncSupported(true);
    registration.addMapping(path);
  }

  private StreamServices newServices() {
    UpstreamConfig upstream = config.upstream();
    OriginGate gate =
        new OriginGate(
            upstream.gatePermits(), upstream.gateWaiting(), upstream.gateTimeout(), timer);
    Fetcher fetcher =
        new Fetcher(
            JettyUpstream.over(client),
            gate,
            upstream,
            timer,
            System::nanoTime,
            FetchMetrics.of(Metrics.NONE));
    return new StreamServices(
        config.proxy(),
        config.relay(),
        fetcher,
        Transforms.load(),
        container.clientWatch(),
        container.writes(),
        memory,
        timer,
        System::nanoTime);
  }

  /** Breaks what is running, and gives everything back but the container. */
  @Override
  public void close() {
    LifeCycle.stop(client);
    timer.shutdownNow();
    resolvers.shutdownNow();
  }
}
