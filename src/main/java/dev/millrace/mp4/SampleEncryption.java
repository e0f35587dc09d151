package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * {@code senc} (ISO/IEC 23001-7 §7.2), or the box of PIFF 1.1 (§5.3.2) it comes from: a record for
 * each sample, namely its initialization vector and, with the flag, its subsamples.
 *
 * @param recordsOffset in its content
 * @param count of records; whether the box has room for them is seen when they are read
 * @param hasSubsamples whether records hold subsamples
 * @param override what PIFF can say instead of the track
 */
public record SampleEncryption(
    Box box,
    int recordsOffset,
    long count,
    boolean hasSubsamples,
    Optional<PiffOverride> override) {
  private static final int SENC = FourCc.of("senc");
  private static final byte[] PIFF = HexFormat.of().parseHex("a2394f525a9b4f14a2446c427c648df4");

  private static final int OVERRIDE = 0x1;
  private static final int SUBSAMPLES = 0x2;
  private static final int OVERRIDE_BYTES = 20;

  /**
   * What stands in front of the records of PIFF.
   *
   * @param algorithm 0: clear, 1: AES-CTR, 2: AES-CBC
   * @param protection with the vectors' size and the key id
   */
  public record PiffOverride(int algorithm, SampleProtection protection) {}

  /** Whether it is such a box. */
  public static boolean is(Box box) {
    return box.type() == SENC || box.isUuid(PIFF);
  }

  static SampleEncryption read(Box box) throws MediaFormatException {
    int flags = box.flags();
    if (box.version() != 0 && box.type() == SENC) {
      throw MediaFormatException.unsupported(
          "Samples encrypted with several keys each (senc of version 1) are not supported.");
    }
    boolean overrides = (flags & OVERRIDE) != 0;
    int at = 4 + (overrides ? OVERRIDE_BYTES : 0);
    Optional<PiffOverride> override = overrides ? Optional.of(override(box)) : Optional.empty();
    return new SampleEncryption(
        box, at + 4, box.unsignedAt(at), (flags & SUBSAMPLES) != 0, override);
  }

  private static PiffOverride override(Box box) throws MediaFormatException {
    int algorithm = box.intAt(4) >>> 8;
    int ivSize = box.byteAt(7);
    if (algorithm > 2 || (ivSize != 0 && ivSize != 8 && ivSize != 16)) {
      throw MediaFormatException.unsupported(
          "PIFF algorithm "
              + algorithm
              + " with vectors of "
              + ivSize
              + " bytes is not supported.");
    }
    byte[] kid = box.bytesAt(8, 16);
    return new PiffOverride(
        algorithm, new SampleProtection(algorithm != 0, 0, 0, ivSize, kid, new byte[0]));
  }
}
