package dev.millrace.testing;

import java.util.Arrays;

/** The body of test origins: byte i is i mod 251, so every offset can be checked at any size. */
public final class OffsetBytes {
  private static final int PERIOD = 251;
  private static final int CHUNK = 64 << 10;
  private static final byte[] TABLE = table();

  private OffsetBytes() {}

  /** The bytes at offsets {@code from} (inclusive) to {@code to} (exclusive). */
  public static byte[] range(long from, long to) {
    byte[] bytes = new byte[Math.toIntExact(to - from)];
    for (int done = 0; done < bytes.length; done += CHUNK) {
      fill(bytes, done, Math.min(CHUNK, bytes.length - done), from + done);
    }
    return bytes;
  }

  /** Writes the bytes from {@code offset} on; at most 64 KiB. */
  public static void fill(byte[] buffer, int start, int count, long offset) {
    System.arraycopy(TABLE, (int) (offset % PERIOD), buffer, start, count);
  }

  /** Offset of the first byte that is not what it should be, or -1; at most 64 KiB. */
  static long firstWrong(byte[] buffer, int count, long offset) {
    int phase = (int) (offset % PERIOD);
    int at = Arrays.mismatch(buffer, 0, count, TABLE, phase, phase + count);
    return at < 0 ? -1 : offset + at;
  }

  private static byte[] table() {
    byte[] table = new byte[CHUNK + PERIOD];
    for (int i = 0; i < table.length; i++) {
      table[i] = (byte) (i % PERIOD);
    }
    return table;
  }
}
