package dev.millrace.config;

import java.time.Duration;
import java.util.Optional;

/**
 * Where and how the standalone server listens.
 *
 * @param host address or name to bind; loopback unless a password is set
 * @param port TCP port; 0: any free one
 * @param acceptQueue connections that may wait to be accepted
 * @param idleTimeout how long a connection may be silent while no answer is under way on it
 * @param drainTimeout how long running exchanges may go on after the server was told to stop
 * @param tls absent: plain HTTP
 */
public record ServerConfig(
    String host,
    int port,
    int acceptQueue,
    Duration idleTimeout,
    Duration drainTimeout,
    Optional<TlsConfig> tls) {
  public static final String LOOPBACK = "127.0.0.1";

  public static ServerConfig defaults() {
    return new ServerConfig(
        LOOPBACK, 8888, 1024, Duration.ofSeconds(30), Duration.ofSeconds(30), Optional.empty());
  }
}
