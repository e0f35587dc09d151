package dev.millrace.cenc;

import dev.millrace.mp4.FourCc;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How samples are encrypted (ISO/IEC 23001-7 §10). */
public enum ProtectionScheme {
  /** AES-CTR; one key stream for all protected ranges of a sample. */
  CENC,
  /** AES-CTR in a pattern of blocks, which begins anew with each range; the counter goes on. */
  CENS,
  /** AES-CBC; one chain for all protected ranges of a sample. */
  CBC1,
  /** AES-CBC in a pattern of blocks; pattern and chain begin anew with each range. */
  CBCS;

  private final int code = FourCc.of(name().toLowerCase(Locale.ROOT));

  /** By the code of its scheme type. */
  public static Optional<ProtectionScheme> of(int code) {
    return Arrays.stream(values()).filter(scheme -> scheme.code == code).findFirst();
  }

  public boolean isCounter() {
    return this == CENC || this == CENS;
  }

  /** Whether only some blocks of a range are encrypted. */
  public boolean hasPattern() {
    return this == CENS || this == CBCS;
  }
}
