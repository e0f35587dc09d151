package dev.millrace.app;

import dev.millrace.cache.SegmentCache;
import dev.millrace.config.MillraceConfig;
import dev.millrace.link.LinkTokens;
import dev.millrace.metrics.DropwizardMetrics;
import dev.millrace.metrics.Metrics;
import dev.millrace.proxy.AccessPolicy;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.FrontEnds;
import dev.millrace.servlet.AbortServlet;
import dev.millrace.servlet.AnswerServices;
import dev.millrace.servlet.Base64Route;
import dev.millrace.servlet.ClearMediaServices;
import dev.millrace.servlet.CrossOrigin;
import dev.millrace.servlet.DashServices;
import dev.millrace.servlet.ExchangeFilter;
import dev.millrace.servlet.ExchangeLog;
import dev.millrace.servlet.ForwardRoute;
import dev.millrace.servlet.Health;
import dev.millrace.servlet.HlsRoute;
import dev.millrace.servlet.HlsServices;
import dev.millrace.servlet.HomePage;
import dev.millrace.servlet.IpRoute;
import dev.millrace.servlet.LinkMaker;
import dev.millrace.servlet.LinkRoute;
import dev.millrace.servlet.ListRoute;
import dev.millrace.servlet.ManifestRoute;
import dev.millrace.servlet.MediaProxyServlet;
import dev.millrace.servlet.MpdRoute;
import dev.millrace.servlet.MpdSegmentRoute;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.servlet.Page;
import dev.millrace.servlet.Route;
import dev.millrace.servlet.SegmentRoute;
import dev.millrace.servlet.Sessions;
import dev.millrace.servlet.SessionsView;
import dev.millrace.servlet.StreamRoute;
import dev.millrace.servlet.StreamServices;
import dev.millrace.servlet.Transforms;
import dev.millrace.stream.MemoryBudget;
import dev.millrace.upstream.FetchMetrics;
import dev.millrace.upstream.Fetcher;
import dev.millrace.upstream.JettyClientFactory;
import dev.millrace.upstream.JettyPoolMetrics;
import dev.millrace.upstream.JettyResources;
import dev.millrace.upstream.JettyUpstream;
import dev.millrace.upstream.OriginGate;
import dev.millrace.upstream.PublicIp;
import dev.millrace.upstream.UpstreamConfig;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The components, built in the order in which data flows: what every deployment runs, whatever the
 * server round it.
 */
final class Millrace implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Millrace.class);

  private static final int MAX_RESOLVERS = 8;
  private static final int MAX_WAITING_LOOKUPS = 256;
  private static final long SAMPLE_SECONDS = 5;

  /** What runs is told to break off so often, and has so long each time. */
  private static final int BREAKS = 4;

  private static final Duration BREAK_TIME = Duration.ofMillis(500);

  private final MillraceConfig config;
  private final Container container;
  private final MemoryBudget memory;
  private final ThreadPoolExecutor resolvers;
  private final ScheduledThreadPoolExecutor timer;
  private final HttpClient client;
  private final DropwizardMetrics metrics = new DropwizardMetrics(InstrumentHelp.SENTENCES);

  /** What counts: {@link #metrics}, or nothing. */
  private final Metrics instruments;

  private final Sessions sessions = new Sessions(System::nanoTime);

  /** What seals links and opens them, once started; absent without a password. */
  private Optional<LinkTokens> linkTokens = Optional.empty();

  /** Nothing runs before {@link #start}. */
  Millrace(MillraceConfig config, Container container) {
    this.config = config;
    this.container = container;
    this.instruments = config.operation().metrics() ? metrics : Metrics.NONE;
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
   *
   * @throws BadSecretException if the state directory, or the secret in it, cannot be used
   */
  void start(ServletContext context) throws Exception {
    linkTokens = newLinkTokens();
    client.start();
    OriginGate gate = newGate();
    JettyUpstream upstream = JettyUpstream.over(client, config.upstream());
    AccessPolicy access =
        AccessPolicy.of(config.proxy(), linkTokens, Clock.systemUTC(), System::nanoTime);
    showGauges(gate);
    ExchangeLog log =
        new ExchangeLog(instruments, config.operation().accessLog(), System::nanoTime);
    FrontEnds frontEnds = FrontEnds.of(config.frontEnd(), System::nanoTime);
    var exchanges =
        context.addFilter(
            "exchanges",
            new ExchangeFilter(frontEnds, log, sessions, Clock.systemUTC(), System::nanoTime));
    exchanges.setAsyncSupported(true);
    exchanges.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    var crossOrigin = context.addFilter("cross-origin", new CrossOrigin(frontEnds));
    crossOrigin.setAsyncSupported(true);
    crossOrigin.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    add(context, "abort", new AbortServlet(), AbortServlet.PATH);
    add(
        context,
        "proxy",
        new MediaProxyServlet(
            client,
            access,
            frontEnds,
            newRoutes(newServices(gate, log, upstream), access, upstream, gate)),
        "/");
    if (config.operation().metrics()) {
      container.executor().execute(metrics::publishToJmx); // loads much: not while starting
    }
    var unused =
        timer.scheduleWithFixedDelay(
            sessions::sample, SAMPLE_SECONDS, SAMPLE_SECONDS, TimeUnit.SECONDS);
  }

  private Optional<LinkTokens> newLinkTokens() throws BadSecretException {
    Optional<String> password = config.proxy().apiPassword().filter(text -> !text.isEmpty());
    if (password.isEmpty()) {
      return Optional.empty();
    }
    LinkSecrets secrets = LinkSecrets.of(config.link());
    secrets
        .problem()
        .ifPresent(problem -> LOG.warn("Links that are made now end with this run: {}", problem));
    return Optional.of(secrets.tokens(password.get(), config.link()));
  }

  private static void add(ServletContext context, String name, Servlet servlet, String path) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.setAsyncSupported(true);
    registration.addMapping(path);
  }

  private OriginGate newGate() {
    UpstreamConfig upstream = config.upstream();
    return new OriginGate(
        upstream.gatePermits(), upstream.gateWaiting(), upstream.gateTimeout(), timer);
  }

  private void showGauges(OriginGate gate) {
    instruments.total("response_bytes", sessions::writtenBytes);
    instruments.gauge("active_streams", sessions::count);
    instruments.gauge("draining", () -> sessions.isRefusing() ? 1 : 0);
    instruments.gauge("gate_waiting", gate::waiting);
    instruments.gauge("gate_origins", gate::activeOrigins);
    instruments.gauge("buffer_memory_reserved_bytes", memory::reservedBytes);
    instruments.gauge("buffer_memory_limit_bytes", memory::limitBytes);
    JettyPoolMetrics.show(instruments, List.of(client));
    ProcessMetrics.show(instruments, container.buffers());
  }

  private Map<Endpoint, Route> newRoutes(
      StreamServices services, AccessPolicy access, JettyUpstream upstream, OriginGate gate) {
    OperationConfig operation = config.operation();
    Health health = new Health(Clock.systemUTC(), sessions, memory);
    Map<Endpoint, Route> routes = new EnumMap<>(Endpoint.class);
    routes.put(
        Endpoint.HOME, operation.homePage() ? Route.of(HomePage.load()) : Route.SWITCHED_OFF);
    if (!operation.docs()) {
      routes.put(Endpoint.DOCS, Route.SWITCHED_OFF);
    }
    if (!operation.speedTest()) {
      routes.put(Endpoint.SPEED_TEST, Route.SWITCHED_OFF);
      routes.put(Endpoint.SPEED_TEST_PAGE, Route.SWITCHED_OFF);
    }
    routes.put(Endpoint.ICON, Route.of(Page::empty));
    routes.put(Endpoint.HEALTH, Route.of(health::healthy));
    routes.put(Endpoint.LIVE, Route.of(health::live));
    routes.put(Endpoint.READY, Route.of(health::ready));
    routes.put(Endpoint.SESSIONS, Route.of(new SessionsView(sessions)));
    if (operation.metrics()) {
      routes.put(Endpoint.METRICS, Route.of(() -> Page.metrics(metrics.prometheusText())));
    }
    routes.put(Endpoint.STREAM, new StreamRoute(services));
    SegmentCache cache =
        SegmentCache.of(
            config.cache(), services.fetcher(), gate, timer, System::nanoTime, instruments);
    HlsServices hls = HlsServices.of(services, cache, config.hls(), linkTokens);
    ClearMediaServices clear = ClearMediaServices.of(hls, ChosenCiphers.of(config.cenc()));
    routes.put(
        Endpoint.HLS,
        new HlsRoute(
            new ManifestRoute(hls), new SegmentRoute(services, cache, clear), new ListRoute(hls)));
    routes.put(
        Endpoint.DASH,
        new MpdRoute(DashServices.of(hls, Clock.systemUTC()), new MpdSegmentRoute(clear)));
    PublicIp publicIp = PublicIp.over(upstream, config.publicIp(), timer, System::nanoTime);
    AnswerServices answers = AnswerServices.of(services.log(), timer);
    routes.put(Endpoint.FORWARD, new ForwardRoute(services, config.forward(), publicIp));
    routes.put(Endpoint.IP, new IpRoute(publicIp, answers));
    addLinkRoutes(routes, access, answers);
    return routes;
  }

  private void addLinkRoutes(
      Map<Endpoint, Route> routes, AccessPolicy access, AnswerServices answers) {
    LinkMaker maker = new LinkMaker(access, linkTokens, Clock.systemUTC());
    routes.put(Endpoint.GENERATE_URL, LinkRoute.one("url", maker, answers));
    routes.put(Endpoint.GENERATE_ENCODED_URL, LinkRoute.one("encoded_url", maker, answers));
    routes.put(Endpoint.GENERATE_URLS, LinkRoute.many(maker, answers));
    routes.put(Endpoint.BASE64_ENCODE, Base64Route.encode(answers));
    routes.put(Endpoint.BASE64_DECODE, Base64Route.decode(answers));
    routes.put(Endpoint.BASE64_CHECK, Base64Route.check());
  }

  private StreamServices newServices(OriginGate gate, ExchangeLog log, JettyUpstream upstream) {
    Fetcher fetcher =
        new Fetcher(
            upstream,
            gate,
            config.upstream(),
            timer,
            System::nanoTime,
            FetchMetrics.of(instruments));
    return new StreamServices(
        config.proxy(),
        config.relay(),
        fetcher,
        Transforms.load(),
        container.clientWatch(),
        container.writes(),
        memory,
        sessions,
        log,
        timer,
        System::nanoTime);
  }

  /**
   * Lets streams come to an end: from now on none is taken (503), and {@code /health/ready} says
   * so; those that run may go on for so long, and what is left then is broken off, visibly. All
   * other routes are answered as before. Blocks until no stream runs, and at most two seconds
   * longer than {@code atMost}. Later calls find nothing to do.
   */
  void drain(Duration atMost) {
    sessions.refuse();
    int running = sessions.count();
    if (running > 0) {
      LOG.info("Stopping once {} streams have ended, in {} s at most", running, atMost.toSeconds());
    }
    try {
      boolean isDone = sessions.awaitNone(atMost);
      for (int i = 0; i < BREAKS && !isDone; i++) {
        LOG.info("Breaking off {} streams", sessions.count());
        sessions.breakAll(); // some may be just beginning
        isDone = sessions.awaitNone(BREAK_TIME);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      sessions.breakAll();
    }
  }

  /** Has {@link #drain} wait no longer. */
  void hurry() {
    sessions.hurry();
  }

  /** Breaks what is running, and gives everything back but the container. */
  @Override
  public void close() {
    metrics.close();
    LifeCycle.stop(client);
    timer.shutdownNow();
    resolvers.shutdownNow();
  }
}
