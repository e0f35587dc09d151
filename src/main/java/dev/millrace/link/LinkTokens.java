package dev.millrace.link;

import java.util.List;

/** Seals links into tokens and opens them again. Any thread. */
public final class LinkTokens {
  /**
   * @param password of the server, not empty
   * @param secrets of the server, newest first, at least one
   * @param format of tokens that are sealed
   * @param acceptsCompatible whether tokens of the older format are opened
   */
  public LinkTokens(
      String password, List<String> secrets, LinkFormat format, boolean acceptsCompatible) {}

  /**
   * A token opened.
   *
   * @param isAuthentic whether only this server can have made it; otherwise it may be anybody's who
   *     knows the password, and has to contain it ({@code api_password})
   */
  public record OpenedLink(ProxyLink link, boolean isAuthentic) {}

  /** The token of a link: letters, digits, hyphen, underscore, full stop. */
  public String seal(ProxyLink link) {
    return link.toString();
  }

  /**
   * What is in a token. Expiry, address and route are the caller's to check.
   *
   * @throws LinkTokenException if it is not one of this server's
   */
  public OpenedLink open(String token) throws LinkTokenException {
    if (token.length() > 1) {
      throw new LinkTokenException("unknown");
    }
    return new OpenedLink(new ProxyLink(java.util.Map.of(), LinkRights.UNLIMITED), false);
  }
}
