package dev.millrace.hls;

/**
 * A change of a playlist by whole lines: what stands from {@code from} to {@code to} is left out,
 * and {@code insertion} stands there.
 *
 * @param from offset of the beginning of a line, in bytes
 * @param to the same; not before {@code from}
 * @param insertion whole lines with their ends, written as they are; may be empty
 */
public record Edit(int from, int to, String insertion) {}
