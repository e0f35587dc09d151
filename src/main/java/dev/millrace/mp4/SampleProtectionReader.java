package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;

/**
 * Reads how samples are protected: the track encryption box (ISO/IEC 23001-7 §8.2), that of PIFF
 * 1.1 (§5.3.3 there), and an entry of a {@code seig} group (ISO/IEC 23001-7 §6).
 */
final class SampleProtectionReader {
  /** Least length of an entry of a group. */
  static final int GROUP_BYTES = 20;

  private static final int KID_BYTES = 16;
  private static final byte[] NONE = {};

  private SampleProtectionReader() {}

  /** Of {@code tenc}; a pattern stands there from version 1 on. */
  static SampleProtection track(Box tenc) throws MediaFormatException {
    int pattern = tenc.version() == 0 ? 0 : tenc.byteAt(5);
    return read(tenc, 6, pattern, tenc.contentLength());
  }

  /** Of the {@code uuid} box of PIFF: never a pattern, never a constant IV. */
  static SampleProtection piff(Box box) throws MediaFormatException {
    boolean isProtected = piffAlgorithm(box) != 0;
    int ivSize = isProtected ? ivSize(box.byteAt(7), true) : 0;
    return new SampleProtection(isProtected, 0, 0, ivSize, box.bytesAt(8, KID_BYTES), NONE);
  }

  /** 0: clear, 1: AES-CTR, 2: AES-CBC. */
  static int piffAlgorithm(Box box) throws MediaFormatException {
    int algorithm = box.intAt(4) >>> 8;
    if (algorithm > 2) {
      throw MediaFormatException.unsupported("PIFF algorithm " + algorithm + ".");
    }
    return algorithm;
  }

  /** How long an entry of a group is, after what stands in it. */
  static int groupLength(Box sgpd, int at) throws MediaFormatException {
    boolean hasConstantIv = sgpd.byteAt(at + 2) == 1 && sgpd.byteAt(at + 3) == 0;
    return GROUP_BYTES + (hasConstantIv ? 1 + sgpd.byteAt(at + GROUP_BYTES) : 0);
  }

  static SampleProtection group(Box sgpd, int at, int length) throws MediaFormatException {
    if (length < GROUP_BYTES) {
      throw MediaFormatException.malformed("A group of box 'sgpd' is too short for a key id.");
    }
    if ((sgpd.byteAt(at) & 0x80) != 0) {
      throw MediaFormatException.unsupported("Samples are protected by several keys each.");
    }
    return read(sgpd, at + 2, sgpd.byteAt(at + 1), at + length);
  }

  /**
   * @param at of the byte that says whether samples are protected; size of the IV, KID and constant
   *     IV follow
   * @param end of what may be read
   */
  private static SampleProtection read(Box box, int at, int pattern, int end)
      throws MediaFormatException {
    int isProtected = box.byteAt(at);
    if (isProtected > 1) {
      throw MediaFormatException.unsupported("Protection " + isProtected + " is reserved.");
    }
    int ivSize = ivSize(box.byteAt(at + 1), isProtected == 1);
    byte[] kid = box.bytesAt(at + 2, KID_BYTES);
    byte[] constantIv = NONE;
    int ivAt = at + 2 + KID_BYTES;
    if (isProtected == 1 && ivSize == 0) {
      int size = ivAt < end ? box.byteAt(ivAt) : 0;
      if ((size != 8 && size != 16) || size > end - ivAt - 1) {
        throw MediaFormatException.malformed("Constant IV of " + size + " bytes: not 8 or 16.");
      }
      constantIv = box.bytesAt(ivAt + 1, size);
    }
    return new SampleProtection(
        isProtected == 1, pattern >> 4, pattern & 15, ivSize, kid, constantIv);
  }

  private static int ivSize(int size, boolean isProtected) throws MediaFormatException {
    if (size == 0 || size == 8 || size == 16) {
      return size;
    }
    if (isProtected) {
      throw MediaFormatException.malformed("IV of " + size + " bytes: not 0, 8 or 16.");
    }
    return 0;
  }
}
