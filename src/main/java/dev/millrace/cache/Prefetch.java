package dev.millrace.cache;

import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.OriginGate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fetches into the cache what a viewer of a playlist will ask for next.
 *
 * <p>When a segment has been asked for and is here as a whole, those that follow it are fetched,
 * one after the other: at most so many as the setting says ahead, one at a time of each playlist,
 * {@value #MAX_PER_ORIGIN} of each origin, while the origin is not busy with those who wait. It
 * never takes the place of something that was fetched ahead and not used yet. It ends when nobody
 * has asked for longer than the setting says, or somebody asks for another place; a failure is
 * nobody's but its own, and stops it for this playlist until a viewer has got past that segment.
 *
 * <p>Remembered are {@value #MAX_LISTS} playlists of {@value #MAX_SEGMENTS} segments, and no more
 * than {@value #MAX_BYTES} bytes of them; the one goes first that nobody has used for longest.
 *
 * <p>One lock guards it all; nobody is called under it.
 */
public final class Prefetch {
  public static final int MAX_SEGMENTS = 2_000;
  static final int MAX_LISTS = 64;
  static final int MAX_BYTES = 4 << 20;
  static final int MAX_PER_ORIGIN = 2;

  private final SegmentCache cache;
  private final OriginGate gate;
  private final CacheLimits limits;
  private final int most;
  private final long idleNanos;
  private final Object lock = new Object();
  private final Map<CacheKey, PrefetchRow> rows = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, Integer> runningAt = new HashMap<>();

  Prefetch(CacheConfig config, SegmentCache cache, OriginGate gate, CacheLimits limits) {
    this.cache = cache;
    this.gate = gate;
    this.limits = limits;
    this.most = config.prefetchSegments();
    this.idleNanos = config.prefetchIdle().toNanos();
  }

  /** Whether {@link #follow} is of any use. */
  public boolean isOn() {
    return cache.isOn();
  }

  /**
   * What a playlist says now, instead of what it said before. Never blocks.
   *
   * @param playlist what it was asked by; without what changes from one reading to the next
   * @param segments as they will be asked for, in order; the first {@value #MAX_SEGMENTS} count. A
   *     playlist of ranges or documents is forgotten
   * @param firstNumber of the first of them: an address that has another number than before leads
   *     to another segment, and what is kept of the old one is not given to anybody any more
   */
  public void follow(FetchRequest playlist, List<FetchRequest> segments, long firstNumber) {
    Optional<CacheKey> key = CacheKey.of(playlist);
    if (!cache.isOn() || key.isEmpty()) {
      return;
    }
    Optional<SegmentList> list =
        SegmentList.of(segments.subList(0, Math.min(MAX_SEGMENTS, segments.size())), firstNumber);
    List<PrefetchStep> unwanted = new ArrayList<>();
    List<CacheKey> renewed = List.of();
    PrefetchRow row;
    synchronized (lock) {
      row = rows.get(key.get());
      if (list.isEmpty() || list.get().sizeBytes() > MAX_BYTES) {
        forget(rows.remove(key.get()), unwanted);
        row = null;
      } else if (row == null) {
        row = new PrefetchRow(list.get(), most);
        rows.put(key.get(), row);
      } else {
        renewed = row.replace(list.get());
      }
      makeRoom(unwanted);
    }
    renewed.forEach(cache::forget);
    unwanted.forEach(PrefetchStep::cancel);
    if (row != null) {
      advance(row);
    }
  }

  private void makeRoom(List<PrefetchStep> unwanted) {
    long bytes = rows.values().stream().mapToLong(PrefetchRow::sizeBytes).sum();
    Iterator<PrefetchRow> eldest = rows.values().iterator();
    while (rows.size() > MAX_LISTS || bytes > MAX_BYTES) {
      PrefetchRow row = eldest.next();
      eldest.remove();
      bytes -= row.sizeBytes();
      forget(row, unwanted);
    }
  }

  private void forget(@Nullable PrefetchRow row, List<PrefetchStep> unwanted) {
    if (row != null) {
      row.takeRunning().ifPresent(step -> unwanted.add(stopped(step)));
    }
  }

  private PrefetchStep stopped(PrefetchStep step) {
    runningAt.computeIfPresent(step.origin(), (origin, count) -> count > 1 ? count - 1 : null);
    return step;
  }

  int lists() {
    synchronized (lock) {
      return rows.size();
    }
  }

  int running() {
    synchronized (lock) {
      return runningAt.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** A viewer asks for a body. */
  void asked(CacheKey key, boolean isHere) {
    if (!SegmentList.isWhole(key)) {
      return;
    }
    List<PrefetchStep> unwanted = new ArrayList<>();
    List<PrefetchRow> due = new ArrayList<>();
    synchronized (lock) {
      long now = limits.nanoTime().getAsLong();
      for (Map.Entry<CacheKey, PrefetchRow> entry : List.copyOf(rows.entrySet())) {
        PrefetchRow row = entry.getValue();
        if (row.asked(key, isHere, now)) {
          row.takeAbandoned().ifPresent(step -> unwanted.add(stopped(step)));
          due.add(rows.getOrDefault(entry.getKey(), row)); // used: the last to be forgotten
        }
      }
    }
    unwanted.forEach(PrefetchStep::cancel);
    due.forEach(this::advance);
  }

  /** A body is here as a whole. */
  void arrived(CacheKey key) {
    if (!SegmentList.isWhole(key)) {
      return;
    }
    List<PrefetchRow> due;
    synchronized (lock) {
      due = rows.values().stream().filter(row -> row.arrived(key)).toList();
    }
    due.forEach(this::advance);
  }

  private void advance(PrefetchRow row) {
    PrefetchStep step;
    synchronized (lock) {
      Optional<CacheKey> next = row.next().filter(key -> mayAsk(row, key));
      if (next.isEmpty()) {
        return;
      }
      step = new PrefetchStep(next.get());
      row.run(step);
      runningAt.merge(step.origin(), 1, Integer::sum);
    }
    watchIdle(row, step, idleNanos);
    step.follow(
        cache.fetchAhead(
            step.key(), SegmentList.request(step.key()), isKept -> over(row, step, isKept)));
  }

  private boolean mayAsk(PrefetchRow row, CacheKey key) {
    String origin = key.target().origin();
    return limits.nanoTime().getAsLong() - row.askedNanos() < idleNanos
        && runningAt.getOrDefault(origin, 0) < MAX_PER_ORIGIN
        && !gate.isBusy(origin);
  }

  private void over(PrefetchRow row, PrefetchStep step, boolean isKept) {
    step.over();
    synchronized (lock) {
      if (!row.isRunning(step)) {
        return;
      }
      row.over(step, isKept);
      PrefetchStep unused = stopped(step);
    }
    advance(row);
  }

  private void watchIdle(PrefetchRow row, PrefetchStep step, long nanos) {
    try {
      step.watchedBy(
          limits.timer().schedule(() -> endIfIdle(row, step), nanos, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException stopping) {
      step.cancel();
    }
  }

  private void endIfIdle(PrefetchRow row, PrefetchStep step) {
    long left;
    synchronized (lock) {
      if (!row.isRunning(step)) {
        return;
      }
      left = row.askedNanos() + idleNanos - limits.nanoTime().getAsLong();
      if (left <= 0) {
        row.takeRunning().ifPresent(this::stopped);
      }
    }
    if (left > 0) {
      watchIdle(row, step, left);
    } else {
      step.cancel();
    }
  }
}
