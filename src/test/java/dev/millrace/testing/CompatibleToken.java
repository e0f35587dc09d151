package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A token of the older format as clients make it (contract §5.1), independent of ours: AES-256-CBC
 * under the password, padded with blanks.
 */
public final class CompatibleToken {
  private CompatibleToken() {}

  /**
   * A token that says this.
   *
   * @param json the whole payload, {@code api_password} included
   */
  public static String seal(String password, String json) {
    byte[] iv = new byte[16];
    new SecureRandom().nextBytes(iv);
    byte[] secret = password.getBytes(UTF_8);
    byte[] key = Arrays.copyOf(secret, 32);
    Arrays.fill(key, Math.min(secret.length, 32), 32, (byte) ' ');
    try {
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(iv));
      byte[] sealed = cipher.doFinal(json.getBytes(UTF_8));
      byte[] token = ByteBuffer.allocate(16 + sealed.length).put(iv).put(sealed).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has AES", e);
    }
  }
}
