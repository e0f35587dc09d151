package dev.millrace.servlet;

import java.time.Duration;

/**
 * How bodies are moved to clients.
 *
 * @param clientIdleTimeout how long one write may wait for its client (a paused player) before the
 *     exchange is aborted
 * @param bufferMemoryBytes direct memory that running exchanges may pin together; further requests
 *     are refused with 503
 */
public record RelayConfig(Duration clientIdleTimeout, long bufferMemoryBytes) {
  public static RelayConfig defaults() {
    return new RelayConfig(Duration.ofHours(1), 192L << 20);
  }
}
