package dev.millrace.dash;

/**
 * A segment with its place on the clock of the presentation.
 *
 * @param startNanos from the beginning of the presentation on; not before its period begins
 * @param endNanos not after its period ends
 * @param isDiscontinuous whether something else, or nothing, was to be played before it
 */
record ListedSegment(
    Profile.InPeriod member,
    Segment segment,
    long startNanos,
    long endNanos,
    boolean isDiscontinuous) {
  /** Of a member: on the clock, cut to its period. It may be empty then. */
  static ListedSegment of(Profile.InPeriod member, Segment segment) {
    long zero = MediaTime.nanos(member.period().start());
    Addressing addressing = member.representation().addressing();
    long start = zero + presentationNanos(segment, segment.time(), addressing);
    long end = zero + presentationNanos(segment, segment.time() + segment.duration(), addressing);
    return new ListedSegment(
        member,
        segment,
        Math.max(start, zero),
        Math.min(end, MediaTime.end(member.period())),
        segment.followsGap());
  }

  /** From the beginning of the period on; an index may count in units of its own. */
  private static long presentationNanos(Segment segment, long time, Addressing addressing) {
    long offset = addressing.presentationTimeOffset();
    return segment.timescale() == addressing.timescale()
        ? MediaTime.nanos(time - offset, segment.timescale())
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
    return new ListedSegment(member, segment, startNanos, endNanos, isThere);
  }

  ListedSegment endingAt(long nanos) {
    return new ListedSegment(member, segment, startNanos, nanos, isDiscontinuous);
  }
}
