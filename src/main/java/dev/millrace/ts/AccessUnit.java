package dev.millrace.ts;

import java.util.Arrays;

/** Bytes that grow; used again and again, so that a stream allocates its largest unit once. */
final class AccessUnit {
  private byte[] bytes = new byte[8 << 10];
  private int length;

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Room that is taken, in bytes. */
  int capacity() {
    return bytes.length;
  }

  void clear() {
    length = 0;
  }

  AccessUnit u8(int value) {
    room(1);
    bytes[length++] = (byte) value;
    return this;
  }

  AccessUnit u16(int value) {
    return u8(value >> 8).u8(value);
  }

  AccessUnit u32(int value) {
    return u16(value >> 16).u16(value);
  }

  AccessUnit put(byte[] from, int start, int count) {
    room(count);
    System.arraycopy(from, start, bytes, length, count);
    length += count;
    return this;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
