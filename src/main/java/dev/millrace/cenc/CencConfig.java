package dev.millrace.cenc;

/**
 * How protected media is decrypted.
 *
 * @param provider of AES
 */
public record CencConfig(Provider provider) {
  /** Who computes AES. */
  public enum Provider {
    /** What the Java platform prefers, with the processor's instructions. */
    JDK,
    /** Bouncy Castle, where rules ask for it; slower. */
    BC
  }

  public static CencConfig defaults() {
    return new CencConfig(Provider.JDK);
  }
}
