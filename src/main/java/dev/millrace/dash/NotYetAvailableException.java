package dev.millrace.dash;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;

/** A live presentation has no segment that could be listed now, and may have one soon. */
public final class NotYetAvailableException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  NotYetAvailableException(Duration retryAfter) {
    super(
        503,
        "not_yet_available",
        Hop.ORIGIN,
        "The presentation is live, and has no segment to play at this time",
        retryAfter,
        null);
  }
}
