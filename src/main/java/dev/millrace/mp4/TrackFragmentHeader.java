package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.OptionalLong;

/**
 * {@code tfhd} (ISO/IEC 14496-12 §8.8.7). What is absent is said by the track's defaults.
 *
 * @param baseOffset absolute position in the file that run offsets count from
 * @param isBaseMoof whether they count from the first byte of the moof
 * @param descriptionIndex of the sample entry; 1 for the first
 * @param duration of samples, in units of the track
 * @param size of samples, in bytes
 * @param flags of samples
 */
public record TrackFragmentHeader(
    long trackId,
    OptionalLong baseOffset,
    boolean isBaseMoof,
    OptionalLong descriptionIndex,
    OptionalLong duration,
    OptionalLong size,
    OptionalLong flags) {
  private static final int BASE_OFFSET = 0x1;
  private static final int DESCRIPTION = 0x2;
  private static final int DURATION = 0x8;
  private static final int SIZE = 0x10;
  private static final int FLAGS = 0x20;
  private static final int BASE_IS_MOOF = 0x2_0000;

  static TrackFragmentHeader read(Box box) throws MediaFormatException {
    int present = box.flags();
    int at = 8;
    OptionalLong base = OptionalLong.empty();
    if ((present & BASE_OFFSET) != 0) {
      base = OptionalLong.of(box.longAt(at));
      at += 8;
    }
    OptionalLong[] fields = new OptionalLong[4];
    int[] bits = {DESCRIPTION, DURATION, SIZE, FLAGS};
    for (int i = 0; i < bits.length; i++) {
      boolean isThere = (present & bits[i]) != 0;
      fields[i] = isThere ? OptionalLong.of(box.unsignedAt(at)) : OptionalLong.empty();
      at += isThere ? 4 : 0;
    }
    return new TrackFragmentHeader(
        box.unsignedAt(4),
        base,
        (present & BASE_IS_MOOF) != 0,
        fields[0],
        fields[1],
        fields[2],
        fields[3]);
  }
}
