package dev.millrace.stream;

import java.time.Duration;

/** A limit of this server is reached; the client may come back. */
public final class OverBudgetException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason which limit, in snake case
   * @param message one sentence naming the limit
   */
  public OverBudgetException(String reason, String message) {
    super(503, reason, Hop.PROXY, message, Duration.ofSeconds(2), null);
  }
}
