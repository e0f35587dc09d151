package dev.millrace.app;

import dev.millrace.config.MillraceConfig;
import dev.millrace.servlet.Writes;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/** {@link Millrace} with an embedded Jetty round it. */
public final class StandaloneServer implements AutoCloseable {
  private static final int MAX_THREADS = 32;
  private static final int MIN_THREADS = 4;
  private static final int MAX_POOLED_BUFFER_BYTES = 128 << 10;

  private final MillraceConfig config;
  private final Server server;
  private final Optional<HttpsConnector> https;
  private final ServerConnector connector;
  private final Millrace millrace;

  public StandaloneServer(MillraceConfig config) {
    this.config = config;
    Scheduler scheduler = new ScheduledExecutorScheduler("millrace-scheduler", true);
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("millrace");
    long pooledBytes = config.relay().bufferMemoryBytes();
    ByteBufferPool buffers =
        new ArrayByteBufferPool(
            0, 4096, MAX_POOLED_BUFFER_BYTES, Integer.MAX_VALUE, pooledBytes / 4, pooledBytes);
    this.server = new Server(threads, scheduler, buffers);
    server.setErrorHandler(new ErrorPages.OfServer());
    this.millrace =
        new Millrace(
            config,
            new Container(threads, scheduler, buffers, new EndPointWatch(), Writes.PASSED_ON));
    this.https =
        config.server().tls().map(tls -> new HttpsConnector(tls.pem(), config.server().host()));
    this.connector = Connectors.newConnector(server, config.server(), https);
    server.addConnector(connector);
    server.setHandler(newContext());
  }

  private ServletContextHandler newContext() {
    ServletContextHandler context = new ServletContextHandler("/");
    context.setErrorHandler(new ErrorPages.OfContext());
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    context.addEventListener(new WithContext());
    return context;
  }

  /** Starts and stops the components with the context: what they share stops after them. */
  private final class WithContext implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
      try {
        millrace.start(event.getServletContext());
      } catch (Exception e) {
        throw new IllegalStateException("the components do not start", e);
      }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
      millrace.close();
    }
  }

  /**
   * Listens when this returns.
   *
   * @throws BadCertificateException if the settings name a certificate or key that cannot be used
   */
  public void start() throws Exception {
    if (https.isPresent()) {
      https.get().load(Instant.now());
    }
    server.start();
    https
        .flatMap(HttpsConnector::renewal)
        .ifPresent(renewal -> renewal.repeat(server.getScheduler()));
  }

  /** Where it listens; meaningful between {@link #start} and {@link #close}. */
  public URI uri() {
    String host = config.server().host();
    String literal = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    String scheme = https.isPresent() ? "https://" : "http://";
    return URI.create(scheme + literal + ":" + connector.getLocalPort());
  }

  /** Waits until the server has stopped. */
  public void join() throws InterruptedException {
    server.join();
  }

  /**
   * Lets what runs come to its end before {@link #close}: for so long as the settings say, and
   * taking nothing new. Returns when nothing runs.
   */
  public void drain() {
    millrace.drain(config.server().drainTimeout());
  }

  /** Has {@link #drain} break off at once what runs. */
  public void hurry() {
    millrace.hurry();
  }

  /** Stops listening, breaks what is running, and gives everything back. */
  @Override
  public void close() {
    LifeCycle.stop(server);
    millrace.close();
  }
}
