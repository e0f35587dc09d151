package dev.millrace.servlet;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The streams that run: who they are, how many bytes they have moved, and how they are brought to
 * an end when the server stops.
 *
 * <p><b>Counting.</b> A stream counts its own bytes anyway; they are read when somebody looks and
 * added to {@link #writtenBytes} for good when it ends, under the same lock, so the total never
 * misses or repeats any.
 *
 * <p><b>Limit.</b> Every stream has reserved memory before it comes here, so there are never more
 * than the memory budget allows.
 */
public final class Sessions {
  /** A client that has taken nothing for so long is paused. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final double NANOS = 1e9;

  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change = lock.newCondition();
  private final Map<Exchange, Rate> running = new HashMap<>();
  private long endedBytes;
  private boolean isHurried;
  private volatile boolean isRefusing;

  /**
   * @param nanoTime like {@link System#nanoTime()}
   */
  public Sessions(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * A running stream, as it is shown.
   *
   * @param bytesPerSecond over the last five to ten seconds, or since it began if that is less
   */
  record Session(Exchange exchange, String state, long bytes, long bytesPerSecond) {}

  /**
   * What is shown at one moment.
   *
   * @param sessions the oldest first, perhaps not all
   * @param total how many there are
   * @param totalBytes of all of them and of those that have ended
   */
  record Listing(List<Session> sessions, int total, long totalBytes) {}

  /**
   * A stream is about to begin.
   *
   * @throws DrainingException if none may
   */
  void open(Exchange exchange) throws DrainingException {
    lock.lock();
    try {
      if (isRefusing) {
        throw new DrainingException();
      }
      running.put(exchange, new Rate(exchange.startNanos()));
    } finally {
      lock.unlock();
    }
  }

  /** A stream is over, or has not begun after all. Idempotent. */
  void close(Exchange exchange) {
    lock.lock();
    try {
      if (running.remove(exchange) != null) {
        endedBytes += exchange.bytes();
        change.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many streams run. */
  public int count() {
    lock.lock();
    try {
      return running.size();
    } finally {
      lock.unlock();
    }
  }

  /** Body bytes of all streams since the start, of those that run up to now. */
  public long writtenBytes() {
    lock.lock();
    try {
      return totalBytes();
    } finally {
      lock.unlock();
    }
  }

  private long totalBytes() {
    return endedBytes + running.keySet().stream().mapToLong(Exchange::bytes).sum();
  }

  /** To be called every five seconds: rates are those since the last call but one. */
  public void sample() {
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      running.forEach((exchange, rate) -> rate.sample(now, exchange.bytes()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * The streams that run.
   *
   * @param limit how many at most
   */
  Listing list(int limit) {
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      List<Session> sessions =
          running.entrySet().stream()
              .sorted(Comparator.comparingLong(entry -> entry.getKey().startNanos() - now))
              .limit(limit)
              .map(entry -> session(entry.getKey(), entry.getValue(), now))
              .toList();
      return new Listing(sessions, running.size(), totalBytes());
    } finally {
      lock.unlock();
    }
  }

  private static Session session(Exchange exchange, Rate rate, long now) {
    long bytes = exchange.bytes();
    return new Session(exchange, exchange.state(PAUSE_NANOS), bytes, rate.since(now, bytes));
  }

  /** Takes no further streams, from now on and for ever. */
  public void refuse() {
    lock.lock();
    try {
      isRefusing = true;
    } finally {
      lock.unlock();
    }
  }

  public boolean isRefusing() {
    return isRefusing;
  }

  /**
   * Waits until no stream runs.
   *
   * @return false if some still do, after so long or because of {@link #hurry}
   */
  public boolean awaitNone(Duration atMost) throws InterruptedException {
    long leftNanos = atMost.toNanos();
    lock.lock();
    try {
      while (!running.isEmpty() && leftNanos > 0 && !isHurried) {
        leftNanos = change.awaitNanos(leftNanos);
      }
      return running.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waiting for streams to end by themselves. */
  public void hurry() {
    lock.lock();
    try {
      isHurried = true;
      change.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Breaks off whatever runs; none of it ends as if it were whole. */
  public void breakAll() {
    List<Exchange> all;
    lock.lock();
    try {
      isHurried = false; // what follows is quick
      all = List.copyOf(running.keySet());
    } finally {
      lock.unlock();
    }
    all.forEach(exchange -> exchange.breakOff(new DrainingException()));
  }

  /** Two looks at the bytes of one stream; guarded by the lock. */
  private static final class Rate {
    private long olderNanos;
    private long olderBytes;
    private long newerNanos;
    private long newerBytes;

    Rate(long startNanos) {
      olderNanos = startNanos;
      newerNanos = startNanos;
    }

    void sample(long now, long bytes) {
      olderNanos = newerNanos;
      olderBytes = newerBytes;
      newerNanos = now;
      newerBytes = bytes;
    }

    long since(long now, long bytes) {
      double seconds = (now - olderNanos) / NANOS;
      return seconds <= 0 ? 0 : Math.round((bytes - olderBytes) / seconds);
    }
  }
}
