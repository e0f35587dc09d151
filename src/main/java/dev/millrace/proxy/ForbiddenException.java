package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/** The caller may not use the proxy; answered 403 with the text that clients look at. */
public final class ForbiddenException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  public ForbiddenException() {
    super(403, "forbidden", Hop.CLIENT, "Could not validate credentials");
  }
}
