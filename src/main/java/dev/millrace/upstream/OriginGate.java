package dev.millrace.upstream;

import dev.millrace.stream.OverBudgetException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Who may start a request to an origin now: so many at a time, the others in order of arrival, each
 * up to a deadline.
 *
 * <p><b>Concurrency.</b> One lock guards every line and the total; it is held for a few map and set
 * operations, never while a future completes. An origin has waiters only while all its permits are
 * out: a permit that comes back goes to the first waiter directly, so nobody overtakes. A waiter
 * can end in three ways that race (turn, deadline, cancelled by its owner), and the future decides:
 * the first to complete it wins. A turn that loses gives its permit to the next waiter; the other
 * two take the waiter out of its line. Continuations of a future run on the thread that released
 * the permit. They may release in turn; such turns are queued per thread and given by the outermost
 * release, so the stack does not grow along a line.
 *
 * <p><b>Limits.</b> {@code maxWaiting} per origin and {@value #ORIGINS_FULL} times that over all.
 * An origin without permits out is forgotten.
 */
public final class OriginGate {
  private static final int ORIGINS_FULL = 8;
  private static final String REASON = "origin_busy";

  /** Turns that a continuation further up this stack has to give; empty outside of a release. */
  private static final ThreadLocal<@Nullable Queue<Runnable>> TURNS = new ThreadLocal<>();

  /** The right to have one request in its first moments at an origin. */
  public interface Permit {
    /** Gives it back, from any thread; later calls do nothing. */
    void release();
  }

  private final int permits;
  private final int maxWaiting;
  private final Duration timeout;
  private final ScheduledExecutorService timer;

  private final Object lock = new Object();
  private final Map<String, Line> lines = new HashMap<>();
  private int totalWaiting;

  /**
   * A gate without any origins yet.
   *
   * @param permits per origin, at least 1
   * @param maxWaiting requests that may wait per origin, at least 0
   * @param timeout how long one of them waits
   * @param timer for the deadlines; stays the caller's
   */
  public OriginGate(int permits, int maxWaiting, Duration timeout, ScheduledExecutorService timer) {
    if (permits < 1) {
      throw new IllegalArgumentException("permits: " + permits + " (expected: >= 1)");
    }
    if (maxWaiting < 0) {
      throw new IllegalArgumentException("maxWaiting: " + maxWaiting + " (expected: >= 0)");
    }
    this.permits = permits;
    this.maxWaiting = maxWaiting;
    this.timeout = timeout;
    this.timer = timer;
  }

  /**
   * A permit, now or when its turn comes. Who no longer wants it cancels the future; if that
   * returns false the permit may be there already and must be released.
   *
   * @param origin as {@link Target#origin}
   * @return fails with {@link OverBudgetException} ({@code origin_busy}) at once if too many wait,
   *     or at the deadline
   */
  public CompletableFuture<Permit> enter(String origin) {
    Waiter waiter = new Waiter(origin);
    synchronized (lock) {
      Line line = lines.computeIfAbsent(origin, key -> new Line());
      if (line.permitsOut < permits) {
        line.permitsOut++;
        return CompletableFuture.completedFuture(permit(origin));
      }
      if (line.waiters.size() >= maxWaiting) {
        return refused("too many requests wait for this origin");
      }
      if (totalWaiting >= (long) ORIGINS_FULL * maxWaiting) {
        return refused("too many requests wait for origins");
      }
      line.waiters.add(waiter);
      totalWaiting++;
    }
    watch(waiter);
    return waiter.turn;
  }

  private static CompletableFuture<Permit> refused(String message) {
    return CompletableFuture.failedFuture(new OverBudgetException(REASON, message));
  }

  private void watch(Waiter waiter) {
    try {
      Future<?> deadline =
          timer.schedule(() -> expire(waiter), timeout.toNanos(), TimeUnit.NANOSECONDS);
      CompletableFuture<Permit> unused =
          waiter.turn.whenComplete(
              (permit, failure) -> {
                deadline.cancel(false);
                leave(waiter);
              });
    } catch (RejectedExecutionException e) {
      leave(waiter);
      waiter.turn.completeExceptionally(e);
    }
  }

  private static void expire(Waiter waiter) {
    waiter.turn.completeExceptionally(
        new OverBudgetException(REASON, "no turn at this origin within the time limit"));
  }

  private void leave(Waiter waiter) {
    synchronized (lock) {
      Line line = lines.get(waiter.origin);
      if (line != null && line.waiters.remove(waiter)) {
        totalWaiting--;
      }
    }
  }

  private Permit permit(String origin) {
    AtomicBoolean isReleased = new AtomicBoolean();
    return () -> {
      if (isReleased.compareAndSet(false, true)) {
        passOn(origin);
      }
    };
  }

  private void passOn(String origin) {
    Waiter next = next(origin);
    if (next == null) {
      return;
    }
    Queue<Runnable> turns = TURNS.get();
    if (turns != null) {
      turns.add(() -> give(next));
    } else {
      giveAll(() -> give(next));
    }
  }

  /** The waiter that takes over a permit, or null if the permit went back. */
  private @Nullable Waiter next(String origin) {
    synchronized (lock) {
      Line line = lines.get(origin);
      if (line == null) {
        throw new IllegalStateException("released at an origin without permits out");
      }
      Iterator<Waiter> waiters = line.waiters.iterator();
      if (waiters.hasNext()) {
        Waiter next = waiters.next();
        waiters.remove();
        totalWaiting--;
        return next;
      }
      line.permitsOut--;
      if (line.permitsOut == 0) {
        lines.remove(origin);
      }
      return null;
    }
  }

  private static void giveAll(Runnable first) {
    Queue<Runnable> turns = new ArrayDeque<>();
    TURNS.set(turns);
    try {
      for (Runnable turn = first; turn != null; turn = turns.poll()) {
        turn.run();
      }
    } finally {
      TURNS.remove();
    }
  }

  private void give(Waiter waiter) {
    Permit permit = permit(waiter.origin);
    if (!waiter.turn.complete(permit)) {
      permit.release();
    }
  }

  /** Whether so many ask this origin at the moment that what can wait should. */
  public boolean isBusy(String origin) {
    synchronized (lock) {
      Line line = lines.get(origin);
      return line != null && 2 * line.permitsOut >= permits;
    }
  }

  /** Origins with permits out. */
  public int activeOrigins() {
    synchronized (lock) {
      return lines.size();
    }
  }

  /** Requests that wait, over all origins. */
  public int waiting() {
    synchronized (lock) {
      return totalWaiting;
    }
  }

  private static final class Waiter {
    private final String origin;
    private final CompletableFuture<Permit> turn = new CompletableFuture<>();

    Waiter(String origin) {
      this.origin = origin;
    }
  }

  /** One origin; guarded by the lock. */
  private static final class Line {
    private int permitsOut;
    private final Set<Waiter> waiters = new LinkedHashSet<>();
  }
}
