package dev.millrace.app;

import dev.millrace.config.MillraceConfig;
import dev.millrace.servlet.AbortServlet;
import dev.millrace.servlet.CrossOrigin;
import dev.millrace.servlet.HealthServlet;
import dev.millrace.servlet.MediaProxyServlet;
import dev.millrace.servlet.StreamServices;
import dev.millrace.servlet.Transforms;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.Fetcher;
import dev.millrace.upstream.JettyClientFactory;
import dev.millrace.upstream.JettyResources;
import dev.millrace.upstream.JettyUpstream;
import dev.millrace.upstream.OriginGate;
import dev.millrace.upstream.UpstreamConfig;
import jakarta.servlet.DispatcherType;
import java.net.URI;
import java.time.Clock;
import java.util.EnumSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/** The standalone server: builds the graph in the order in which data flows, and stops it again. */
public final class Millrace implements AutoCloseable {
  private static final int MAX_THREADS = 32;
  private static final int MAX_RESOLVERS = 8;
  private static final int MAX_WAITING_LOOKUPS = 256;
  private static final int MIN_THREADS = 4;
  private static final int MAX_REQUEST_HEAD_BYTES = 96 << 10;
  private static final int MAX_RESPONSE_HEAD_BYTES = 32 << 10;
  private static final int OUTPUT_BUFFER_BYTES = 32 << 10;
  private static final int MAX_POOLED_BUFFER_BYTES = 128 << 10;
  private static final long REQUEST_IDLE_MILLIS = 30_000;

  private final Server server;
  private final HttpClient client;
  private final MemoryBudget memory;
  private final ThreadPoolExecutor resolvers;
  private final ScheduledThreadPoolExecutor timer;
  private final Scheduler scheduler;
  private final MillraceConfig config;
  private final ServerConnector connector;

  public Millrace(MillraceConfig config) {
    this.config = config;
    this.timer = newTimer();
    this.scheduler = new ScheduledExecutorScheduler("millrace-scheduler", true);
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("millrace");
    long pooledBytes = config.relay().bufferMemoryBytes();
    ByteBufferPool buffers =
        new ArrayByteBufferPool(
            0, 4096, MAX_POOLED_BUFFER_BYTES, Integer.MAX_VALUE, pooledBytes / 4, pooledBytes);
    this.server = new Server(threads, scheduler, buffers);
    server.setErrorHandler(new ErrorPages.OfServer());
    this.memory = new MemoryBudget(pooledBytes);
    this.resolvers = newResolvers();
    this.client =
        JettyClientFactory.newClient(
            config.upstream(), new JettyResources(threads, resolvers, scheduler, buffers, memory));
    this.connector = newConnector();
    server.addConnector(connector);
    server.addBean(client);
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

  private ServerConnector newConnector() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_REQUEST_HEAD_BYTES);
    http.setMaxResponseHeaderSize(MAX_RESPONSE_HEAD_BYTES);
    http.setOutputBufferSize(OUTPUT_BUFFER_BYTES);
    http.setOutputAggregationSize(OUTPUT_BUFFER_BYTES);
    http.setUriCompliance(UriCompliance.UNSAFE);
    ServerConnector made = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    made.setHost(config.server().host());
    made.setPort(config.server().port());
    made.setAcceptQueueSize(config.server().acceptQueue());
    made.setIdleTimeout(REQUEST_IDLE_MILLIS);
    return made;
  }

  /** Listens when this returns. */
  public void start() throws Exception {
    client.start();
    server.setHandler(newContext(newServices()));
    server.start();
  }

  private StreamServices newServices() {
    UpstreamConfig upstream = config.upstream();
    OriginGate gate =
        new OriginGate(
            upstream.gatePermits(), upstream.gateWaiting(), upstream.gateTimeout(), timer);
    Fetcher fetcher =
        new Fetcher(JettyUpstream.over(client), gate, upstream, timer, System::nanoTime);
    return new StreamServices(
        config.proxy(),
        config.relay(),
        fetcher,
        Transforms.load(),
        new EndPointWatch(),
        memory,
        timer,
        System::nanoTime);
  }

  private ServletContextHandler newContext(StreamServices services) {
    ServletContextHandler context = new ServletContextHandler("/");
    context.setErrorHandler(new ErrorPages.OfContext());
    context.getServletHandler().setDecodeAmbiguousURIs(true);
    FilterHolder crossOrigin = new FilterHolder(new CrossOrigin());
    crossOrigin.setAsyncSupported(true);
    context.addFilter(crossOrigin, "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(new ServletHolder(new HealthServlet(Clock.systemUTC())), "/health");
    ServletHolder abort = new ServletHolder(new AbortServlet());
    abort.setAsyncSupported(true);
    context.addServlet(abort, AbortServlet.PATH);
    ServletHolder proxy = new ServletHolder("proxy", new MediaProxyServlet(client, services));
    proxy.setAsyncSupported(true);
    context.addServlet(proxy, "/");
    return context;
  }

  /** Where it listens; meaningful between {@link #start} and {@link #close}. */
  public URI uri() {
    String host = config.server().host();
    String literal = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    return URI.create("http://" + literal + ":" + connector.getLocalPort());
  }

  /** Waits until the server has stopped. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Stops listening, breaks what is running, and gives everything back. */
  @Override
  public void close() {
    LifeCycle.stop(server);
    LifeCycle.stop(client);
    timer.shutdownNow();
    resolvers.shutdownNow();
  }
}
