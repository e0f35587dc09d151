package dev.millrace.mp4;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * How samples are protected: of a whole track (ISO/IEC 23001-7 §8.2) or of a group of samples (§6).
 *
 * @param isProtected whether they are at all
 * @param cryptBlocks of 16 bytes in a pattern (§9.6); 0 with {@code skipBlocks} 0: no pattern
 * @param skipBlocks of 16 bytes that follow, and are clear
 * @param ivSize of the initialization vector that stands with each sample: 0, 8 or 16
 * @param kid id of the key, 16 bytes
 * @param constantIv what all samples have if {@code ivSize} is 0; 0, 8 or 16 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // compared by what is in them
public record SampleProtection(
    boolean isProtected,
    int cryptBlocks,
    int skipBlocks,
    int ivSize,
    byte[] kid,
    byte[] constantIv) {
  @Override
  public boolean equals(Object other) {
    return other instanceof SampleProtection that
        && isProtected == that.isProtected
        && cryptBlocks == that.cryptBlocks
        && skipBlocks == that.skipBlocks
        && ivSize == that.ivSize
        && Arrays.equals(kid, that.kid)
        && Arrays.equals(constantIv, that.constantIv);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(kid) + 31 * (cryptBlocks + 31 * skipBlocks);
  }

  @Override
  public String toString() {
    return "kid " + HexFormat.of().formatHex(kid) + (isProtected ? "" : " (clear)");
  }
}
