package dev.millrace.ts;

import dev.millrace.stream.MediaFormatException;

/** How the samples of a codec look in a transport stream. */
@FunctionalInterface
interface Framing {
  /**
   * Adds a sample.
   *
   * @param sample not changed
   * @param length of it
   * @throws MediaFormatException if the sample contradicts itself
   */
  void write(byte[] sample, int length, AccessUnit unit) throws MediaFormatException;

  /** What is in a transport stream as it is in a file: AC-3 and E-AC-3. */
  static Framing unchanged() {
    return (sample, length, unit) -> unit.put(sample, 0, length);
  }
}
