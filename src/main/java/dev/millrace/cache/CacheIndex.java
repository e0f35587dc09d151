package dev.millrace.cache;

import dev.millrace.upstream.UpstreamHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Which downloads may be joined, and which give way to others: those that are whole and that nobody
 * reads, the one first that was left longest ago. At most {@value #MAX_ENTRIES}.
 *
 * <p>One lock; under it a download may be asked for its size and told to give its memory back, but
 * nobody is called who might call back.
 */
final class CacheIndex {
  static final int MAX_ENTRIES = 16_384;

  /** What becomes of a download that was left. */
  enum Left {
    /** It is kept, or others use it. */
    STAYS,
    /** Nobody uses it, but it may go on for a moment. */
    ALONE,
    /** It is over and gone. */
    GONE,
    /** It has to be cancelled. */
    UNWANTED
  }

  /**
   * A download that was joined.
   *
   * @param isNew whether it has to be started
   * @param isHere whether all of it is here
   */
  record Joined(Entry entry, boolean isNew, boolean isHere) {}

  private final Map<CacheKey, Entry> entries = new HashMap<>();
  private final Set<Entry> idle = new LinkedHashSet<>();
  private final BlockPool pool;
  private final Duration retention;
  private final LongSupplier nanoTime;
  private final CacheMetrics metrics;

  CacheIndex(BlockPool pool, Duration retention, LongSupplier nanoTime, CacheMetrics metrics) {
    this.pool = pool;
    this.retention = retention;
    this.nanoTime = nanoTime;
    this.metrics = metrics;
  }

  synchronized int size() {
    return entries.size();
  }

  /** For a client; absent if there are too many already. */
  synchronized Optional<Joined> join(CacheKey key, Function<CacheKey, Entry> making) {
    Optional<Joined> joined = find(key, making);
    joined.ifPresent(found -> found.entry().joined());
    return joined;
  }

  /** For one who fetches ahead; what is here already is not joined. */
  synchronized Optional<Joined> joinAhead(
      CacheKey key, Entry.Waiting hears, Function<CacheKey, Entry> making) {
    Entry there = entries.get(key);
    if (there != null && there.isHere() && there.isJoinable(nanoTime.getAsLong())) {
      return Optional.of(new Joined(there, false, true));
    }
    Optional<Joined> joined = find(key, making);
    joined.ifPresent(found -> found.entry().joinedAhead(hears));
    return joined.map(found -> new Joined(found.entry(), found.isNew(), false));
  }

  private Optional<Joined> find(CacheKey key, Function<CacheKey, Entry> making) {
    Entry there = entries.get(key);
    if (there != null && there.isJoinable(nanoTime.getAsLong())) {
      idle.remove(there);
      return Optional.of(new Joined(there, false, there.isHere()));
    }
    if (there != null) {
      drop(there);
    }
    if (entries.size() >= MAX_ENTRIES && !dropEldest()) {
      return Optional.empty();
    }
    Entry made = making.apply(key);
    entries.put(key, made);
    return Optional.of(new Joined(made, true, false));
  }

  private boolean dropEldest() {
    Optional<Entry> eldest = idle.stream().findFirst();
    eldest.ifPresent(this::drop);
    return eldest.isPresent();
  }

  /** Nobody finds it any more; its memory goes when nobody uses it. */
  private void drop(Entry entry) {
    if (entries.remove(entry.key(), entry) && entry.isUnused()) {
      metrics.wasted().increment();
    }
    idle.remove(entry);
    if (!entry.isInUse() && entry.isOver()) {
      entry.download().free();
    }
  }

  /** Takes memory, from others that nobody reads if need be. */
  synchronized Optional<List<Block>> take(Entry asker, int count) {
    Optional<List<Block>> taken = pool.take(count);
    if (taken.isPresent()) {
      return taken;
    }
    List<Entry> giving = new ArrayList<>();
    int found = pool.available();
    for (Entry entry : idle) {
      if (found >= count) {
        break;
      }
      if (!(asker.isUnused() && entry.isUnused())) {
        giving.add(entry);
        found += entry.download().heldBlocks();
      }
    }
    if (found < count) {
      return Optional.empty();
    }
    giving.forEach(this::drop);
    return pool.take(count);
  }

  synchronized void begun(Entry entry, UpstreamHead head) {
    entry.begun(head, nanoTime.getAsLong());
  }

  /**
   * Nobody may join it any more.
   *
   * @return those who wait no longer
   */
  synchronized List<Entry.Waiting> close(Entry entry) {
    List<Entry.Waiting> waiting = entry.takeWaiting();
    drop(entry);
    return waiting;
  }

  /** What one download came to. */
  record Ended(boolean isKept, List<Entry.Waiting> waiting) {}

  synchronized Ended ended(Entry entry, boolean isWhole) {
    long now = nanoTime.getAsLong();
    boolean isKept = entry.ended(isWhole && entries.get(entry.key()) == entry, now);
    List<Entry.Waiting> waiting = entry.takeWaiting();
    if (!isKept) {
      drop(entry);
    } else {
      entry.keep(now, retention);
      if (!entry.isInUse()) {
        idle.add(entry);
      }
      if (entry.isAhead()) {
        metrics.prefetched().increment();
      }
    }
    return new Ended(isKept, waiting);
  }

  synchronized Left left(Entry entry) {
    entry.left();
    return afterLeaving(entry);
  }

  synchronized Left leftAhead(Entry entry, Entry.Waiting hears) {
    return entry.leftAhead(hears) ? afterLeaving(entry) : Left.STAYS;
  }

  private Left afterLeaving(Entry entry) {
    if (entry.isInUse()) {
      return Left.STAYS;
    }
    boolean isIndexed = entries.get(entry.key()) == entry;
    if (!entry.isOver()) {
      if (isIndexed && entry.goesOnAlone()) {
        return Left.ALONE;
      }
      drop(entry);
      return Left.UNWANTED;
    }
    if (isIndexed && entry.nanosLeft(nanoTime.getAsLong()) > 0) {
      idle.add(entry);
      return Left.STAYS;
    }
    drop(entry);
    return Left.GONE;
  }

  /** The moment is over that one was given which nobody uses. */
  synchronized Left afterMoment(Entry entry) {
    if (entry.isInUse() || entry.isOver()) {
      return Left.STAYS;
    }
    drop(entry);
    return Left.UNWANTED;
  }

  /** What becomes of one that nobody may join any more. */
  synchronized Left afterClosing(Entry entry) {
    return afterLeaving(entry);
  }

  /** Nobody may join what there is by this key. */
  synchronized void forget(CacheKey key) {
    Entry entry = entries.get(key);
    if (entry != null) {
      drop(entry);
    }
  }

  synchronized void keepFor(CacheKey key, Duration duration) {
    Entry entry = entries.get(key);
    if (entry != null) {
      entry.keepFor(duration);
    }
  }

  /**
   * Drops what has been kept for long enough.
   *
   * @return whether anything is left that will be due
   */
  synchronized boolean sweep() {
    long now = nanoTime.getAsLong();
    List.copyOf(idle).stream().filter(entry -> entry.nanosLeft(now) <= 0).forEach(this::drop);
    return !idle.isEmpty();
  }
}
