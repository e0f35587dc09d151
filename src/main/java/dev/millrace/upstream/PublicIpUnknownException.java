package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;

/** No service has told the public address; answered 503. */
public final class PublicIpUnknownException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  PublicIpUnknownException(Duration retryAfter) {
    super(
        503,
        "public_ip_unknown",
        Hop.PROXY,
        "The public address of this server could not be found out; try again shortly.",
        retryAfter,
        null);
  }
}
