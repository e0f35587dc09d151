package dev.millrace.proxy;

import dev.millrace.upstream.Headers;
import java.util.OptionalLong;

/**
 * How an origin's answer is reported to the client.
 *
 * @param status of the response
 * @param headers every field but framing, {@code Content-Length} and CORS; {@link #SAFETY} included
 * @param contentLength the value of {@code Content-Length}; absent: the field is not sent
 */
public record ResponsePlan(int status, Headers headers, OptionalLong contentLength) {
  private static final String PAGE_POLICY = "sandbox; default-src 'none'";

  /** The same for sound and pictures, which load themselves once more. */
  static final String MEDIA_POLICY = PAGE_POLICY + "; media-src 'self'";

  /**
   * Keeps a body of foreign origin from acting as a page of ours; for every response, errors too. A
   * player embedded in another page is not touched: these policies bind documents.
   */
  public static final Headers SAFETY =
      Headers.of(
          "X-Content-Type-Options", "nosniff",
          "Content-Security-Policy", PAGE_POLICY,
          "Cross-Origin-Resource-Policy", "cross-origin",
          "Referrer-Policy", "no-referrer");

  /** The same, of which no part can be asked. */
  public ResponsePlan withoutRanges() {
    return new ResponsePlan(
        status, headers.without("Content-Range").with("Accept-Ranges", "none"), contentLength);
  }

  /**
   * The same for a body that is not the origin's any more: no part of it can be asked, and it has
   * not the origin's entity tag.
   */
  public ResponsePlan changed(OptionalLong length) {
    ResponsePlan whole = withoutRanges();
    return new ResponsePlan(status == 206 ? 200 : status, whole.headers().without("ETag"), length);
  }
}
