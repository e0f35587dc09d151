package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/**
 * The client's {@code Range} cannot be read (RFC 9110 §15.5.17); answered 416 without asking an
 * origin.
 */
public final class RangeNotSatisfiableException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  RangeNotSatisfiableException() {
    super(416, "range_not_satisfiable", Hop.CLIENT, "The Range header cannot be read (416)");
  }
}
