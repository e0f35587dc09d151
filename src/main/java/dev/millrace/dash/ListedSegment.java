package dev.millrace.dash;

/**
 * A segment with its place on the clock of the presentation.
 *
 * @param startNanos from the beginning of the presentation on
 * @param endNanos after it has begun
 * @param isDiscontinuous whether something else, or nothing, was to be played before it
 * @param isMissing whether the presentation has nothing of its kind at this time; the segment is
 *     one of another period then, and is not to be loaded
 */
record ListedSegment(
    Profile.InPeriod member,
    Segment segment,
    long startNanos,
    long endNanos,
    boolean isDiscontinuous,
    boolean isMissing) {
  /** On the clock. */
  static ListedSegment of(Profile.InPeriod member, Segment segment) {
    long zero = MediaTime.nanos(member.period().start());
    Addressing addressing = member.representation().addressing();
    long start = zero + presentationNanos(segment, segment.time(), addressing);
    long end =
        zero
            + presentationNanos(
                segment, Ticks.plus(segment.time(), segment.duration()), addressing);
    return new ListedSegment(member, segment, start, end, segment.followsGap(), false);
  }

  /** What its period shows of it; may be empty, or end before it begins. */
  ListedSegment cutToPeriod() {
    return new ListedSegment(
        member,
        segment,
        Math.max(startNanos, MediaTime.nanos(member.period().start())),
        Math.min(endNanos, MediaTime.end(member.period())),
        isDiscontinuous,
        isMissing);
  }

  /** From the beginning of the period on; an index may count in units of its own. */
  private static long presentationNanos(Segment segment, long time, Addressing addressing) {
    long offset = addressing.presentationTimeOffset();
    return segment.timescale() == addressing.timescale()
        ? MediaTime.nanos(Ticks.minus(time, offset), segment.timescale())
        : MediaTime.nanos(time, segment.timescale())
            - MediaTime.nanos(offset, addressing.timescale());
  }

  /** What {@code EXTINF} says: sums of it do not drift, as it is cut from one ruler. */
  long millis() {
    return MediaTime.millis(endNanos) - MediaTime.millis(startNanos);
  }

  long middleNanos() {
    return startNanos + (endNanos - startNanos) / 2;
  }

  ListedSegment withDiscontinuity(boolean isThere) {
    return new ListedSegment(member, segment, startNanos, endNanos, isThere, isMissing);
  }

  ListedSegment endingAt(long nanos) {
    return new ListedSegment(member, segment, startNanos, nanos, isDiscontinuous, isMissing);
  }
}
