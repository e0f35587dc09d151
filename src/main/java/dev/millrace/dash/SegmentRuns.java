package dev.millrace.dash;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Segments of a period as runs of equal durations; a day of them is one run, and none is expanded
 * before it is asked for. Times are media times in one timescale.
 */
final class SegmentRuns {
  /** A time that never comes, and more segments than anyone asks for. */
  static final long ENDLESS = 1L << 61;

  private static final int FIELDS = 5;
  private long[] fields = new long[FIELDS];
  private int length;

  int size() {
    return length / FIELDS;
  }

  /** When the first segment of a run begins. */
  long start(int run) {
    return fields[run * FIELDS];
  }

  long duration(int run) {
    return fields[run * FIELDS + 1];
  }

  long count(int run) {
    return fields[run * FIELDS + 2];
  }

  /** Of the first segment of a run. */
  long number(int run) {
    return fields[run * FIELDS + 3];
  }

  /** How many parts each of its segments has. */
  long sequence(int run) {
    return fields[run * FIELDS + 4];
  }

  long end(int run) {
    return end(run, count(run));
  }

  /** Of the first so many segments of a run. */
  long end(int run, long segments) {
    return Ticks.plus(start(run), Ticks.times(duration(run), segments));
  }

  /** A run of nothing is left out. */
  void add(long start, long duration, long count, long number, long sequence) {
    if (count <= 0 || duration <= 0) {
      return;
    }
    if (length == fields.length) {
      fields = Arrays.copyOf(fields, 2 * length);
    }
    long[] run = {start, duration, count, number, sequence};
    System.arraycopy(run, 0, fields, length, FIELDS);
    length += FIELDS;
  }

  /**
   * A timeline (§5.3.9.6).
   *
   * @param last number of the last segment, if that is known
   * @param openUntil media time until which the last entry repeats if it does not say how often
   */
  static SegmentRuns of(
      SegmentTimeline timeline, long firstNumber, OptionalLong last, OptionalLong openUntil) {
    SegmentRuns runs = new SegmentRuns();
    long time = 0;
    long number = firstNumber;
    for (int i = 0; i < timeline.size(); i++) {
      time = timeline.times()[i] < 0 ? time : timeline.times()[i];
      number = timeline.numbers()[i] < 0 ? number : timeline.numbers()[i];
      long duration = timeline.durations()[i];
      long count = count(timeline, i, time, openUntil);
      long left = Ticks.plus(Ticks.minus(last.orElse(Long.MAX_VALUE), number), 1);
      long listed = Math.min(left, beforeNext(timeline, i, time, count));
      runs.add(time, duration, listed, number, timeline.sequences()[i]);
      number = Ticks.plus(number, count);
      time = Ticks.plus(time, Ticks.times(duration, count));
    }
    return runs;
  }

  private static long count(SegmentTimeline timeline, int entry, long time, OptionalLong open) {
    long repeats = timeline.repeats()[entry];
    long duration = timeline.durations()[entry];
    if (repeats >= 0 || duration == 0) {
      return 1 + Math.max(0, repeats);
    }
    boolean isLast = entry + 1 == timeline.size();
    long next = isLast ? open.orElse(-1) : timeline.times()[entry + 1];
    return next < 0 ? 1 : Math.max(1, ceiling(Ticks.minus(next, time), duration));
  }

  /** How many begin before the next entry does: what would be there twice, is the next one's. */
  private static long beforeNext(SegmentTimeline timeline, int entry, long time, long count) {
    long next = entry + 1 == timeline.size() ? -1 : timeline.times()[entry + 1];
    long duration = timeline.durations()[entry];
    boolean isForward = next > time && duration > 0;
    return isForward ? Math.min(count, ceiling(Ticks.minus(next, time), duration)) : count;
  }

  /** Rounded up; the divisor is positive. */
  private static long ceiling(long dividend, long divisor) {
    return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
  }

  /** How many of a run end at a time or before. */
  long endedBy(int run, long time) {
    long ended = Math.floorDiv(Ticks.minus(time, start(run)), duration(run));
    return Math.max(0, Math.min(count(run), ended));
  }

  /** How many of a run begin before a time. */
  long begunBefore(int run, long time) {
    long begun = ceiling(Ticks.minus(time, start(run)), duration(run));
    return Math.max(0, Math.min(count(run), begun));
  }

  /** How long a segment of a run lasts: the last one of it until the next run if that is near. */
  long duration(int run, long segment) {
    if (segment + 1 < count(run) || run + 1 == size() || isGap(run + 1)) {
      return duration(run);
    }
    return Ticks.plus(duration(run), Ticks.minus(start(run + 1), end(run)));
  }

  /** Whether a run begins more than half a duration away from where the one before it ends. */
  boolean isGap(int run) {
    if (run == 0) {
      return false;
    }
    long distance = Ticks.minus(start(run), end(run - 1));
    long least = Math.min(duration(run), duration(run - 1));
    return distance > least / 2 || distance < -(least / 2);
  }
}
