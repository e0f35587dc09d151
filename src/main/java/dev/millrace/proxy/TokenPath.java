package dev.millrace.proxy;

import java.util.Optional;

/**
 * A path that begins with a token: {@code /_token_TOKEN/proxy/stream}.
 *
 * @param token without its mark, decoded; perhaps empty
 * @param route what follows, as it was sent; begins with a slash
 */
public record TokenPath(String token, String route) {
  private static final String MARK = "/_token_";

  /**
   * Absent if the path does not begin with the mark, in these very characters.
   *
   * @param rawPath as it was sent
   */
  public static Optional<TokenPath> of(String rawPath) {
    if (!rawPath.startsWith(MARK)) {
      return Optional.empty();
    }
    int slash = rawPath.indexOf('/', MARK.length());
    int end = slash < 0 ? rawPath.length() : slash;
    String token = PercentDecoding.decodePath(rawPath.substring(MARK.length(), end));
    return Optional.of(new TokenPath(token, slash < 0 ? "/" : rawPath.substring(slash)));
  }

  /** Without the token, which is a secret. */
  @Override
  public String toString() {
    return "TokenPath[" + route + "]";
  }
}
