package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;

/** An address that cannot be fetched: 400 {@code bad_target}. The message never holds the URL. */
public final class BadTargetException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the part that is wrong and what was expected, without the rest of the URL
   */
  public BadTargetException(String message) {
    super(400, "bad_target", Hop.CLIENT, message);
  }
}
