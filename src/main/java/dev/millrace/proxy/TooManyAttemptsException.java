package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;

/** Too many different passwords came from one address; answered 429, none is looked at. */
public final class TooManyAttemptsException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param seconds until the next one is looked at, &gt; 0
   */
  TooManyAttemptsException(long seconds) {
    super(
        429,
        "too_many_attempts",
        Hop.CLIENT,
        "Too many wrong passwords came from this address; try again in " + seconds + " s.",
        Duration.ofSeconds(seconds),
        null);
  }
}
