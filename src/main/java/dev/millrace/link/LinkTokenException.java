package dev.millrace.link;

/** A token that cannot be opened. Whoever sent it is never told why. */
public final class LinkTokenException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * @param reason short word in snake case, for the log
   */
  public LinkTokenException(String reason) {
    super(reason, null, false, false); // as many as anybody likes to send: they cost nothing
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
