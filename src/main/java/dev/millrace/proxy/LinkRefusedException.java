package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/**
 * A token that opens nothing here and now. Whoever sent it gets one text for every cause (401);
 * {@link #logWord} is for the log.
 */
public final class LinkRefusedException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private final String logWord;

  /**
   * @param logWord why, in snake case
   */
  LinkRefusedException(String logWord) {
    super(401, "link_refused", Hop.CLIENT, "Invalid or expired token");
    this.logWord = logWord;
  }

  /** Why, in snake case: for the log, never for the client. */
  public String logWord() {
    return logWord;
  }
}
