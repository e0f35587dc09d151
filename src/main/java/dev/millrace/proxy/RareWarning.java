package dev.millrace.proxy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** When to warn again of something that strangers decide how often it happens. */
final class RareWarning {
  private final LongSupplier nanoTime;
  private final long pauseNanos;
  private final AtomicLong nextNanos;

  /**
   * @param nanoTime like {@link System#nanoTime()}
   * @param pause between two warnings
   */
  RareWarning(LongSupplier nanoTime, Duration pause) {
    this.nanoTime = nanoTime;
    this.pauseNanos = pause.toNanos();
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** True for one caller in each such pause, the first of all included. Any thread. */
  boolean isDue() {
    long now = nanoTime.getAsLong();
    long next = nextNanos.get();
    return now - next >= 0 && nextNanos.compareAndSet(next, now + pauseNanos);
  }
}
