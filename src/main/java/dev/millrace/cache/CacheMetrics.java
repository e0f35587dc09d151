package dev.millrace.cache;

import dev.millrace.metrics.Metrics;

/**
 * What is counted about sharing.
 *
 * @param hits requests answered with what was kept
 * @param shared requests that joined a download which was under way
 * @param misses requests that the origin was asked for
 * @param prefetched bodies fetched ahead, whole
 * @param wasted bodies fetched ahead, whole or not, that nobody asked for
 */
record CacheMetrics(
    Metrics.Counter hits,
    Metrics.Counter shared,
    Metrics.Counter misses,
    Metrics.Counter prefetched,
    Metrics.Counter wasted) {
  static CacheMetrics of(Metrics metrics) {
    return new CacheMetrics(
        metrics.counter("cache_hits"),
        metrics.counter("cache_shared"),
        metrics.counter("cache_misses"),
        metrics.counter("cache_prefetched"),
        metrics.counter("cache_wasted"));
  }
}
