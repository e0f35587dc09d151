package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/** Files that have a segment index ({@code sidx}, ISO/IEC 14496-12 §8.16.3), made for tests. */
public final class SegmentIndexes {
  private SegmentIndexes() {}

  /** A box of zeros. */
  public static byte[] box(String type, int size) {
    return ByteBuffer.allocate(size).putInt(size).put(type.getBytes(US_ASCII)).array();
  }

  /**
   * An index with a timescale of 1,000.
   *
   * @param version 0 or 1
   * @param firstOffset bytes from its end to what its first reference is of
   * @param references size and duration of each; a negative size is that of another index
   */
  public static byte[] sidx(int version, long time, long firstOffset, int[]... references) {
    int size = 24 + (version == 0 ? 8 : 16) + 12 * references.length;
    ByteBuffer sidx = ByteBuffer.allocate(size).putInt(size).put("sidx".getBytes(US_ASCII));
    sidx.putInt(version << 24).putInt(1).putInt(1_000);
    if (version == 0) {
      sidx.putInt((int) time).putInt((int) firstOffset);
    } else {
      sidx.putLong(time).putLong(firstOffset);
    }
    sidx.putShort((short) 0).putShort((short) references.length);
    for (int[] reference : references) {
      boolean isIndex = reference[0] < 0;
      sidx.putInt(isIndex ? 1 << 31 | -reference[0] : reference[0]);
      sidx.putInt(reference[1]).putInt(1 << 31 | 1 << 28);
    }
    return sidx.array();
  }

  public static byte[] joined(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }
}
