package dev.millrace.link;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Keys from a secret: HKDF with SHA-256, RFC 5869. */
final class Hkdf {
  private static final String HMAC = "HmacSHA256";
  private static final int HASH_BYTES = 32;
  private static final int MAX_BYTES = 255 * HASH_BYTES;

  private Hkdf() {}

  /**
   * A pseudorandom key, RFC 5869 §2.2.
   *
   * @param salt may be empty
   * @param secret the input keying material
   */
  static byte[] extract(byte[] salt, byte[] secret) {
    return hmac(salt.length == 0 ? new byte[HASH_BYTES] : salt, secret);
  }

  /**
   * Keying material for one purpose, RFC 5869 §2.3.
   *
   * @param info what tells the purposes apart
   * @param length in bytes, at most 255 × 32
   */
  static byte[] expand(byte[] pseudorandomKey, byte[] info, int length) {
    if (length > MAX_BYTES) {
      throw new IllegalArgumentException("length: " + length + " (expected: <= 8160)");
    }
    byte[] material = new byte[length];
    byte[] block = new byte[0];
    for (int at = 0, counter = 1; at < length; at += HASH_BYTES, counter++) {
      byte[] input = Arrays.copyOf(block, block.length + info.length + 1);
      System.arraycopy(info, 0, input, block.length, info.length);
      input[input.length - 1] = (byte) counter;
      block = hmac(pseudorandomKey, input);
      System.arraycopy(block, 0, material, at, Math.min(HASH_BYTES, length - at));
    }
    return material;
  }

  /** HMAC-SHA-256, RFC 2104: 32 bytes. */
  static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has HMAC-SHA-256", e);
    }
  }
}
