package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;

/** The server is about to stop: it takes no further streams, or has broken this one off. */
final class DrainingException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

  DrainingException() {
    super(
        503,
        "draining",
        Hop.PROXY,
        "This server is being stopped; try again shortly.",
        RETRY_AFTER,
        null);
  }
}
