package dev.millrace.testing;

/**
 * What came of a body that was compared instead of kept.
 *
 * @param length bytes received
 * @param firstWrongAt offset of the first byte that differs from {@link OffsetBytes}, or -1
 * @param end how it ended
 */
public record CountedBody(long length, long firstWrongAt, BodyEnd end) {}
