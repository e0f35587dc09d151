package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An origin, or the proxy on the way, could not be reached, did not answer in time, or erred. */
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
    UPSTREAM_STALLED(504, "The origin stopped taking the request."),
    UPSTREAM_CLOSED(502, "The origin closed the connection before its answer was complete."),
    BAD_RESPONSE(502, "The origin's answer is not valid HTTP."),
    BAD_REDIRECT(502, "The origin redirects to an address that is not valid."),
    TOO_MANY_REDIRECTS(502, "The origin redirects too often."),
    CHANGED_CONTENT(502, "The origin changed its content in the middle of the answer."),
    PROXY_FAILED(502, "The outbound proxy could not be reached.", Hop.OUTBOUND_PROXY),
    PROXY_TIMEOUT(504, "The outbound proxy did not answer in time.", Hop.OUTBOUND_PROXY),
    PROXY_REFUSED(502, "The outbound proxy does not lead to the origin", Hop.OUTBOUND_PROXY),
    CANCELLED(502, "The request was cancelled.");

    private final int status;
    private final String text;
    private final Hop hop;

    Kind(int status, String text) {
      this(status, text, Hop.ORIGIN);
    }

    Kind(int status, String text, Hop hop) {
      this.status = status;
      this.text = text;
      this.hop = hop;
    }
  }

  private final Kind kind;

  public UpstreamException(Kind kind) {
    this(kind, null);
  }

  public UpstreamException(Kind kind, @Nullable Throwable cause) {
    this(kind, kind.text, cause);
  }

  private UpstreamException(Kind kind, String text, @Nullable Throwable cause) {
    super(kind.status, lowerCase(kind), kind.hop, text, null, cause);
    this.kind = kind;
  }

  /**
   * The proxy that leads to the origin was reached and does not connect to it.
   *
   * @param why what it said, nothing secret
   */
  static UpstreamException refusedByProxy(String why) {
    Kind kind = Kind.PROXY_REFUSED;
    return new UpstreamException(kind, kind.text + ": " + why + ".", null);
  }

  public Kind kind() {
    return kind;
  }

  private static String lowerCase(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
