package dev.millrace.cenc;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;

/** Where AES comes from: the platform's own, or a provider that an operator has chosen. */
public final class AesCiphers {
  /** Of the provider that the Java platform prefers. */
  public static final AesCiphers PLATFORM = new AesCiphers(Optional.empty());

  private static final String CTR = "AES/CTR/NoPadding";
  private static final String CBC = "AES/CBC/NoPadding";
  private static final String ECB = "AES/ECB/NoPadding";

  private final Optional<Provider> provider;

  private AesCiphers(Optional<Provider> provider) {
    this.provider = provider;
  }

  /**
   * Of that provider and no other; it need not be registered.
   *
   * @throws IllegalArgumentException if it lacks one of AES in CTR, CBC and ECB without padding
   */
  public static AesCiphers of(Provider provider) {
    AesCiphers ciphers = new AesCiphers(Optional.of(provider));
    try {
      for (String transformation : new String[] {CTR, CBC, ECB}) {
        ciphers.cipher(transformation);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(provider.getName() + " lacks a mode of AES", e);
    }
    return ciphers;
  }

  private Cipher cipher(String transformation) throws GeneralSecurityException {
    return provider.isPresent()
        ? Cipher.getInstance(transformation, provider.get())
        : Cipher.getInstance(transformation);
  }

  /** Counter mode; to be initialized. */
  Cipher counter() {
    try {
      return cipher(CTR);
    } catch (GeneralSecurityException e) {
      throw missing(e);
    }
  }

  /** Encrypts blocks by themselves. */
  Cipher blocks(ContentKey key) {
    try {
      Cipher cipher = cipher(ECB);
      cipher.init(Cipher.ENCRYPT_MODE, key.secret());
      return cipher;
    } catch (GeneralSecurityException e) {
      throw missing(e);
    }
  }

  /** Decrypts chained blocks; the first follows a block of zeros. */
  Cipher chain(ContentKey key) {
    try {
      Cipher cipher = cipher(CBC);
      cipher.init(Cipher.DECRYPT_MODE, key.secret(), new IvParameterSpec(new byte[16]));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw missing(e);
    }
  }

  private static IllegalStateException missing(GeneralSecurityException e) {
    return new IllegalStateException("no AES here, which every Java platform has", e);
  }
}
