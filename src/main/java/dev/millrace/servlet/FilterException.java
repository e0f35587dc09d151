package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;

/** A body filter could not make sense of the body; answered 502 if nothing was sent yet. */
final class FilterException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private FilterException(Exception cause) {
    super(502, "filter_failed", Hop.PROXY, "The body could not be filtered.", null, cause);
  }

  /** Failures that know their own words keep them. */
  static ExchangeException of(Exception failure) {
    return failure instanceof ExchangeException known ? known : new FilterException(failure);
  }
}
