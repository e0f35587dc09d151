package dev.millrace.dash;

/**
 * One media reference of a segment index ({@code sidx}, ISO/IEC 14496-12 §8.16.3), hierarchies
 * followed.
 *
 * @param firstByte in the file
 * @param lastByte in the file
 * @param time in units of the index
 * @param duration in the same units
 * @param timescale of the index
 */
public record IndexEntry(long firstByte, long lastByte, long time, long duration, long timescale) {}
