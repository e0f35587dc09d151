package dev.millrace.mp4;

/**
 * A subsegment of media that a segment index leads to (ISO/IEC 14496-12 §8.16.3).
 *
 * @param firstByte in the file
 * @param lastByte in the file
 * @param time of its earliest presentation, in units of its index
 * @param duration in the same units
 * @param timescale units per second of its index; never 0
 */
public record MediaReference(
    long firstByte, long lastByte, long time, long duration, long timescale) {}
