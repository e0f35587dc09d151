package dev.millrace.dash;

import java.util.ArrayList;
import java.util.List;

/**
 * The discontinuities of a live presentation, over all its profiles: when they were, in rising
 * order. {@link #MAX_REMEMBERED} are remembered one by one, older ones are counted. Confined to
 * {@link SequenceTracker}.
 */
final class Discontinuities {
  static final int MAX_REMEMBERED = 256;

  /** Profiles do not end together; what goes back less than that is the same clock. */
  private static final long RESTART_NANOS = 30 * MediaTime.NANOS_PER_SECOND;

  private final List<Long> times = new ArrayList<>();
  private long older;
  private long olderUntilNanos = Long.MIN_VALUE;
  private long epochMillis;
  private long lastNanos;

  Discontinuities(long epochMillis) {
    this.epochMillis = epochMillis;
  }

  /**
   * Adds what a playlist tells.
   *
   * @param segments at least one
   * @param borders {@link PeriodBorders} of the presentation
   */
  void learn(List<ListedSegment> segments, List<Long> borders, long nextEpochMillis) {
    restartIfBack(segments.get(segments.size() - 1).startNanos(), nextEpochMillis);
    for (long border : borders) {
      if (count(border - 1) == count(border)) {
        add(border);
      }
    }
    for (int i = 1; i < segments.size(); i++) {
      ListedSegment segment = segments.get(i);
      if (segment.isDiscontinuous() && before(segments.get(i - 1)) == before(segment)) {
        add(segment.startNanos());
      }
    }
  }

  /** How many there were when a segment had begun, or at least before its middle. */
  long before(ListedSegment segment) {
    return count(segment.middleNanos());
  }

  /**
   * The segments, marked where there was one since the segment before, whichever profile has told
   * it. The first one is not marked: what was before it is counted.
   */
  List<ListedSegment> marked(List<ListedSegment> segments) {
    List<ListedSegment> marked = new ArrayList<>(segments.size());
    long before = before(segments.get(0));
    for (ListedSegment segment : segments) {
      marked.add(segment.withDiscontinuity(before(segment) > before));
      before = before(segment);
    }
    return marked;
  }

  /** A new clock: whatever was before is one discontinuity away. */
  private void restartIfBack(long nanos, long nextEpochMillis) {
    if (nextEpochMillis != epochMillis && nanos < lastNanos - RESTART_NANOS) {
      older += times.size() + 1L;
      times.clear();
      olderUntilNanos = Long.MIN_VALUE;
      lastNanos = nanos;
    }
    epochMillis = nextEpochMillis;
    lastNanos = Math.max(lastNanos, nanos);
  }

  private void add(long nanos) {
    if (nanos <= olderUntilNanos) {
      return; // counted
    }
    int place = times.size();
    while (place > 0 && times.get(place - 1) > nanos) {
      place--;
    }
    times.add(place, nanos);
    if (times.size() > MAX_REMEMBERED) {
      olderUntilNanos = times.remove(0);
      older++;
    }
  }

  /** Up to that time. */
  private long count(long nanos) {
    int place = times.size();
    while (place > 0 && times.get(place - 1) > nanos) {
      place--;
    }
    return older + place;
  }
}
