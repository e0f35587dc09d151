package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import java.time.Duration;
import java.util.Optional;

/**
 * What it takes for a body to go on when one of its answers is over. Pure decisions; {@link
 * ContinuedBody} acts on them.
 */
sealed interface Continuation permits Resumption, Reopening {
  /** What follows the end of an answer. */
  enum Next {
    /** Nothing: the body is complete. */
    END,
    /** The next part, as of an origin that hands out capped ranges. */
    NEXT_PART,
    /** Another attempt to get what is missing. */
    RESUME,
    /** The body from anew, appended. */
    REOPEN,
    /** Nothing: the body has failed. */
    FAIL
  }

  /**
   * How the body goes on that begins with this answer.
   *
   * @param isDecoded whether the body's bytes are not those that the origin sent
   * @return absent if it cannot
   */
  static Optional<Continuation> of(FetchRequest request, UpstreamHead head, boolean isDecoded) {
    Optional<Continuation> resumption =
        isDecoded
            ? Optional.empty()
            : Resumption.of(request.first(), head).map(Continuation.class::cast);
    return resumption.or(() -> Reopening.of(request, head, isDecoded));
  }

  /** Offset of the body's first byte. */
  long first();

  /** Offset after its last byte; {@link Long#MAX_VALUE} if that is not known. */
  long end();

  /** The question for everything from {@code position} on. */
  UpstreamRequest ask(UpstreamRequest original, long position);

  /** Whether the answer to it may be appended. */
  boolean continuesAt(long position, UpstreamHead head);

  /**
   * What follows a clean end before {@link #end}.
   *
   * @param partBytes that the answer brought
   * @param longestFlow from the first to the last byte of that answer of the body that ran longest
   */
  Next afterEnd(long partBytes, Duration longestFlow);

  /** What follows a cut before {@link #end}. */
  Next afterCut();

  /** Whether it may be asked once more after such an answer. */
  boolean isWorthAnother(UpstreamHead refusal);

  /** Whether it may be asked once more after such a failure. */
  boolean isWorthAnother(ExchangeException failure);

  /**
   * Whether an answer brought so much that its end is a new event rather than more of the same.
   *
   * @param flow from its first byte to its newest
   */
  boolean isSettled(long partBytes, Duration flow);

  /** Whether another source may take over in the middle. */
  boolean isFromAnySource();

  /** No attempts yet. */
  RetryRow newRow(ResumeConfig limits);
}
