package dev.millrace.cenc;

import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A key of AES-128. Never prints itself. */
public final class ContentKey {
  /** Length in bytes. */
  public static final int BYTES = 16;

  private final byte[] bytes;

  private ContentKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Of its bytes.
   *
   * @param bytes 16 of them; copied
   */
  public static ContentKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a key has 16 bytes");
    }
    return new ContentKey(bytes.clone());
  }

  /** As ciphers take it. */
  public SecretKey secret() {
    return new SecretKeySpec(bytes, "AES");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContentKey that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "***";
  }
}
