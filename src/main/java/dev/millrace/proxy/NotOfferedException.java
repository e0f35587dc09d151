package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/** Something that the API names but this server does not do. */
public final class NotOfferedException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private NotOfferedException(int status, String reason, String message) {
    super(status, reason, Hop.PROXY, message);
  }

  /** 503, the text that clients look at. */
  public static NotOfferedException transcoding() {
    return new NotOfferedException(503, "transcoding_disabled", "Transcoding support is disabled");
  }

  /** 501 for a route of the API that is not built. */
  public static NotOfferedException route(Endpoint endpoint) {
    return notBuilt(endpoint.offer());
  }

  /**
   * 501 for a part of the API that is not built.
   *
   * @param offer as in "does not offer …"
   */
  public static NotOfferedException notBuilt(String offer) {
    return new NotOfferedException(501, "not_built", "This server does not offer " + offer + ".");
  }
}
