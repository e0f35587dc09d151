package dev.millrace.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A timer whose time passes when the test says so: tasks run in {@link #advance}, on its thread, in
 * the order in which they are due. {@code execute} runs at once. Scheduling and cancelling are safe
 * from any thread.
 */
public final class ManualTimer extends AbstractExecutorService implements ScheduledExecutorService {
  private final Object lock = new Object();
  private final List<Task<?>> tasks = new ArrayList<>();
  private long nowNanos;
  private long sequence;
  private boolean isShutdown;

  /** Moves time on; what is due on the way, also if scheduled on the way, runs at its time. */
  public void advance(Duration duration) {
    long endNanos = nanoTime() + duration.toNanos();
    while (runNext(endNanos)) {
      // one after the other, as each may schedule or cancel
    }
    synchronized (lock) {
      nowNanos = Math.max(nowNanos, endNanos);
    }
  }

  private boolean runNext(long endNanos) {
    Task<?> next;
    synchronized (lock) {
      next = tasks.stream().min(Comparator.naturalOrder()).orElse(null);
      if (next == null || next.dueNanos > endNanos) {
        return false;
      }
      tasks.remove(next);
      nowNanos = Math.max(nowNanos, next.dueNanos);
    }
    next.runOnce();
    return true;
  }

  /** The time of this timer, to be used instead of {@code System::nanoTime}. */
  public long nanoTime() {
    synchronized (lock) {
      return nowNanos;
    }
  }

  /** Tasks that are scheduled and neither ran nor were cancelled. */
  public int pending() {
    synchronized (lock) {
      return tasks.size();
    }
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(Executors.callable(command), unit.toNanos(delay), 0);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return add(callable, unit.toNanos(delay), 0);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return add(Executors.callable(command), unit.toNanos(initialDelay), unit.toNanos(period));
  }

  /** As at a fixed rate: tasks take no time here. */
  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return scheduleAtFixedRate(command, initialDelay, delay, unit);
  }

  private <V> Task<V> add(Callable<V> callable, long delayNanos, long periodNanos) {
    synchronized (lock) {
      if (isShutdown) {
        throw new RejectedExecutionException("shut down");
      }
      Task<V> task = new Task<>(callable, nowNanos + Math.max(0, delayNanos), periodNanos);
      tasks.add(task);
      return task;
    }
  }

  @Override
  public void execute(Runnable command) {
    command.run();
  }

  @Override
  public void shutdown() {
    synchronized (lock) {
      isShutdown = true;
      tasks.clear();
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    synchronized (lock) {
      List<Runnable> remaining = new ArrayList<>(tasks);
      shutdown();
      return remaining;
    }
  }

  @Override
  public boolean isShutdown() {
    synchronized (lock) {
      return isShutdown;
    }
  }

  @Override
  public boolean isTerminated() {
    return isShutdown();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isShutdown();
  }

  private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long periodNanos;
    private final long number;
    private long dueNanos;

    Task(Callable<V> callable, long dueNanos, long periodNanos) {
      super(callable);
      this.dueNanos = dueNanos;
      this.periodNanos = periodNanos;
      this.number = sequence++;
    }

    void runOnce() {
      if (periodNanos == 0) {
        run();
      } else if (runAndReset()) {
        synchronized (lock) {
          dueNanos += periodNanos;
          tasks.add(this);
        }
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      synchronized (lock) {
        tasks.remove(this);
      }
      return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Task<?> task = (Task<?>) other;
      int byTime = Long.compare(dueNanos, task.dueNanos);
      return byTime != 0 ? byTime : Long.compare(number, task.number);
    }
  }
}
