package dev.millrace.testing;

import dev.millrace.config.MillraceConfig;
import dev.millrace.config.ServerConfig;
import dev.millrace.proxy.ProxyConfig;
import dev.millrace.servlet.RelayConfig;
import dev.millrace.upstream.UpstreamConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The product's defaults on a free port, with loopback origins allowed; tests change what they
 * test.
 */
public final class TestSettings {
  private final UpstreamConfig base = UpstreamConfig.defaults();
  private final RelayConfig relay = RelayConfig.defaults();
  private final ServerConfig server = ServerConfig.defaults();
  private int gatePermits = base.gatePermits();
  private int gateWaiting = base.gateWaiting();
  private Duration gateTimeout = base.gateTimeout();
  private int maxConnections = base.maxConnections();
  private Duration headerTimeout = base.headerTimeout();
  private Duration idleTimeout = base.idleTimeout();
  private List<String> allowTargets = List.of("loopback");
  private boolean verifyTls = true;
  private Duration clientIdleTimeout = relay.clientIdleTimeout();
  private long bufferMemory = relay.bufferMemoryBytes();
  private Optional<String> password = Optional.empty();
  private boolean allowHostHeader;

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

  public TestSettings password(String value) {
    password = Optional.of(value);
    return this;
  }

  public TestSettings allowHostHeader() {
    allowHostHeader = true;
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
            base.pooledIdleTimeout(),
            base.resolveTimeout(),
            base.maxRedirects(),
            allowTargets,
            verifyTls,
            base.resume(),
            base.routes(),
            base.http2());
    return new MillraceConfig(
        new ServerConfig(
            ServerConfig.LOOPBACK, 0, server.acceptQueue(), server.drainTimeout(), server.tls()),
        new ProxyConfig(password, false, ProxyConfig.DEFAULT_USER_AGENT, allowHostHeader),
        upstream,
        new RelayConfig(clientIdleTimeout, bufferMemory));
  }
}
