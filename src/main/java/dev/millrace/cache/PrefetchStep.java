package dev.millrace.cache;

import dev.millrace.upstream.Fetching;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One segment that is being fetched ahead. */
final class PrefetchStep {
  private final CacheKey key;
  private @Nullable Fetching fetching;
  private @Nullable Future<?> idleTask;
  private boolean isOver;

  PrefetchStep(CacheKey key) {
    this.key = key;
  }

  CacheKey key() {
    return key;
  }

  String origin() {
    return key.target().origin();
  }

  void follow(Fetching started) {
    boolean isTooLate;
    synchronized (this) {
      fetching = started;
      isTooLate = isOver;
    }
    if (isTooLate) {
      started.cancel();
    }
  }

  synchronized void watchedBy(Future<?> task) {
    idleTask = task;
    if (isOver) {
      task.cancel(false);
    }
  }

  /** It is here, or will not be: nobody looks after it any more. */
  synchronized void over() {
    isOver = true;
    if (idleTask != null) {
      idleTask.cancel(false);
    }
  }

  /** It is not wanted any more. */
  void cancel() {
    over();
    Fetching started;
    synchronized (this) {
      started = fetching;
    }
    if (started != null) {
      started.cancel();
    }
  }
}
