package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.Optional;

/**
 * {@code saiz} of common encryption (ISO/IEC 14496-12 §8.7.8, ISO/IEC 23001-7 §7): how long the
 * record of each sample is.
 *
 * @param tableOffset in its content
 * @param defaultSize of all records; 0: each has its own
 * @param count of samples that have one
 */
public record AuxiliarySizes(Box box, int tableOffset, int defaultSize, long count) {
  /** Absent if it is of other records. */
  static Optional<AuxiliarySizes> read(Box box) throws MediaFormatException {
    Optional<Integer> begin = AuxiliaryOffsets.begin(box);
    if (begin.isEmpty()) {
      return Optional.empty();
    }
    int at = begin.get();
    int defaultSize = box.byteAt(at);
    long count = box.unsignedAt(at + 1);
    if (count > MovieFragment.MAX_SAMPLES) {
      throw MediaFormatException.malformed(
          "saiz has " + count + " samples (at most " + MovieFragment.MAX_SAMPLES + ").");
    }
    box.checked(at + 5, defaultSize == 0 ? (int) count : 0);
    return Optional.of(new AuxiliarySizes(box, at + 5, defaultSize, count));
  }

  /** In bytes; 0 if the sample has none. */
  public int size(int sample) throws MediaFormatException {
    if (sample >= count) {
      return 0;
    }
    return defaultSize != 0 ? defaultSize : box.byteAt(tableOffset + sample);
  }
}
