package dev.millrace.mp4;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Extended types of {@code uuid} boxes (ISO/IEC 14496-12 §4.2); those of PIFF 1.1 §5.3. */
final class ExtendedTypes {
  /** What {@code tenc} came from. */
  static final byte[] PIFF_TENC = bytes("8974dbce-7be7-4c51-84f9-7148f9882554");

  /** What {@code senc} came from. */
  static final byte[] PIFF_SENC = bytes("a2394f52-5a9b-4f14-a244-6c427c648df4");

  /** What {@code pssh} came from. */
  static final byte[] PIFF_PSSH = bytes("d08a4f18-10f3-4a82-b6c8-32d8aba183d3");

  private ExtendedTypes() {}

  private static byte[] bytes(String text) {
    UUID uuid = UUID.fromString(text);
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }
}
