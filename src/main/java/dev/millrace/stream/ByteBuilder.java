package dev.millrace.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes that are put together, in an array that grows and is used again. Confined to one caller;
 * how long it may become is the caller's to see to.
 */
public final class ByteBuilder {
  private byte[] bytes;
  private int length;

  public ByteBuilder(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  /** The bytes so far stand at its beginning; valid until the next append. */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public byte at(int index) {
    return bytes[index];
  }

  public ByteBuilder clear() {
    length = 0;
    return this;
  }

  /** Forgets what was appended since it had that length. */
  public ByteBuilder truncate(int toLength) {
    length = toLength;
    return this;
  }

  public ByteBuilder append(byte value) {
    ensure(1);
    bytes[length++] = value;
    return this;
  }

  public ByteBuilder append(byte[] source, int offset, int count) {
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
    return this;
  }

  public ByteBuilder append(byte[] source) {
    return append(source, 0, source.length);
  }

  public ByteBuilder append(ByteBuilder other) {
    return append(other.bytes, 0, other.length);
  }

  /** Takes the remaining bytes; the buffer's position stays. */
  public ByteBuilder append(ByteBuffer source) {
    int count = source.remaining();
    ensure(count);
    source.get(source.position(), bytes, length, count);
    length += count;
    return this;
  }

  /** In UTF-8. */
  public ByteBuilder append(String text) {
    return append(text.getBytes(UTF_8));
  }

  private void ensure(int more) {
    int needed = Math.addExact(length, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, 1 << 30)));
    }
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** As UTF-8; what is not becomes U+FFFD. */
  @Override
  public String toString() {
    return new String(bytes, 0, length, UTF_8);
  }
}
