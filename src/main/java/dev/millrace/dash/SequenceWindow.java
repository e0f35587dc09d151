package dev.millrace.dash;

import java.util.List;

/**
 * The end of the window that a live playlist had last, and how its segments were numbered. Does not
 * change.
 *
 * <p>The next window is numbered by any segment that both have. If they share none, as many were
 * passed by as the time between would hold; if the clock of the presentation went back instead, the
 * numbers just go on.
 */
final class SequenceWindow {
  /** Segments that are remembered: the last ones. */
  static final int MAX_REMEMBERED = 32;

  /** How far off a segment may be that is known again, if that is less than half of it. */
  private static final long MAX_TREMBLE_NANOS = MediaTime.NANOS_PER_SECOND / 10;

  private final long listedFrom;
  private final long longestMillis;
  private final long epochMillis;

  /** Of what is remembered; the first one has the number {@link #from}. */
  private final long[] starts;

  private final long from;

  SequenceWindow(long listedFrom, List<ListedSegment> segments, long epochMillis) {
    this(listedFrom, segments, epochMillis, 0);
  }

  private SequenceWindow(
      long listedFrom, List<ListedSegment> segments, long epochMillis, long longestMillis) {
    this.listedFrom = Math.max(0, listedFrom);
    this.epochMillis = epochMillis;
    this.longestMillis =
        Math.max(longestMillis, segments.stream().mapToLong(ListedSegment::millis).max().orElse(0));
    int passed = Math.max(0, segments.size() - MAX_REMEMBERED);
    starts =
        segments.subList(passed, segments.size()).stream()
            .mapToLong(ListedSegment::startNanos)
            .toArray();
    from = this.listedFrom + passed;
  }

  private SequenceWindow(SequenceWindow kept, long listedFrom, SequenceWindow stale) {
    this.listedFrom = Math.max(0, listedFrom);
    epochMillis = kept.epochMillis;
    longestMillis = stale.longestMillis;
    starts = kept.starts;
    from = kept.from;
  }

  /** The number of the first segment of the playlist it was made for. */
  long listedFrom() {
    return listedFrom;
  }

  /** Of the segments of this playlist and all before it. */
  long longestMillis() {
    return longestMillis;
  }

  /** The window of the playlist that lists these. */
  SequenceWindow next(List<ListedSegment> segments, long nextEpochMillis) {
    long lastStart = segments.get(segments.size() - 1).startNanos();
    boolean isBack = lastStart < last();
    boolean isRestarted = isBack && nextEpochMillis != epochMillis;
    long sequence = isRestarted ? from + starts.length : sequence(segments);
    SequenceWindow next = new SequenceWindow(sequence, segments, nextEpochMillis, longestMillis);
    boolean isStale = isBack && !isRestarted && lastStart >= starts[0];
    return isStale ? new SequenceWindow(this, sequence, next) : next;
  }

  private long last() {
    return starts[starts.length - 1];
  }

  private long sequence(List<ListedSegment> segments) {
    int known = starts.length - 1;
    for (int i = segments.size() - 1; i >= 0; i--) {
      ListedSegment segment = segments.get(i);
      long half = (segment.endNanos() - segment.startNanos()) / 2;
      long tolerance = Math.max(1, Math.min(half, MAX_TREMBLE_NANOS));
      while (known > 0 && starts[known] - segment.startNanos() >= tolerance) {
        known--;
      }
      if (Math.abs(starts[known] - segment.startNanos()) < tolerance) {
        return from + known - i;
      }
    }
    long next = from + starts.length;
    ListedSegment first = segments.get(0);
    long duration = Math.max(1, first.endNanos() - first.startNanos());
    long passed = (first.startNanos() - last() + duration / 2) / duration - 1;
    return next + Math.max(0, passed);
  }
}
