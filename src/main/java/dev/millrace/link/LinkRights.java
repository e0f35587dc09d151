package dev.millrace.link;

import java.time.Instant;
import java.util.Optional;

/**
 * What limits a link, besides what it asks for.
 *
 * @param expiry after which it is refused, in whole seconds; absent: never
 * @param clientAddress the only address that may use it, an IP literal; absent: any
 * @param routeFamily the only routes it opens, {@code Endpoint.label()}; absent: any that wants the
 *     password
 */
public record LinkRights(
    Optional<Instant> expiry, Optional<String> clientAddress, Optional<String> routeFamily) {
  /** For ever, for everybody, everywhere. */
  public static final LinkRights UNLIMITED =
      new LinkRights(Optional.empty(), Optional.empty(), Optional.empty());
}
