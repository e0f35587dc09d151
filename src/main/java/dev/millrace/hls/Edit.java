package dev.millrace.hls;

import java.util.Map;

/**
 * A change of a playlist by whole lines: what stands from {@code from} to {@code to} is left out,
 * and {@code insertion} stands there.
 *
 * @param from offset of the beginning of a line, in bytes
 * @param to the same; not before {@code from}
 * @param insertion whole lines with their ends, whose addresses are rewritten like those of the
 *     playlist; may be empty
 * @param carried what the links for the addresses in {@code insertion} carry besides. Of an edit
 *     that neither leaves out nor inserts anything: those in the line that begins there
 */
public record Edit(int from, int to, String insertion, Map<String, String> carried) {
  public Edit(int from, int to, String insertion) {
    this(from, to, insertion, Map.of());
  }

  /** Whether it leaves nothing out. */
  boolean isInsertion() {
    return from == to;
  }
}
