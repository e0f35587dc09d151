package dev.millrace.stream;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says when one thing has been waited for too long, again and again over the life of a body.
 *
 * <p>Bodies start and stop waiting thousands of times a second, so both cost one volatile write: a
 * single timer task looks now and then whether the current wait is already too long, and otherwise
 * sleeps until it would be. The action runs on the timer's thread, at most once, no earlier than
 * the limit and at most one limit later.
 */
public final class WaitTimer {
  private static final long NOT_WAITING = Long.MIN_VALUE;

  private final ScheduledExecutorService timer;
  private final LongSupplier nanoTime;
  private final Supplier<Duration> limit;
  private final Runnable action;
  private volatile long waitingSince = NOT_WAITING;
  private volatile long limitNanos;
  private volatile boolean isClosed;
  private @Nullable Future<?> task;

  /**
   * @param nanoTime like {@link System#nanoTime()}
   * @param limit the longest wait, &gt; 0
   * @param action what to do once it is over; must not block
   */
  public WaitTimer(
      ScheduledExecutorService timer, LongSupplier nanoTime, Duration limit, Runnable action) {
    this(timer, nanoTime, () -> limit, action);
  }

  /**
   * The same, with a limit that is known when it begins to watch.
   *
   * @param limit the longest wait, &gt; 0; asked once
   */
  public WaitTimer(
      ScheduledExecutorService timer,
      LongSupplier nanoTime,
      Supplier<Duration> limit,
      Runnable action) {
    this.timer = timer;
    this.nanoTime = nanoTime;
    this.limit = limit;
    this.action = action;
  }

  /** Begins to watch. */
  public void open() {
    limitNanos = limit.get().toNanos();
    schedule(limitNanos);
  }

  /** A wait begins now. */
  public void start() {
    long now = nanoTime.getAsLong();
    waitingSince = now == NOT_WAITING ? now + 1 : now;
  }

  /** The wait is over. */
  public void stop() {
    waitingSince = NOT_WAITING;
  }

  /** How long the current wait has lasted, in nanoseconds; 0 if there is none. */
  public long waitedNanos() {
    long since = waitingSince;
    return since == NOT_WAITING ? 0 : Math.max(1, nanoTime.getAsLong() - since);
  }

  /** Never acts again. */
  public synchronized void close() {
    isClosed = true;
    if (task != null) {
      task.cancel(false);
    }
  }

  private synchronized void schedule(long delayNanos) {
    if (!isClosed) {
      try {
        task = timer.schedule(this::look, delayNanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException stopping) {
        isClosed = true;
      }
    }
  }

  private void look() {
    long leftNanos = limitNanos - waitedNanos();
    if (leftNanos > 0) {
      schedule(leftNanos);
    } else if (!isClosed) {
      close();
      action.run();
    }
  }
}
