package dev.millrace.stream;

/**
 * Media is not what its format allows, or needs what is not here. The message says what and where,
 * and may name a key id, never a key.
 */
public final class MediaFormatException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private MediaFormatException(int status, String reason, Hop hop, String message) {
    super(status, reason, hop, message);
  }

  /** It contradicts its format, or a limit of ours. */
  public static MediaFormatException malformed(String message) {
    return new MediaFormatException(502, "malformed_media", Hop.ORIGIN, message);
  }

  /** It may be right, but is more than we read. */
  public static MediaFormatException unsupported(String message) {
    return new MediaFormatException(502, "unsupported_media", Hop.ORIGIN, message);
  }

  /** It ends in the middle. */
  public static MediaFormatException truncated(String message) {
    return new MediaFormatException(502, "truncated_media", Hop.ORIGIN, message);
  }

  /** It is protected by a key that the request does not have. */
  public static MediaFormatException keyMissing(String message) {
    return new MediaFormatException(400, "key_missing", Hop.CLIENT, message);
  }
}
