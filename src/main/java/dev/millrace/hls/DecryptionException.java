package dev.millrace.hls;

import dev.millrace.stream.ExchangeException;
import org.jspecify.annotations.Nullable;

/** A segment cannot be decrypted: the key is another, or something is missing; answered 502. */
public final class DecryptionException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private DecryptionException(String message, @Nullable Throwable cause) {
    super(502, "decryption_failed", Hop.ORIGIN, message, null, cause);
  }

  static DecryptionException badLength() {
    return new DecryptionException(
        "The encrypted segment is empty, or its length is no multiple of 16 bytes.", null);
  }

  static DecryptionException badPadding(Throwable cause) {
    return new DecryptionException(
        "The segment could not be decrypted; its key or its end is not the right one.", cause);
  }
}
