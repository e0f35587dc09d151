package dev.millrace.cenc;

import java.util.Arrays;
import java.util.HexFormat;

/** Names a key (ISO/IEC 23001-7 §5): 16 bytes, public. */
public final class KeyId {
  /** Length in bytes. */
  public static final int BYTES = 16;

  private static final int[] SWAPPED = {3, 2, 1, 0, 5, 4, 7, 6};

  private final byte[] bytes;

  private KeyId(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Of its bytes.
   *
   * @param bytes 16 of them; copied
   */
  public static KeyId of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a key id has 16 bytes");
    }
    return new KeyId(bytes.clone());
  }

  /** Says nothing about which key (some packagers write it so). */
  public boolean isZero() {
    return Arrays.equals(bytes, new byte[BYTES]);
  }

  /** With the first three fields of the UUID the other way round, as PlayReady writes it. */
  public KeyId swapped() {
    byte[] swapped = bytes.clone();
    for (int i = 0; i < SWAPPED.length; i++) {
      swapped[i] = bytes[SWAPPED[i]];
    }
    return new KeyId(swapped);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyId that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** 32 hexadecimal digits, small. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
