package dev.millrace.dash;

import dev.millrace.dash.Addressing.Part;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The segments that a representation can have in a period, before anyone looks at the clock.
 *
 * @param timescale of all times in it
 * @param periodStart media time at which the period begins
 * @param availabilityTimeOffset in seconds, may be infinite
 * @param cutAt media time at which the last segment ends even if its duration says more
 */
record SegmentSource(
    SegmentRuns runs,
    Timing timing,
    Parts parts,
    long timescale,
    long periodStart,
    double availabilityTimeOffset,
    OptionalLong cutAt) {

  /** How it is known when segments begin. */
  enum Timing {
    /** All have one duration, and there are as many as time has passed. */
    COUNTED,
    /** By a timeline. */
    TIMELINE,
    /** By a list of addresses. */
    LISTED,
    /** By an index. */
    INDEXED;

    /**
     * Whether segments are there only when they have ended; others are there if they are listed.
     */
    boolean isByClock() {
      return this == COUNTED || this == TIMELINE;
    }

    /** Whether it is written down which segments there are. */
    boolean isWritten() {
      return this != COUNTED;
    }
  }

  /** Where segments are. */
  interface Parts {
    /**
     * Where one segment is, or one part of it.
     *
     * @param subNumber of a part of it; the first is 1
     */
    Part part(long number, long time, long subNumber);

    /** Whether each part of a segment has its own address. */
    default boolean isSplit() {
      return false;
    }
  }

  /** After so much of the period, rounded down. */
  long mediaTime(Duration elapsed) {
    return Ticks.plus(periodStart, Ticks.of(elapsed, timescale));
  }

  /** After so much of the period, rounded up. */
  long mediaTimeCeiling(Duration elapsed) {
    return Ticks.plus(periodStart, Ticks.ceiling(elapsed, timescale));
  }

  /** Appends one segment of a run, or its parts. */
  void addTo(List<Segment> segments, int run, long place) {
    long number = Ticks.plus(runs.number(run), place);
    long time = runs.end(run, place);
    long duration = runs.duration(run, place);
    boolean followsGap = place == 0 && !segments.isEmpty() && runs.isGap(run);
    if (parts.isSplit()) {
      long count = runs.sequence(run);
      for (long i = 0; i < count; i++) {
        long from = Ticks.times(duration, i) / count;
        long length = Ticks.times(duration, i + 1) / count - from;
        Part part = parts.part(number, time, i + 1);
        segments.add(
            new Segment(number, time + from, length, timescale, part, followsGap && i == 0));
      }
    } else {
      segments.add(cut(number, time, duration, followsGap));
    }
  }

  private Segment cut(long number, long time, long duration, boolean followsGap) {
    Part part = parts.part(number, time, 1);
    Segment whole = new Segment(number, time, duration, timescale, part, followsGap);
    return cutAt.isPresent() ? whole.endingBy(cutAt.getAsLong()) : whole;
  }
}
