package dev.millrace.testing;

/** How a body ended, RFC 9112 §6.3 and §8. */
public enum BodyEnd {
  /**
   * As its framing promised. A body that ends with its connection counts if that closed politely.
   */
  COMPLETE,
  /** The connection closed before the promised end. */
  TRUNCATED,
  /** The connection was reset before the promised end. */
  RESET,
  /** Silence for longer than the client waits. */
  STALLED,
  /** Chunks that are not chunks. */
  MALFORMED;

  /** The client can tell that something is missing. */
  public boolean isAbort() {
    return this == TRUNCATED || this == RESET;
  }
}
