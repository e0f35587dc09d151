package dev.millrace.stream;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure that a client may be told of: status, reason code and a text that is safe to show.
 *
 * <p>The message never holds keys, tokens, credentials or a URL. Subclasses say which part of the
 * product failed; whoever answers the client needs only this type.
 */
public abstract class ExchangeException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Who caused the failure, seen from the client. */
  public enum Hop {
    /** The request itself. */
    CLIENT,
    /** This server. */
    PROXY,
    /** The forward proxy between this server and the origin. */
    OUTBOUND_PROXY,
    /** The server that the stream comes from, or the way to it. */
    ORIGIN
  }

  private final int status;
  private final String reason;
  private final Hop hop;
  private final @Nullable Duration retryAfter;

  /**
   * @param status HTTP status, 400 to 599
   * @param reason short code in snake case, for programs
   * @param message one sentence for people
   */
  protected ExchangeException(int status, String reason, Hop hop, String message) {
    this(status, reason, hop, message, null, null);
  }

  protected ExchangeException(
      int status,
      String reason,
      Hop hop,
      String message,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message);
    if (cause != null) {
      initCause(cause);
    }
    this.status = status;
    this.reason = reason;
    this.hop = hop;
    this.retryAfter = retryAfter;
  }

  /** The HTTP status to answer with if nothing was sent yet. */
  public final int status() {
    return status;
  }

  /** Short code in snake case, for programs. */
  public final String reason() {
    return reason;
  }

  public final Hop hop() {
    return hop;
  }

  /** When it may be worth asking again. */
  public final Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
