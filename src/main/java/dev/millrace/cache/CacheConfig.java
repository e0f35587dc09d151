package dev.millrace.cache;

import java.time.Duration;

/**
 * How much is kept of what was fetched, and how much is fetched ahead.
 *
 * @param maxBytes of all bodies together, outside of the heap; 0: nothing is shared or fetched
 *     ahead
 * @param retention how long a body is kept after it has arrived
 * @param prefetchSegments how many segments are fetched ahead of a viewer; 0: none
 * @param prefetchIdle after which a viewer who asks for nothing counts as gone
 */
public record CacheConfig(
    long maxBytes, Duration retention, int prefetchSegments, Duration prefetchIdle) {
  public static CacheConfig defaults() {
    return new CacheConfig(64L << 20, Duration.ofSeconds(300), 5, Duration.ofSeconds(60));
  }
}
