package dev.millrace.proxy;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.Target;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Links with everything in a token, and with the rights of the link that has led to the playlist.
 * The same child has the same link.
 *
 * <p>Cookies: playlists get all of them, each for where it belongs, as they lead further; media get
 * those that belong to their address, in {@code h_cookie}.
 *
 * <p>What does not fit into a token ({@link LinkTokens#MAX_TOKEN_LENGTH}) gets a link without one,
 * which is refused: the address itself would be shown to somebody who is not to see it.
 */
final class SealedLinks implements LinkShape {
  private static final String COOKIE_FIELD = "h_cookie";

  private final PublicAddress publicAddress;
  private final LinkTokens tokens;
  private final LinkRights rights;
  private final SetCookies cookies;
  private final AddressEncoding encoding = new AddressEncoding();
  private final ChildParameters templates;

  SealedLinks(
      PublicAddress publicAddress,
      LinkTokens tokens,
      LinkRights rights,
      SetCookies cookies,
      ChildParameters parameters) {
    this.publicAddress = publicAddress;
    this.tokens = tokens;
    this.rights = rights;
    this.cookies = cookies;
    this.templates = parameters;
  }

  @Override
  public void append(
      ChildRoute route,
      Group group,
      ByteBuilder address,
      Map<String, String> carried,
      ByteBuilder out) {
    Map<String, String> parameters = new LinkedHashMap<>(template(group));
    String d = encoding.text(address);
    parameters.put("d", d);
    if (!cookies.isEmpty()) {
      addCookies(group, d, parameters);
    }
    parameters.putAll(carried);
    out.append(publicAddress.url(sealed(parameters) + route.path()));
  }

  private Map<String, String> template(Group group) {
    return switch (group) {
      case PLAYLISTS -> templates.ofPlaylists();
      case MEDIA -> templates.ofMedia();
      case PLAIN -> templates.ofPlain();
    };
  }

  private String sealed(Map<String, String> parameters) {
    try {
      return "/_token_" + tokens.seal(new ProxyLink(parameters, rights));
    } catch (IllegalArgumentException tooLong) {
      return "";
    }
  }

  private void addCookies(Group group, String address, Map<String, String> parameters) {
    if (group == Group.PLAYLISTS) {
      parameters.put(HlsParameters.COOKIES, cookies.text());
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
}
