package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import org.jspecify.annotations.Nullable;

/**
 * A request is not forwarded, or its answer not brought back, because of what this server allows.
 */
final class ForwardException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private ForwardException(
      int status, String reason, Hop hop, String message, @Nullable Throwable cause) {
    super(status, reason, hop, message, null, cause);
  }

  /** 403: with forwarding, a server without a password would be everybody's. */
  static ForwardException noPassword() {
    return new ForwardException(
        403,
        "forward_needs_password",
        Hop.PROXY,
        "Forwarding needs a password on this server: set API_PASSWORD.",
        null);
  }

  /** 403. */
  static ForwardException hostDenied() {
    return new ForwardException(
        403,
        "forward_host_denied",
        Hop.PROXY,
        "d: a host that this server does not forward to (FORWARD_DENIED_HOSTS).",
        null);
  }

  /** 403. */
  static ForwardException hostNotAllowed() {
    return new ForwardException(
        403,
        "forward_host_not_allowed",
        Hop.PROXY,
        "d: not one of the hosts that this server forwards to (FORWARD_ALLOWED_HOSTS).",
        null);
  }

  /** 501 (RFC 9112 §6.1). */
  static ForwardException transferCoding() {
    return new ForwardException(
        501,
        "transfer_coding",
        Hop.CLIENT,
        "Transfer-Encoding: not understood (expected: chunked, or none).",
        null);
  }

  /** 413 (RFC 9110 §15.5.14). */
  static ForwardException requestTooLarge(long maxBytes) {
    return new ForwardException(
        413,
        "request_too_large",
        Hop.CLIENT,
        "The body of the request is too long (expected: at most " + maxBytes + " bytes).",
        null);
  }

  /** 502. */
  static ForwardException responseTooLarge(long maxBytes) {
    return new ForwardException(
        502,
        "response_too_large",
        Hop.ORIGIN,
        "The answer of the origin is too long (expected: at most " + maxBytes + " bytes).",
        null);
  }

  /** 408 (RFC 9110 §15.5.9). */
  static ForwardException clientStalled() {
    return new ForwardException(
        408, "client_stalled", Hop.CLIENT, "The rest of the request did not come in time.", null);
  }

  /** The client has broken its request off; nobody is left to tell. */
  static ForwardException clientFailed(Throwable cause) {
    return new ForwardException(
        400, Exchange.CLIENT_LEFT, Hop.CLIENT, "The request is not complete.", cause);
  }

  /** 502: a placeholder stands for what cannot be found out. */
  static ForwardException publicAddressUnknown(@Nullable Throwable cause) {
    return new ForwardException(
        502,
        "public_ip_unknown",
        Hop.PROXY,
        "The public address of this server is not known: set PUBLIC_IP.",
        cause);
  }
}
