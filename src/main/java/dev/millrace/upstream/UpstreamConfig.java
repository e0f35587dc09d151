package dev.millrace.upstream;

import java.time.Duration;
import java.util.List;

/**
 * Limits and rules of everything that is fetched.
 *
 * @param gatePermits requests to one origin that may be in their first moments at a time
 * @param gateWaiting requests to one origin that may wait for a permit
 * @param gateTimeout how long one of them waits before it is refused with 503
 * @param maxConnections connections to one origin, hard cap; long streams count here
 * @param connectTimeout for one TCP or TLS connect
 * @param headerTimeout from leaving the gate to the response headers, over all hops and retries
 * @param idleTimeout silence of an origin while bytes are wanted from it
 * @param pooledIdleTimeout how long an unused connection is kept
 * @param resolveTimeout for one DNS look-up
 * @param maxRedirects redirects followed for one request
 * @param allowTargets internal targets that may be contacted: {@code loopback}, {@code private},
 *     addresses, CIDR blocks, host names, {@code host:port}
 * @param verifyTls whether the certificates of origins are checked
 * @param resume how a body goes on that its origin cut
 * @param routes how origins are reached
 * @param http2 whether HTTP/2 is offered to origins by ALPN
 */
public record UpstreamConfig(
    int gatePermits,
    int gateWaiting,
    Duration gateTimeout,
    int maxConnections,
    Duration connectTimeout,
    Duration headerTimeout,
    Duration idleTimeout,
    Duration pooledIdleTimeout,
    Duration resolveTimeout,
    int maxRedirects,
    List<String> allowTargets,
    boolean verifyTls,
    ResumeConfig resume,
    RouteConfig routes,
    boolean http2) {

  public UpstreamConfig {
    allowTargets = List.copyOf(allowTargets);
  }

  /**
   * Gives back the entries of {@link #allowTargets} if each can be read.
   *
   * @throws IllegalArgumentException naming the first that cannot
   */
  public static List<String> checkedTargets(List<String> entries) {
    TargetPolicy.of(entries);
    return entries;
  }

  public static UpstreamConfig defaults() {
    return new UpstreamConfig(
        10,
        1024,
        Duration.ofSeconds(15),
        256,
        Duration.ofSeconds(15),
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        Duration.ofSeconds(15),
        Duration.ofMillis(2500),
        10,
        List.of(),
        true,
        ResumeConfig.defaults(),
        RouteConfig.defaults(),
        false);
  }
}
