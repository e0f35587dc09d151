package dev.millrace.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;

/**
 * Seals links into tokens and opens them again. Any thread; nothing is shared between calls but
 * keys. A link sealed again gives the same token.
 */
public final class LinkTokens {
  /** Of a token's text, in either format. */
  public static final int MAX_TOKEN_LENGTH = 16_384;

  /** Of a link in a token. */
  public static final int MAX_PARAMETERS = 256;

  /** The parameter that carries the password. */
  static final String PASSWORD = "api_password";

  private final LinkFormat format;
  private final boolean acceptsCompatible;
  private final AuthenticatedFormat authenticated;
  private final CompatibleFormat compatible;

  /**
   * @param password of the server, not empty
   * @param secrets of the server, newest first, at least one
   * @param format of tokens that are sealed
   * @param acceptsCompatible whether tokens of the older format are opened
   */
  public LinkTokens(
      String password, List<String> secrets, LinkFormat format, boolean acceptsCompatible) {
    if (password.isEmpty() || secrets.isEmpty()) {
      throw new IllegalArgumentException("links are sealed with a password and a secret");
    }
    this.format = format;
    this.acceptsCompatible = acceptsCompatible;
    this.authenticated = AuthenticatedFormat.of(password, secrets);
    this.compatible = new CompatibleFormat(password, ivKey(secrets.get(0)));
  }

  private static byte[] ivKey(String secret) {
    byte[] salt = "millrace link iv".getBytes(UTF_8);
    return Hkdf.extract(salt, secret.getBytes(UTF_8));
  }

  /**
   * A token opened.
   *
   * @param isAuthentic whether only this server can have made it; otherwise it may be anybody's who
   *     knows the password, and has to contain it ({@code api_password})
   */
  public record OpenedLink(ProxyLink link, boolean isAuthentic) {}

  /**
   * The token of a link: letters, digits, hyphen, underscore, full stop. In our own format {@code
   * api_password} is left out of it, as the token is believed without. In the compatible one it is
   * put in if it is missing; parameters called {@code exp} or {@code ip} are left out, as they
   * would be taken for rights, and so is the family of routes, for which that format has no place.
   *
   * @throws IllegalArgumentException beyond {@link #MAX_PARAMETERS} or {@link #MAX_TOKEN_LENGTH}
   */
  public String seal(ProxyLink link) {
    String token =
        switch (format) {
          case V2 -> authenticated.seal(link);
          case COMPATIBLE -> compatible.seal(link);
        };
    if (token.length() > MAX_TOKEN_LENGTH) {
      throw new IllegalArgumentException(
          "the token would have "
              + token.length()
              + " characters (expected: at most "
              + MAX_TOKEN_LENGTH
              + "; shorten the parameters)");
    }
    return token;
  }

  static void checkCount(Map<String, String> parameters) {
    if (parameters.size() > MAX_PARAMETERS) {
      throw new IllegalArgumentException(
          parameters.size()
              + " parameters (expected: at most "
              + MAX_PARAMETERS
              + " in a token; leave some out)");
    }
  }

  /**
   * What is in a token. Expiry, address and route are the caller's to check; the address is the
   * text that was sealed, and in the compatible format need not be one.
   *
   * @throws LinkTokenException if it is not one of this server's
   */
  public OpenedLink open(String token) throws LinkTokenException {
    if (token.length() > MAX_TOKEN_LENGTH) {
      throw new LinkTokenException("too_long");
    }
    if (token.startsWith(AuthenticatedFormat.PREFIX)) {
      return authenticated.open(token);
    }
    if (!acceptsCompatible) {
      throw new LinkTokenException("format_refused");
    }
    return compatible.open(token);
  }
}
