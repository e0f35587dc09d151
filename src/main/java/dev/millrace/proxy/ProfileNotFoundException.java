package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/** The presentation has no such profile, or none that can be played; the text that clients know. */
public final class ProfileNotFoundException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  public ProfileNotFoundException() {
    super(404, "profile_not_found", Hop.CLIENT, "Profile not found");
  }
}
