package dev.millrace.cenc;

import dev.millrace.mp4.AuxiliaryOffsets;
import dev.millrace.mp4.AuxiliarySizes;
import dev.millrace.mp4.Box;
import dev.millrace.mp4.SampleLayout;
import dev.millrace.stream.MediaFormatException;
import java.util.Optional;

/**
 * Where the records of {@code saiz} and {@code saio} stand in the file: in one piece, or in one for
 * each run. Gathers them, wherever that is.
 */
final class AuxiliaryPieces {
  /** Records of one track fragment that are longer are refused. */
  static final int MAX_BYTES = 8 << 20;

  private final long[] starts;
  private final int[] lengths;
  private final byte[] gathered;
  private int missing;

  private AuxiliaryPieces(long[] starts, int[] lengths, int total) {
    this.starts = starts;
    this.lengths = lengths;
    this.gathered = new byte[total];
    this.missing = total;
  }

  /**
   * Finds them.
   *
   * @param base what offsets count from
   * @return absent if there are neither one nor as many offsets as runs, or they make no sense
   */
  static Optional<AuxiliaryPieces> of(
      AuxiliarySizes sizes, AuxiliaryOffsets offsets, SampleLayout layout, long base)
      throws MediaFormatException {
    int pieces = offsets.count();
    if ((pieces != 1 && pieces != layout.runs()) || sizes.count() > layout.count()) {
      return Optional.empty();
    }
    long[] starts = new long[pieces];
    int[] lengths = new int[pieces];
    int total = 0;
    for (int i = 0; i < pieces; i++) {
      int first = pieces == 1 ? 0 : layout.runStart(i);
      int last = pieces == 1 ? layout.count() : layout.runStart(i + 1);
      starts[i] = base + offsets.offset(i);
      for (int sample = first; sample < last; sample++) {
        lengths[i] += sizes.size(sample);
      }
      total += lengths[i];
      if (starts[i] < 0 || total > MAX_BYTES) {
        return Optional.empty();
      }
    }
    return Optional.of(new AuxiliaryPieces(starts, lengths, total));
  }

  /** Whether all of it stands within. */
  boolean isWithin(long from, long to) {
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] < from || starts[i] + lengths[i] > to) {
        return false;
      }
    }
    return true;
  }

  /** Takes what stands in a box. */
  void gather(Box box, long boxPosition) {
    gather(boxPosition, box.bytes(), box.start(), box.end() - box.start());
  }

  /**
   * Takes what of it is there, and makes that zero.
   *
   * @param position of the first byte
   */
  void take(long position, byte[] bytes, int offset, int length) {
    gather(position, bytes, offset, length);
    for (int i = 0; i < starts.length; i++) {
      long from = Math.max(starts[i], position);
      long to = Math.min(starts[i] + lengths[i], position + length);
      if (from < to) {
        int at = offset + (int) (from - position);
        java.util.Arrays.fill(bytes, at, at + (int) (to - from), (byte) 0);
      }
    }
  }

  private void gather(long position, byte[] bytes, int offset, int length) {
    int into = 0;
    for (int i = 0; i < starts.length; i++) {
      long from = Math.max(starts[i], position);
      long to = Math.min(starts[i] + lengths[i], position + length);
      if (from < to) {
        System.arraycopy(
            bytes,
            offset + (int) (from - position),
            gathered,
            into + (int) (from - starts[i]),
            (int) (to - from));
        missing -= (int) (to - from);
      }
      into += lengths[i];
    }
  }

  /** Whether all of it was taken. */
  boolean isComplete() {
    return missing <= 0;
  }

  /** All records, one behind the other. */
  byte[] bytes() {
    return gathered;
  }
}
