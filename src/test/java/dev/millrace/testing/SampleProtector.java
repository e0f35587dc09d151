package dev.millrace.testing;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.IntFunction;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts samples as ISO/IEC 23001-7 says, one block after the other with AES by itself. Written
 * for itself: shares nothing with what decrypts.
 *
 * @param scheme {@code cenc cens cbc1 cbcs}
 * @param kid 32 hexadecimal digits
 * @param key 32 hexadecimal digits
 * @param crypt blocks, of a pattern; 0 and 0: none
 * @param ivSize that stands with each sample: 8 or 16; 0: the first one is that of all
 * @param firstIv of the first sample, 8 or 16 bytes; the next ones count up in the first 8 bytes
 * @param subsamples of a sample of that length: clear, protected, clear, …; empty: all of it is
 *     protected
 * @param endsPartialRuns whether a last run shorter than {@code crypt} blocks is left clear
 */
public record SampleProtector(
    String scheme,
    String kid,
    String key,
    int crypt,
    int skip,
    int ivSize,
    String firstIv,
    IntFunction<int[]> subsamples,
    boolean endsPartialRuns) {
  /** All of a sample. */
  public static final IntFunction<int[]> WHOLE = length -> new int[0];

  /** Two subsamples, whose protected parts are no whole blocks if the lengths are not. */
  public static final IntFunction<int[]> TWO =
      length -> {
        int clear = Math.min(length, 5);
        int first = Math.max(0, (length - 12) / 3);
        int between = Math.min(7, length - clear - first);
        return new int[] {clear, first, between, length - clear - first - between};
      };

  /** Whole samples, vectors of 8 bytes (of 16, the same for all, if it is {@code cbcs}). */
  public static SampleProtector of(String scheme) {
    boolean isConstant = scheme.equals("cbcs");
    boolean hasPattern = isConstant || scheme.equals("cens");
    return new SampleProtector(
        scheme,
        "00112233445566778899aabbccddeeff",
        "0f0e0d0c0b0a09080706050403020100",
        hasPattern ? 1 : 0,
        hasPattern ? 9 : 0,
        isConstant ? 0 : scheme.equals("cbc1") ? 16 : 8,
        isConstant || scheme.equals("cbc1")
            ? "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8"
            : "a1a2a3a4a5a6a7a8",
        WHOLE,
        false);
  }

  public SampleProtector key(String newKid, String newKey) {
    return new SampleProtector(
        scheme, newKid, newKey, crypt, skip, ivSize, firstIv, subsamples, endsPartialRuns);
  }

  public SampleProtector pattern(int newCrypt, int newSkip) {
    return new SampleProtector(
        scheme, kid, key, newCrypt, newSkip, ivSize, firstIv, subsamples, endsPartialRuns);
  }

  /** One for each sample: 16 or 32 digits. */
  public SampleProtector ivs(String first) {
    return new SampleProtector(
        scheme, kid, key, crypt, skip, first.length() / 2, first, subsamples, endsPartialRuns);
  }

  /** The same for all samples: 16 or 32 digits. */
  public SampleProtector constantIv(String iv) {
    return new SampleProtector(scheme, kid, key, crypt, skip, 0, iv, subsamples, endsPartialRuns);
  }

  public SampleProtector subsamples(IntFunction<int[]> plan) {
    return new SampleProtector(
        scheme, kid, key, crypt, skip, ivSize, firstIv, plan, endsPartialRuns);
  }

  public SampleProtector endingPartialRuns() {
    return new SampleProtector(scheme, kid, key, crypt, skip, ivSize, firstIv, subsamples, true);
  }

  public boolean isConstant() {
    return ivSize == 0;
  }

  /** As it stands in the file, 8 or 16 bytes. */
  public byte[] iv(int sample) {
    byte[] iv = HexFormat.of().parseHex(firstIv);
    int carry = isConstant() ? 0 : sample;
    for (int i = 7; i >= 0; i--) {
      int sum = (iv[i] & 0xff) + carry;
      iv[i] = (byte) sum;
      carry = sum >> 8;
    }
    return iv;
  }

  /** Encrypts a sample where it is. */
  public void protect(byte[] bytes, int start, int length, int sample) {
    protect(bytes, start, length, Arrays.copyOf(iv(sample), 16));
  }

  /**
   * The same with a vector of its own.
   *
   * @param iv 16 bytes
   */
  public void protect(byte[] bytes, int start, int length, byte[] iv) {
    int[] plan = subsamples.apply(length);
    int[] parts = plan.length == 0 ? new int[] {0, length} : plan;
    Chain chain = new Chain(key, iv);
    int at = start;
    for (int i = 0; i < parts.length; i += 2) {
      at += parts[i];
      if (scheme.equals("cbcs")) {
        chain = new Chain(key, iv);
      }
      protectRange(bytes, at, parts[i + 1], chain);
      at += parts[i + 1];
    }
  }

  private void protectRange(byte[] bytes, int start, int length, Chain chain) {
    if (scheme.equals("cenc")) {
      for (int i = 0; i < length; i++) {
        bytes[start + i] ^= chain.nextKeyByte();
      }
      return;
    }
    boolean hasPattern = skip > 0 && !scheme.equals("cbc1");
    for (int block = 0; (block + 1) * 16 <= length; block++) {
      int inCycle = hasPattern ? block % (crypt + skip) : 0;
      boolean isCut = endsPartialRuns && hasPattern && (block - inCycle + crypt) * 16 > length;
      if ((!hasPattern || inCycle < crypt) && !isCut) {
        chain.block(bytes, start + 16 * block, scheme.equals("cens"));
      }
    }
  }

  /** What goes on from block to block. */
  private static final class Chain {
    private final Cipher aes;
    private final byte[] state;
    private byte[] keyBytes = new byte[0];
    private int used;

    Chain(String key, byte[] iv) {
      state = iv.clone();
      try {
        aes = Cipher.getInstance("AES/ECB/NoPadding");
        aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(HexFormat.of().parseHex(key), "AES"));
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }

    byte nextKeyByte() {
      if (used == keyBytes.length) {
        keyBytes = aes.update(state);
        used = 0;
        for (int i = 15; i >= 8 && ++state[i] == 0; i--) {
          // the carry goes on, within the last 8 bytes
        }
      }
      return keyBytes[used++];
    }

    void block(byte[] bytes, int at, boolean isCounter) {
      if (isCounter) {
        for (int i = 0; i < 16; i++) {
          bytes[at + i] ^= nextKeyByte();
        }
        return;
      }
      for (int i = 0; i < 16; i++) {
        state[i] ^= bytes[at + i];
      }
      byte[] encrypted = aes.update(state);
      System.arraycopy(encrypted, 0, state, 0, 16);
      System.arraycopy(encrypted, 0, bytes, at, 16);
    }
  }
}
