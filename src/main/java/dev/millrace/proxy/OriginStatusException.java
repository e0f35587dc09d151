package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The origin refused, or answered with a status that cannot be relayed. Client errors keep their
 * status, except those that would look like our own request for credentials (401, 407: 502).
 */
public final class OriginStatusException extends ExchangeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_RETRY_AFTER_LENGTH = 64;

  private final int originStatus;
  private final transient Headers headers;

  private OriginStatusException(int status, int originStatus, Headers headers) {
    super(status, "upstream_" + originStatus, Hop.ORIGIN, text(originStatus));
    this.originStatus = originStatus;
    this.headers = headers;
  }

  /** For an answer that is neither 2xx nor a redirect that could be followed. */
  public static OriginStatusException of(UpstreamHead head) {
    return new OriginStatusException(
        clientStatus(head.status()), head.status(), passedHeaders(head));
  }

  /** What the origin said; {@link #status()} is what the client is told. */
  public int originStatus() {
    return originStatus;
  }

  /** Fields of the error response: {@code Retry-After}, {@code Content-Range}; may be empty. */
  public Headers headers() {
    return headers;
  }

  private static int clientStatus(int status) {
    return switch (status) {
      case 401, 407 -> 502;
      case 502, 503, 504, 509 -> status;
      default -> status >= 400 && status < 500 ? status : 502;
    };
  }

  private static Headers passedHeaders(UpstreamHead head) {
    List<Header> lines = new ArrayList<>();
    if (head.status() == 429 || head.status() >= 500) {
      head.headers()
          .first("retry-after")
          .filter(OriginStatusException::isRetryAfter)
          .ifPresent(value -> lines.add(new Header("Retry-After", value)));
    }
    if (head.status() == 416) {
      OptionalLong total =
          ContentRange.unsatisfiedTotal(head.headers().first("content-range").orElse(""));
      total.ifPresent(n -> lines.add(new Header("Content-Range", "bytes */" + n)));
    }
    return new Headers(lines);
  }

  /** Seconds or a date (RFC 9110 §10.2.3), as far as that matters: short and harmless. */
  private static boolean isRetryAfter(String value) {
    return !value.isBlank()
        && value.length() <= MAX_RETRY_AFTER_LENGTH
        && value.matches("[A-Za-z0-9,: +-]+");
  }

  private static String text(int status) {
    return switch (status) {
      case 401, 407 -> "The origin asks for credentials (" + status + ")";
      case 403 -> "The origin refuses access (403)";
      case 404 -> "Not found (404)";
      case 410 -> "Gone (410)";
      case 416 -> "Range not satisfiable (416)";
      case 429, 509 -> "Upstream rate limited: " + status;
      default ->
          status >= 500 && status < 600
              ? "The origin failed (" + status + ")"
              : "The origin answered " + status;
    };
  }
}
