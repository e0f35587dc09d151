package dev.millrace.cache;

import dev.millrace.stream.ExchangeException;

/** Its client took nothing of a shared body for so long that others would have had to wait. */
final class FellBehindException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  FellBehindException() {
    super(504, "fell_behind", Hop.CLIENT, "The client took nothing while others waited for more.");
  }
}
