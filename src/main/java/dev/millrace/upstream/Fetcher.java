package dev.millrace.upstream;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * Starts fetches; holds what they share.
 *
 * @param upstream how one request is sent
 * @param gate who may send now
 * @param config every limit
 * @param timer for all time-outs; its tasks never block
 * @param nanoTime like {@link System#nanoTime()}
 * @param metrics what is counted on the way
 */
public record Fetcher(
    Upstream upstream,
    OriginGate gate,
    UpstreamConfig config,
    ScheduledExecutorService timer,
    LongSupplier nanoTime,
    FetchMetrics metrics)
    implements Fetching.Source {

  /**
   * Starts to fetch. A request without {@code Range} asks for the whole body; it is sent with
   * {@code Range: bytes=0-}, so that origins show whether they can do ranges, and the answer may be
   * a 206 that begins at 0. A forwarded request is sent as it is, and its answer is the answer.
   * Never blocks.
   *
   * @param request GET or HEAD, or forwarded
   */
  @Override
  public Fetch fetch(FetchRequest request, Fetch.Listener listener) {
    Fetch fetch = new Fetch(this, request, listener);
    fetch.start();
    return fetch;
  }
}
