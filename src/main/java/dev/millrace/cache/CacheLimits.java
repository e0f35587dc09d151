package dev.millrace.cache;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * What bounds one download.
 *
 * @param maxBodyBytes the longest body that is kept as a whole, and the longest window of one whose
 *     length is not known
 * @param patience how long a reader may take nothing of a window that others wait for
 * @param timer its tasks never block
 * @param nanoTime like {@link System#nanoTime()}
 */
record CacheLimits(
    long maxBodyBytes, Duration patience, ScheduledExecutorService timer, LongSupplier nanoTime) {
  static final long MAX_BODY_BYTES = 32L << 20;
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Blocks of a window that has one reader: no more than that reader needs. */
  static final int SOLO_BLOCKS = 16;

  static CacheLimits of(long maxBytes, ScheduledExecutorService timer, LongSupplier nanoTime) {
    return new CacheLimits(Math.min(MAX_BODY_BYTES, maxBytes / 2), PATIENCE, timer, nanoTime);
  }

  /** Blocks that a download may hold for so many readers. */
  int maxBlocks(int readers, boolean isWindow) {
    int most = (int) (maxBodyBytes / Block.SIZE);
    return isWindow && readers < 2 ? Math.min(SOLO_BLOCKS, most) : most;
  }
}
