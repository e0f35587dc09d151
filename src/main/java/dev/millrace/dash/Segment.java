package dev.millrace.dash;

/**
 * One segment of a representation.
 *
 * @param number as its address counts
 * @param time where it begins in the media, in units of the representation's timescale, as {@code
 *     $Time$} says it: presentation time offset included
 * @param duration in the same units
 * @param part where it is
 * @param followsGap whether media is missing before it: more than half of its duration
 */
public record Segment(
    long number, long time, long duration, Addressing.Part part, boolean followsGap) {}
