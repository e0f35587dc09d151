package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32;

/** Transport streams without content, and the pictures that some hide behind. */
public final class TransportStream {
  public static final int PACKET_BYTES = 188;

  private TransportStream() {}

  /** So many null packets (ISO/IEC 13818-1 §2.4.3.2) with different content that has no 0x47. */
  public static byte[] packets(int count) {
    byte[] bytes = new byte[count * PACKET_BYTES];
    new Random(count).nextBytes(bytes);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == 0x47 ? 0x46 : bytes[i];
    }
    for (int at = 0; at < bytes.length; at += PACKET_BYTES) {
      ByteBuffer.wrap(bytes).position(at).put((byte) 0x47).put((byte) 0x1f).put((byte) 0xff);
    }
    return bytes;
  }

  /** A PNG of 45 bytes and {@code pictureBytes} of data; only its chunks are right. */
  public static byte[] png(int pictureBytes) {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    png.writeBytes("\u0089PNG\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1));
    png.writeBytes(chunk("IHDR", new byte[] {0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0}));
    if (pictureBytes > 0) {
      byte[] picture = new byte[pictureBytes - 12];
      new Random(pictureBytes).nextBytes(picture);
      png.writeBytes(chunk("IDAT", picture));
    }
    png.writeBytes(chunk("IEND", new byte[0]));
    return png.toByteArray();
  }

  private static byte[] chunk(String type, byte[] content) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 sum = new CRC32();
    sum.update(name);
    sum.update(content);
    return ByteBuffer.allocate(12 + content.length)
        .putInt(content.length)
        .put(name)
        .put(content)
        .putInt((int) sum.getValue())
        .array();
  }

  /** One after the other. */
  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
