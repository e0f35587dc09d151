package dev.millrace.testing;

import dev.millrace.cache.CacheConfig;
import dev.millrace.cenc.CencConfig;
import dev.millrace.config.MillraceConfig;
import dev.millrace.config.ServerConfig;
import dev.millrace.config.TlsConfig;
import dev.millrace.config.TlsConfig.PemFiles;
import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkFormat;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.ForwardConfig;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.PublicIpConfig;
import dev.millrace.upstream.ResumeConfig;
import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.UpstreamConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The product's defaults on a free port, with loopback origins allowed; tests change what they
 * test.
 */
public final class TestSettings {
  /** What {@link #password} seals links with. */
  public static final LinkConfig LINKS =
      new LinkConfig(
          List.of("a secret for tests only"), Optional.empty(), false, LinkFormat.V2, true);

  private final UpstreamConfig base = UpstreamConfig.defaults();
  private final RelayConfig relay = RelayConfig.defaults();
  private final ServerConfig server = ServerConfig.defaults();
  private int gatePermits = base.gatePermits();
  private int gateWaiting = base.gateWaiting();
  private Duration gateTimeout = base.gateTimeout();
  private int maxConnections = base.maxConnections();
  private Duration headerTimeout = base.headerTimeout();
  private Duration idleTimeout = base.idleTimeout();
  private Duration pooledIdleTimeout = base.pooledIdleTimeout();
  private List<String> allowTargets = List.of("loopback");
  private boolean verifyTls = true;
  private RouteConfig routes = base.routes();
  private Duration clientIdleTimeout = relay.clientIdleTimeout();
  private long bufferMemory = relay.bufferMemoryBytes();
  private Optional<String> password = Optional.empty();
  private boolean allowHostHeader;
  private Duration drainTimeout = server.drainTimeout();
  private OperationConfig operation = OperationConfig.defaults();
  private LinkConfig link = LINKS;
  private FrontEndConfig frontEnd = FrontEndConfig.defaults();

  /** Nobody out there is asked. */
  private PublicIpConfig publicIp =
      new PublicIpConfig(Optional.of("203.0.113.9"), PublicIpConfig.defaults().services());

  private ForwardConfig forward = ForwardConfig.defaults();
  private HlsConfig hls = HlsConfig.defaults();
  private CacheConfig cache = CacheConfig.defaults();
  private CencConfig cenc = CencConfig.defaults();
  private ResumeConfig resume = base.resume();
  private Duration serverIdleTimeout = server.idleTimeout();
  private Optional<TlsConfig> tls = Optional.empty();
  private boolean originHttp2;

  public TestSettings gate(int permits, int waiting, Duration timeout) {
    gatePermits = permits;
    gateWaiting = waiting;
    gateTimeout = timeout;
    return this;
  }

  public TestSettings maxConnections(int connections) {
    maxConnections = connections;
    return this;
  }

  public TestSettings headerTimeout(Duration timeout) {
    headerTimeout = timeout;
    return this;
  }

  public TestSettings idleTimeout(Duration timeout) {
    idleTimeout = timeout;
    return this;
  }

  public TestSettings clientIdleTimeout(Duration timeout) {
    clientIdleTimeout = timeout;
    return this;
  }

  public TestSettings bufferMemory(long bytes) {
    bufferMemory = bytes;
    return this;
  }

  public TestSettings allowTargets(String... targets) {
    allowTargets = List.of(targets);
    return this;
  }

  public TestSettings anyCertificate() {
    verifyTls = false;
    return this;
  }

  public TestSettings routes(RouteConfig config) {
    routes = config;
    return this;
  }

  public TestSettings password(String value) {
    password = Optional.of(value);
    return this;
  }

  public TestSettings allowHostHeader() {
    allowHostHeader = true;
    return this;
  }

  public TestSettings drainTimeout(Duration timeout) {
    drainTimeout = timeout;
    return this;
  }

  public TestSettings withoutMetrics() {
    return operation(new OperationConfig(false, true, true, true, true));
  }

  public TestSettings withoutHomePage() {
    return operation(new OperationConfig(true, true, false, true, true));
  }

  public TestSettings operation(OperationConfig config) {
    operation = config;
    return this;
  }

  public TestSettings link(LinkConfig config) {
    link = config;
    return this;
  }

  public TestSettings frontEnd(FrontEndConfig config) {
    frontEnd = config;
    return this;
  }

  public TestSettings publicIp(PublicIpConfig config) {
    publicIp = config;
    return this;
  }

  public TestSettings forward(ForwardConfig config) {
    forward = config;
    return this;
  }

  public TestSettings hls(HlsConfig config) {
    hls = config;
    return this;
  }

  public TestSettings cache(CacheConfig config) {
    cache = config;
    return this;
  }

  public TestSettings cenc(CencConfig config) {
    cenc = config;
    return this;
  }

  public TestSettings resume(ResumeConfig limits) {
    resume = limits;
    return this;
  }

  public TestSettings pooledIdleTimeout(Duration timeout) {
    pooledIdleTimeout = timeout;
    return this;
  }

  /** How long a connection of a client may be silent while no answer is under way. */
  public TestSettings serverIdleTimeout(Duration timeout) {
    serverIdleTimeout = timeout;
    return this;
  }

  /** https with a certificate made at the start. */
  public TestSettings selfSigned() {
    tls = Optional.of(TlsConfig.SELF_SIGNED);
    return this;
  }

  /** https with these PEM files. */
  public TestSettings pem(Path certificate, Path key) {
    tls = Optional.of(new TlsConfig(Optional.of(new PemFiles(certificate, key, Optional.empty()))));
    return this;
  }

  public TestSettings originHttp2() {
    originHttp2 = true;
    return this;
  }

  MillraceConfig config() {
    UpstreamConfig upstream =
        new UpstreamConfig(
            gatePermits,
            gateWaiting,
            gateTimeout,
            maxConnections,
            base.connectTimeout(),
            headerTimeout,
            idleTimeout,
            pooledIdleTimeout,
            base.resolveTimeout(),
            base.maxRedirects(),
            allowTargets,
            verifyTls,
            resume,
            routes,
            originHttp2);
    return new MillraceConfig(
        new ServerConfig(
            ServerConfig.LOOPBACK, 0, server.acceptQueue(), serverIdleTimeout, drainTimeout, tls),
        new ProxyConfig(password, false, ProxyConfig.DEFAULT_USER_AGENT, allowHostHeader),
        upstream,
        new RelayConfig(clientIdleTimeout, bufferMemory),
        operation,
        link,
        frontEnd,
        publicIp,
        forward,
        hls,
        cache,
        cenc);
  }
}
