package dev.millrace.upstream;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A response's hold on its permit: given back when the response is over, or earlier if it turns out
 * to be a stream rather than a segment.
 *
 * <p>A burst of segment requests so takes turns on a few warm connections, while films neither wait
 * for each other nor make segments wait.
 */
final class PermitHold {
  /** A response this long after its headers counts as a stream, and so does content being sent. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  /** A client that takes nothing for this long makes its response a stream. */
  private static final Duration SLOW_CLIENT = Duration.ofMillis(250);

  /** Bodies above this are streams from the start. */
  private static final long SEGMENT_BYTES = 64L << 20;

  private final OriginGate.Permit permit;
  private final ScheduledExecutorService timer;
  private long heldMillis;
  private boolean isReleased;
  private @Nullable Future<?> look;

  PermitHold(OriginGate.Permit permit, ScheduledExecutorService timer) {
    this.permit = permit;
    this.timer = timer;
  }

  /** Content of the request is on its way: one that takes long is a stream, too. */
  void onContent() {
    lookLater(() -> 0);
  }

  /**
   * A playlist or a part of a segment is asked for. Its origin may keep the answer back until there
   * is something new (RFC 8216bis §6.2.5.2, §6.2.6), and whoever waits for that must not keep
   * others waiting.
   */
  void mayBeKeptBack() {
    lookLater(() -> Long.MAX_VALUE);
  }

  /**
   * The headers are here.
   *
   * @param bodyBytes the length of the body; -1: unknown
   * @param clientNanos how long the reader of the body has taken nothing
   */
  void onHeaders(long bodyBytes, LongSupplier clientNanos) {
    if (bodyBytes < 0 || bodyBytes > SEGMENT_BYTES) {
      release();
    } else {
      lookLater(clientNanos);
    }
  }

  /** Idempotent; any thread. */
  void release() {
    synchronized (this) {
      isReleased = true;
      if (look != null) {
        look.cancel(false);
      }
    }
    permit.release();
  }

  private void look(LongSupplier clientNanos) {
    heldMillis += SLOW_CLIENT.toMillis();
    if (heldMillis >= LONGEST.toMillis() || clientNanos.getAsLong() >= SLOW_CLIENT.toNanos()) {
      release();
    } else {
      lookLater(clientNanos);
    }
  }

  private synchronized void lookLater(LongSupplier clientNanos) {
    if (isReleased) {
      return;
    }
    if (look != null) {
      look.cancel(false);
    }
    try {
      look = timer.schedule(() -> look(clientNanos), SLOW_CLIENT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      look = null; // the response's end gives the permit back
    }
  }
}
