package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.Optional;
import java.util.Set;

/**
 * {@code saio} of common encryption (ISO/IEC 14496-12 §8.7.9, ISO/IEC 23001-7 §7): where the
 * records of samples stand.
 *
 * @param tableOffset in its content
 * @param isLong whether offsets have 64 bits
 * @param count 1: all records follow one another; else one for each run
 */
public record AuxiliaryOffsets(Box box, int tableOffset, boolean isLong, int count) {
  private static final int HAS_TYPE = 0x1;

  /** What the records of common encryption are called. */
  private static final Set<Integer> TYPES =
      Set.of(
          0,
          FourCc.of("cenc"),
          FourCc.of("cens"),
          FourCc.of("cbc1"),
          FourCc.of("cbcs"),
          FourCc.of("piff"));

  /** Absent if it is of other records. */
  static Optional<AuxiliaryOffsets> read(Box box) throws MediaFormatException {
    Optional<Integer> begin = begin(box);
    if (begin.isEmpty()) {
      return Optional.empty();
    }
    int at = begin.get();
    long count = box.unsignedAt(at);
    boolean isLong = box.version() != 0;
    long table = count * (isLong ? 8 : 4);
    box.checked(at + 4, (int) Math.min(table, Integer.MAX_VALUE));
    return Optional.of(new AuxiliaryOffsets(box, at + 4, isLong, (int) count));
  }

  /** Where the fields behind the type begin; absent if the type is another's. */
  static Optional<Integer> begin(Box box) throws MediaFormatException {
    if ((box.flags() & HAS_TYPE) == 0) {
      return Optional.of(4);
    }
    return TYPES.contains(box.intAt(4)) ? Optional.of(12) : Optional.empty();
  }

  /** From the base of the fragment, in bytes. */
  public long offset(int entry) throws MediaFormatException {
    return isLong ? box.longAt(tableOffset + 8 * entry) : box.unsignedAt(tableOffset + 4 * entry);
  }

  /** Whether a {@code saiz} or {@code saio} is of common encryption. */
  public static boolean isOfEncryption(Box box) throws MediaFormatException {
    return begin(box).isPresent();
  }
}
