package dev.millrace.proxy;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.Target;
import java.util.Map;
import java.util.Optional;

/**
 * Seals the links of one playlist, with the rights of the link that has led to it.
 *
 * <p>Cookies: playlists get all of them, each for where it belongs, as they lead further; media get
 * those that belong to their address, in {@code h_cookie}.
 *
 * <p>What does not fit into a token ({@link LinkTokens#MAX_TOKEN_LENGTH}) gets a link without one,
 * which is refused: the address itself would be shown to somebody who is not to see it.
 *
 * @param rights of links to the same family of routes
 * @param cookies may be none
 */
record LinkSeal(
    PublicAddress publicAddress, LinkTokens tokens, LinkRights rights, SetCookies cookies) {
  private static final String COOKIE_FIELD = "h_cookie";

  /** A link to a path of the same family of routes. */
  String url(String path, Map<String, String> parameters) {
    return url(path, parameters, rights);
  }

  /** The same limits, on another family; a link for every route leads to every route. */
  String url(String path, Map<String, String> parameters, Endpoint family) {
    LinkRights there =
        new LinkRights(
            rights.expiry(),
            rights.clientAddress(),
            rights.routeFamily().map(here -> family.label()));
    return url(path, parameters, there);
  }

  private String url(String path, Map<String, String> parameters, LinkRights ofLink) {
    return publicAddress.url(sealed(parameters, ofLink) + path);
  }

  private String sealed(Map<String, String> parameters, LinkRights ofLink) {
    try {
      return "/_token_" + tokens.seal(new ProxyLink(parameters, ofLink));
    } catch (IllegalArgumentException tooLong) {
      return "";
    }
  }

  /** To what leads further. */
  void addCookies(Map<String, String> parameters) {
    if (!cookies.isEmpty()) {
      parameters.put(HlsParameters.COOKIES, cookies.text());
    }
  }

  /** To what is at this address. */
  void addCookies(Map<String, String> parameters, String address) {
    if (cookies.isEmpty()) {
      return;
    }
    Optional<String> name =
        parameters.keySet().stream().filter(COOKIE_FIELD::equalsIgnoreCase).findFirst();
    Optional<String> given = name.map(parameters::get);
    Optional<String> field = field(address, given);
    if (!field.equals(given)) {
      parameters.put(name.orElse(COOKIE_FIELD), field.orElseThrow());
    }
  }

  private Optional<String> field(String address, Optional<String> given) {
    try {
      return cookies.fieldFor(Target.parse(address), given);
    } catch (BadTargetException unreachable) {
      return given;
    }
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return "LinkSeal[" + publicAddress + "]";
  }
}
