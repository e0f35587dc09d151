package dev.millrace.cache;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One playlist that is being watched: where its viewers are, and what is fetched ahead of them.
 * Guarded by the lock of {@link Prefetch}.
 */
final class PrefetchRow {
  private final int most;
  private SegmentList list;
  private int asked = -1;
  private long askedNanos;
  private boolean isAskedHere;
  private int done = -1;
  private @Nullable CacheKey failed;
  private @Nullable PrefetchStep running;

  /**
   * @param most how many are fetched ahead of the one that was asked for
   */
  PrefetchRow(SegmentList list, int most) {
    this.list = list;
    this.most = most;
  }

  int sizeBytes() {
    return list.sizeBytes();
  }

  long askedNanos() {
    return askedNanos;
  }

  Optional<PrefetchStep> running() {
    return Optional.ofNullable(running);
  }

  boolean isRunning(PrefetchStep step) {
    return running == step;
  }

  /**
   * The playlist was read again: positions are those of the same segments.
   *
   * @return addresses that have not been there, or have led to other segments
   */
  List<CacheKey> replace(SegmentList newer) {
    if (newer.isBefore(list)) {
      return List.of();
    }
    List<CacheKey> renewed = newer.newSince(list);
    asked = moved(asked, newer);
    done = Math.max(asked, moved(done, newer));
    if (failed != null && newer.indexOf(failed) < 0) {
      failed = null;
    }
    list = newer;
    return renewed;
  }

  private int moved(int index, SegmentList newer) {
    return index < 0 ? -1 : newer.indexOf(list.key(index));
  }

  /**
   * A viewer asks for a segment.
   *
   * @param isHere whether all of it is here
   * @return whether it is of this playlist
   */
  boolean asked(CacheKey key, boolean isHere, long now) {
    int index = list.indexOf(key);
    if (index < 0) {
      return false;
    }
    asked = index;
    done = index;
    askedNanos = now;
    isAskedHere = isHere;
    return true;
  }

  /** A segment is here as a whole: if it is the one asked for, or the origin is well again. */
  boolean arrived(CacheKey key) {
    int index = list.indexOf(key);
    if (index < 0) {
      return false;
    }
    isAskedHere |= index == asked;
    if (failed != null && index >= list.indexOf(failed)) {
      failed = null;
    }
    return true;
  }

  /** What is being fetched and no viewer is near to, that it can be cancelled. */
  Optional<PrefetchStep> takeAbandoned() {
    PrefetchStep step = running;
    if (step == null) {
      return Optional.empty();
    }
    int index = list.indexOf(step.key());
    boolean isNear = index < 0 || (index >= asked - most && index <= asked + 2 * most);
    return isNear ? Optional.empty() : takeRunning();
  }

  Optional<PrefetchStep> takeRunning() {
    PrefetchStep step = running;
    running = null;
    return Optional.ofNullable(step);
  }

  /** The next to be fetched, if one may be. */
  Optional<CacheKey> next() {
    int next = Math.max(asked, done) + 1;
    boolean mayRun = running == null && failed == null && asked >= 0 && isAskedHere;
    return mayRun && next <= asked + most && next < list.size()
        ? Optional.of(list.key(next))
        : Optional.empty();
  }

  void run(PrefetchStep step) {
    running = step;
  }

  void over(PrefetchStep step, boolean isKept) {
    running = null;
    if (isKept) {
      done = Math.max(done, list.indexOf(step.key()));
    } else {
      failed = step.key();
    }
  }
}
