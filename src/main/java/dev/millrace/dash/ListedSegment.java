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
    Addressing addressing = member.representation().addressing();
    long zero = MediaTime.nanos(member.period().start());
    long offset = addressing.presentationTimeOffset();
    long start = zero + MediaTime.nanos(segment.time() - offset, addressing.timescale());
    long end =
        zero
            + MediaTime.nanos(
                segment.time() - offset + segment.duration(), addressing.timescale());
    return new ListedSegment(
        member,
        segment,
        Math.max(start, zero),
        Math.min(end, MediaTime.end(member.period())),
        segment.followsGap());
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
