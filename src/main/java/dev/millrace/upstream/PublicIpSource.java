package dev.millrace.upstream;

import java.util.concurrent.CompletionStage;

/** Tells under which address origins see this server. */
@FunctionalInterface
public interface PublicIpSource {
  /**
   * The address that an origin sees. Never blocks.
   *
   * @param destination whose outbound route is taken
   * @return an IP literal, IPv6 without brackets; fails with {@link
   *     dev.millrace.stream.ExchangeException} if it cannot be found out
   */
  CompletionStage<String> addressFor(Target destination);
}
