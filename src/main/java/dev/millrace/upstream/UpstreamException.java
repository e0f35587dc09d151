package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An origin could not be reached, did not answer in time, or answered nonsense. */
public final class UpstreamException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong, and how a gateway reports it (RFC 9110 §15.6.3, §15.6.5). */
  public enum Kind {
    DNS_FAILED(502, "The name of the origin could not be resolved."),
    CONNECT_FAILED(502, "The origin could not be reached."),
    CONNECT_TIMEOUT(504, "The origin did not accept a connection in time."),
    TLS_FAILED(502, "No secure connection to the origin could be made."),
    UPSTREAM_TIMEOUT(504, "The origin did not answer in time."),
    UPSTREAM_IDLE(504, "The origin fell silent in the middle of its answer."),
    UPSTREAM_CLOSED(502, "The origin closed the connection before its answer was complete."),
    BAD_RESPONSE(502, "The origin's answer is not valid HTTP."),
    BAD_REDIRECT(502, "The origin redirects to an address that is not valid."),
    TOO_MANY_REDIRECTS(502, "The origin redirects too often."),
    CHANGED_CONTENT(502, "The origin changed its content in the middle of the answer."),
    CANCELLED(502, "The request was cancelled.");

    private final int status;
    private final String text;

    Kind(int status, String text) {
      this.status = status;
      this.text = text;
    }
  }

  private final Kind kind;

  public UpstreamException(Kind kind) {
    this(kind, null);
  }

  public UpstreamException(Kind kind, @Nullable Throwable cause) {
    super(kind.status, lowerCase(kind), Hop.ORIGIN, kind.text, null, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  private static String lowerCase(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
