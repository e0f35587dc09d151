package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/** The origin's answer contradicts itself or the request; answered 502. */
public final class OriginAnswerException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private OriginAnswerException(String reason, String message) {
    super(502, reason, Hop.ORIGIN, message);
  }

  /** Another part of the body than was asked for, or a part though the whole was asked. */
  public static OriginAnswerException badRange() {
    return new OriginAnswerException(
        "bad_range", "The origin sent a part of the body that was not asked for.");
  }

  /** 101, which was not asked for, or what is no status of an answer (RFC 9110 §15). */
  static OriginAnswerException badStatus() {
    return new OriginAnswerException(
        "bad_status", "The origin answers with a status that is none of an answer.");
  }

  /** A 206 that does not say, or says wrongly, which part it holds. */
  static OriginAnswerException badContentRange() {
    return new OriginAnswerException(
        "bad_content_range", "The origin does not say which part of the body it sends.");
  }

  /** What should be a key is none. */
  public static OriginAnswerException badKey() {
    return new OriginAnswerException(
        "bad_key", "The origin sent something else than a key of 16 bytes.");
  }

  /**
   * The initialization segment, without which nothing can be played, is not to be had.
   *
   * @param why one sentence that is safe to show
   */
  public static OriginAnswerException noInit(String why) {
    return new OriginAnswerException(
        "init_unavailable", "The initialization segment (init_url) could not be fetched: " + why);
  }

  /** Media in a content coding that is not undone here. */
  public static OriginAnswerException coded() {
    return new OriginAnswerException(
        "bad_coding", "The origin sends the media in a content coding that was not asked for.");
  }
}
