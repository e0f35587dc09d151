package dev.millrace.hls;

import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A segment encrypted as a whole with {@code METHOD=AES-128} becomes clear: AES-128 in CBC mode,
 * padded as PKCS #7 says (RFC 8216 §4.3.2.4, RFC 5652 §6.3). One block is held back, as it may be
 * the last; its padding is removed. Whether all is well is known only then: a segment that was cut,
 * or encrypted with another key, fails at its end ({@link DecryptionException}) and is never ended
 * as if it were whole.
 */
public final class Aes128Decryptor implements ByteTransform {
  /** Length of a key, and of an initialization vector. */
  public static final int BLOCK_BYTES = 16;

  private static final int PIECE_BYTES = 16 << 10;

  private final Cipher cipher;
  private final byte[] piece = new byte[PIECE_BYTES];
  private long seenBytes;

  private Aes128Decryptor(Cipher cipher) {
    this.cipher = cipher;
  }

  /**
   * For one segment.
   *
   * @param key 16 bytes, copied
   * @param iv the initialization vector, 16 bytes, copied
   */
  public static Aes128Decryptor of(byte[] key, byte[] iv) {
    if (key.length != BLOCK_BYTES || iv.length != BLOCK_BYTES) {
      throw new IllegalArgumentException(
          "key and iv: " + key.length + " and " + iv.length + " bytes (expected: 16 each)");
    }
    try {
      // what it calls PKCS5 is PKCS #7 for blocks of 16 bytes
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(iv));
      return new Aes128Decryptor(cipher);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no AES here, which every Java platform has", e);
    }
  }

  @Override
  public void accept(ByteBuffer input, ByteSink out) throws IOException {
    while (input.hasRemaining()) {
      int length = Math.min(PIECE_BYTES, input.remaining());
      input.get(piece, 0, length);
      seenBytes += length;
      byte[] clear = cipher.update(piece, 0, length);
      if (clear != null) {
        out.put(ByteBuffer.wrap(clear));
      }
    }
  }

  @Override
  public void finish(ByteSink out) throws IOException {
    if (seenBytes == 0 || seenBytes % BLOCK_BYTES != 0) {
      throw DecryptionException.badLength();
    }
    try {
      out.put(ByteBuffer.wrap(cipher.doFinal()));
    } catch (BadPaddingException e) {
      throw DecryptionException.badPadding(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot be: the length is a multiple of 16", e);
    }
  }

  @Override
  public void close() {}
}
