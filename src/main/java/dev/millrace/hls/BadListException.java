package dev.millrace.hls;

import dev.millrace.stream.ExchangeException;

/** What should be a steering manifest or an asset list is none that can be read; answered 502. */
public final class BadListException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private BadListException(String reason, String message) {
    super(502, reason, Hop.ORIGIN, message);
  }

  static BadListException malformed() {
    return new BadListException("not_a_list", "The origin sent what is no JSON object.");
  }

  /** Also for whoever reads it from the origin. */
  public static BadListException tooLarge() {
    return new BadListException(
        "list_too_large", "The origin's JSON is longer than " + JsonList.MAX_BYTES + " bytes.");
  }

  static BadListException tooManyAddresses() {
    return new BadListException(
        "list_too_large",
        "The origin's JSON holds more than " + JsonList.MAX_ADDRESSES + " addresses.");
  }
}
