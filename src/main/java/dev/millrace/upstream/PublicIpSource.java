package dev.millrace.upstream;

import java.util.concurrent.CompletionStage;

/** Knows under which address origins see this server. */
public interface PublicIpSource {
  /**
   * The address that {@code destination} sees, given the way that its requests take. Never blocks.
   *
   * @return an IP literal without brackets; fails with an {@link
   *     dev.millrace.stream.ExchangeException} if nobody tells
   */
  CompletionStage<String> addressFor(Target destination);
}
