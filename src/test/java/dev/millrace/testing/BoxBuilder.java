package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Makes boxes (ISO/IEC 14496-12 §4.2), also such as lie about their size. A box is bytes: {@code
 * box("traf").box(full("tfhd", 0, 0x20000).u32(1)).bytes()}.
 */
public final class BoxBuilder {
  private static final int TO_THE_END = 0;
  private static final int LARGE = 1;

  private final String type;
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  private Long claimedSize;
  private boolean isLarge;
  private boolean isEndless;

  private BoxBuilder(String type) {
    this.type = type;
  }

  /**
   * An empty box.
   *
   * @param type four characters
   */
  public static BoxBuilder box(String type) {
    return new BoxBuilder(type);
  }

  /** A full box. */
  public static BoxBuilder full(String type, int version, int flags) {
    return box(type).u32((long) version << 24 | flags);
  }

  /**
   * A box of an extended type.
   *
   * @param uuid with or without dashes
   */
  public static BoxBuilder uuid(String uuid) {
    return box("uuid").hex(uuid.replace("-", ""));
  }

  /** One after the other: a file. */
  public static byte[] file(Object... parts) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    for (Object part : parts) {
      file.writeBytes(part instanceof BoxBuilder box ? box.bytes() : (byte[]) part);
    }
    return file.toByteArray();
  }

  /** Numbers are unsigned, the first byte is the highest. */
  public BoxBuilder u8(int value) {
    content.write(value);
    return this;
  }

  public BoxBuilder u16(int value) {
    return u8(value >> 8).u8(value);
  }

  public BoxBuilder u24(int value) {
    return u8(value >> 16).u16(value);
  }

  public BoxBuilder u32(long value) {
    return u16((int) (value >> 16)).u16((int) value);
  }

  public BoxBuilder u64(long value) {
    return u32(value >> 32).u32(value);
  }

  public BoxBuilder zeros(int bytes) {
    return put(new byte[bytes]);
  }

  public BoxBuilder hex(String digits) {
    return put(HexFormat.of().parseHex(digits));
  }

  /** Without a zero behind it. */
  public BoxBuilder text(String text) {
    return put(text.getBytes(ISO_8859_1));
  }

  public BoxBuilder put(byte[] bytes) {
    content.writeBytes(bytes);
    return this;
  }

  /** A child, as it is now. */
  public BoxBuilder box(BoxBuilder child) {
    return put(child.bytes());
  }

  /** Says another size than it has (32 bits, or 64 after {@link #large}). */
  public BoxBuilder claiming(long size) {
    claimedSize = size;
    return this;
  }

  /** Has a size of 64 bits. */
  public BoxBuilder large() {
    isLarge = true;
    return this;
  }

  /** Has the size 0: reaches to the end. */
  public BoxBuilder endless() {
    isEndless = true;
    return this;
  }

  /** How long it is, whatever it says. */
  public int length() {
    return (isLarge ? 16 : 8) + content.size();
  }

  /** The whole of it. */
  public byte[] bytes() {
    long size = claimedSize == null ? length() : claimedSize;
    ByteBuffer box = ByteBuffer.allocate(length());
    box.putInt(isEndless ? TO_THE_END : isLarge ? LARGE : (int) size);
    box.put(type.getBytes(ISO_8859_1));
    if (isLarge) {
      box.putLong(size);
    }
    return box.put(content.toByteArray()).array();
  }
}
