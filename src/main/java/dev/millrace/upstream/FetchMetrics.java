package dev.millrace.upstream;

import dev.millrace.metrics.Metrics;

/**
 * What is counted about fetching.
 *
 * @param gateWait from asking for a permit to having it
 * @param firstByte from sending a request to the headers of its answer
 * @param retries attempts repeated before headers
 * @param resumes bodies taken up again after a cut
 * @param fallbacks turns to a further source
 */
public record FetchMetrics(
    Metrics.Timer gateWait,
    Metrics.Timer firstByte,
    Metrics.Counter retries,
    Metrics.Counter resumes,
    Metrics.Counter fallbacks) {
  public static FetchMetrics of(Metrics metrics) {
    return new FetchMetrics(
        metrics.timer("gate_wait"),
        metrics.timer("upstream_first_byte"),
        metrics.counter("upstream_retries"),
        metrics.counter("upstream_resumes"),
        metrics.counter("upstream_fallbacks"));
  }
}
