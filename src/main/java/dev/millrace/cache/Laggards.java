package dev.millrace.cache;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Who holds up the other readers of a window for too long. Looked for once a second. */
final class Laggards {
  private final CacheLimits limits;
  private final Runnable look;
  private boolean isWatching;
  private boolean isClosed;

  /**
   * @param look called by the timer; asks {@link #among} and goes on watching
   */
  Laggards(CacheLimits limits, Runnable look) {
    this.limits = limits;
    this.look = look;
  }

  /** Looks a second from now, unless it does already. */
  synchronized void watch() {
    if (isWatching || isClosed) {
      return;
    }
    try {
      Future<?> unused = limits.timer().schedule(this::due, 1, TimeUnit.SECONDS);
      isWatching = true;
    } catch (RejectedExecutionException stopping) {
      isClosed = true;
    }
  }

  private void due() {
    synchronized (this) {
      isWatching = false;
      if (isClosed) {
        return;
      }
    }
    look.run();
  }

  synchronized void close() {
    isClosed = true;
  }

  /**
   * Those without whom the window could move on, who have taken nothing for the whole patience
   * while somebody else waited; under the download's lock.
   *
   * @param first offset of the first byte in the window
   */
  List<SharedReader> among(List<SharedReader> readers, long first) {
    long now = limits.nanoTime().getAsLong();
    long longestWait =
        readers.stream()
            .filter(SharedReader::isWaiting)
            .mapToLong(reader -> now - reader.activeNanos())
            .max()
            .orElse(0);
    return readers.stream()
        .filter(reader -> !reader.isWaiting() && reader.consumed() < first + Block.SIZE)
        .filter(
            reader ->
                Math.min(longestWait, now - reader.activeNanos()) >= limits.patience().toNanos())
        .toList();
  }
}
