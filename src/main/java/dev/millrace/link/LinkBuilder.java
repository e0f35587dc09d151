package dev.millrace.link;

import java.time.Instant;
import java.util.Optional;

/** Makes addresses of links. */
public final class LinkBuilder {
  private LinkBuilder() {}

  /** The path of the route that the link leads to, as its server sees it. */
  public static String routePath(LinkRequest request) {
    return request.proxyUrl();
  }

  /** Everything in the query, readable. */
  public static String plain(LinkRequest request) {
    return request.proxyUrl();
  }

  /**
   * Everything in a token in the path.
   *
   * @param routeFamily the only routes that it opens
   */
  public static String sealed(
      LinkRequest request, LinkTokens tokens, Instant now, Optional<String> routeFamily) {
    return request.proxyUrl();
  }
}
