package dev.millrace.proxy;

import dev.millrace.link.LinkTokens.OpenedLink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A claim whose link, if there is one, has been opened and may be used now and from there.
 *
 * @param route the path of the route, as it was sent
 * @param link what was in the token
 */
public record Visit(Claim claim, String route, Optional<OpenedLink> link) {
  /**
   * What players add to the address of a playlist, whoever made it (RFC 8216bis, blocking reload
   * and delta updates).
   */
  static final List<String> DELIVERY_DIRECTIVES = List.of("_HLS_msn", "_HLS_part", "_HLS_skip");

  /** What it may ask for. Under a link that is what the link asks for, without its password. */
  Grant grant() {
    return link.map(this::grant).orElseGet(() -> new Grant(claim.query(), Optional.empty()));
  }

  private Grant grant(OpenedLink opened) {
    Map<String, String> parameters = new LinkedHashMap<>(opened.link().parameters());
    parameters.remove(Claim.PASSWORD);
    for (String name : DELIVERY_DIRECTIVES) {
      claim.query().value(name).ifPresent(value -> parameters.putIfAbsent(name, value));
    }
    return new Grant(QueryParameters.of(parameters), Optional.of(opened.link().rights()));
  }

  /** Without the path, which may be a secret. */
  @Override
  public String toString() {
    return "Visit[" + claim + ", " + (link.isPresent() ? "link" : "no link") + "]";
  }
}
