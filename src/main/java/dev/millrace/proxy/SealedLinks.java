package dev.millrace.proxy;

import dev.millrace.stream.ByteBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Links with everything in a token ({@link LinkSeal}), and with the rights of the link that has led
 * to the playlist. The same child has the same link.
 */
final class SealedLinks implements LinkShape {
  private final LinkSeal seal;
  private final AddressEncoding encoding = new AddressEncoding();
  private final ChildParameters templates;

  SealedLinks(LinkSeal seal, ChildParameters parameters) {
    this.seal = seal;
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
    if (group == Group.PLAYLISTS) {
      seal.addCookies(parameters);
    } else {
      seal.addCookies(parameters, d);
    }
    parameters.putAll(carried);
    out.append(
        route == ChildRoute.STREAM
            ? seal.url(route.path(), parameters, Endpoint.STREAM)
            : seal.url(route.path(), parameters));
  }

  private Map<String, String> template(Group group) {
    return switch (group) {
      case PLAYLISTS -> templates.ofPlaylists();
      case MEDIA -> templates.ofMedia();
      case PLAIN -> templates.ofPlain();
    };
  }
}
