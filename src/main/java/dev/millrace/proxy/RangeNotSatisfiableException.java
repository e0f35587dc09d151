package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/**
 * The client's {@code Range} cannot be read (RFC 9110 §15.5.17); answered 416 without asking an
 * origin.
 */
public final class RangeNotSatisfiableException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  RangeNotSatisfiableException() {
    this("The Range header cannot be read (416)");
  }

  private RangeNotSatisfiableException(String message) {
    super(416, "range_not_satisfiable", Hop.CLIENT, message);
  }

  /** What scripts send that have computed nothing; clients know this text. */
  static RangeNotSatisfiableException notANumber() {
    return new RangeNotSatisfiableException("Invalid Range Header");
  }
}
