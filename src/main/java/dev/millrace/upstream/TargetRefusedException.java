package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;

/**
 * A target on the proxy's own side of the network: 403 {@code target_refused}. The message does not
 * tell what a name resolves to, which would map that network for anybody who asks.
 */
public final class TargetRefusedException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  public TargetRefusedException() {
    super(
        403,
        "target_refused",
        Hop.PROXY,
        "the target is an internal address; the setting ALLOW_TARGETS can allow it");
  }
}
