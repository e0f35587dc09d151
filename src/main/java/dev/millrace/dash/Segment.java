package dev.millrace.dash;

/**
 * One segment of a representation.
 *
 * @param number as its address counts
 * @param time where it begins in the media, in units, as {@code $Time$} says it: presentation time
 *     offset included
 * @param duration in the same units; reaches to where the next segment begins if that is no more
 *     than half of a duration away
 * @param timescale units per second: of the representation, or of its index
 * @param part where it is
 * @param followsGap whether media is missing before it: more than half of its duration
 */
public record Segment(
    long number,
    long time,
    long duration,
    long timescale,
    Addressing.Part part,
    boolean followsGap) {

  /**
   * Cut short at a time, if it is longer.
   *
   * @param end in units
   */
  Segment endingBy(long end) {
    return time < end && end - time < duration
        ? new Segment(number, time, end - time, timescale, part, followsGap)
        : this;
  }
}
