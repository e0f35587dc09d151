package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;

/** The body of a request is not read to its end. */
final class BodyRefusedException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private BodyRefusedException(int status, String reason, String message) {
    super(status, reason, Hop.CLIENT, message);
  }

  /** RFC 9110 §15.5.14. */
  static BodyRefusedException tooLong(long limitBytes) {
    return new BodyRefusedException(
        413, "body_too_long", "body: too long (expected: at most " + limitBytes + " bytes)");
  }

  /** RFC 9110 §15.5.9. */
  static BodyRefusedException tooSlow(long limitMillis) {
    return new BodyRefusedException(
        408,
        "body_too_slow",
        "body: not complete in time (expected: all of it within " + limitMillis + " milliseconds)");
  }

  /** The same where the container's own limit comes first. */
  static BodyRefusedException silent() {
    return new BodyRefusedException(408, "body_too_slow", "body: nothing came for too long");
  }

  /** It ends early or is no body at all (RFC 9112 §6.3, §7.1); perhaps nobody is left to tell. */
  static BodyRefusedException broken() {
    return new BodyRefusedException(400, Exchange.CLIENT_LEFT, "body: not complete");
  }

  /** RFC 3629. */
  static BodyRefusedException notUtf8() {
    return new BodyRefusedException(400, "bad_body", "body: not text (expected: UTF-8)");
  }
}
