package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Brings the next part of a body: asks at the original target until an answer fits, or until it has
 * been asked often enough.
 *
 * <p>{@link RetryRow} says how often and how soon. Attempts make no retries of their own, except on
 * a connection that turns out to be closed, so there are at most twice as many requests (each with
 * its redirects). The budget of a row is watched by a timer: it also ends an attempt that stays
 * silent, but not one whose answer waits for its reader.
 *
 * <p>Any thread; the lock is never held while others are called.
 */
final class NextPart {
  /** The body that is to go on. */
  interface Receiver {
    /** Here it is, to be read or failed; the budget runs until a byte was read. */
    void onPart(FetchBody part);

    /** There is none and there will be none: the last chunk, or the failure, of the body. */
    void onEnd(Content.Chunk last);

    /** Whether the body's reader is waiting for bytes. */
    boolean isAwaited();
  }

  private final Fetcher shared;
  private final FetchRequest request;
  private final Continuation continuation;
  private final Receiver receiver;
  private final ResumeConfig limits;
  private final Object lock = new Object();
  private final RetryRow row;
  private int source;
  private long position;
  private boolean isOver;
  private @Nullable Attempts asked;
  private @Nullable Future<?> pause;
  private @Nullable Future<?> budget;
  private @Nullable ExchangeException cause;

  /**
   * @param source number of the source that delivers the body by now
   */
  NextPart(
      Fetcher shared,
      FetchRequest request,
      int source,
      Continuation continuation,
      Receiver receiver) {
    this.shared = shared;
    this.request = request;
    this.source = source;
    this.continuation = continuation;
    this.receiver = receiver;
    this.limits = shared.config().resume();
    this.row = continuation.newRow(limits);
  }

  /** The part before ended as it should: the next begins at {@code start}. */
  void ask(long start) {
    synchronized (lock) {
      position = start;
    }
    ask();
  }

  /**
   * The part before did not bring what it should have.
   *
   * @param start offset of the first byte that is missing
   * @param why it is over; null after a clean end
   */
  void askAgain(long start, @Nullable ExchangeException why) {
    synchronized (lock) {
      position = start;
    }
    again(why, Optional.empty());
  }

  /** A byte was read. */
  void good(boolean isSettled) {
    synchronized (lock) {
      row.good(isSettled);
      stop(budget);
      budget = null;
    }
  }

  /** Nothing more is wanted; the receiver hears no more. */
  void cancel(ExchangeException failure) {
    Attempts running;
    synchronized (lock) {
      isOver = true;
      running = asked;
      stop(pause);
      stop(budget);
    }
    if (running != null) {
      running.cancel(failure);
    }
  }

  private static void stop(@Nullable Future<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }

  private void ask() {
    Attempts next;
    synchronized (lock) {
      pause = null;
      if (isOver) {
        return;
      }
      UpstreamRequest rest = continuation.ask(request.first(), position);
      NextAttempt first = NextAttempt.first(rest, request.source(source), limits).withoutRetries();
      next = new Attempts(shared, first, new Answer(position));
      asked = next;
    }
    next.start();
  }

  /** Makes another attempt, now or later, or gives up. */
  private void again(@Nullable ExchangeException why, Optional<Duration> retryAfter) {
    boolean isNow = false;
    Content.Chunk end = null;
    synchronized (lock) {
      if (isOver) {
        return;
      }
      boolean isFirst = !row.isRunning();
      cause = isFirst ? why : cause;
      boolean isAllowed = limits.enabled() || cause == null;
      Optional<Duration> wait = isAllowed ? row.next(now(), retryAfter) : Optional.empty();
      try {
        if (wait.isEmpty()) {
          end = givenUp();
        } else {
          budget = budget == null ? schedule(this::budgetIsOver, row.leftNanos(now())) : budget;
          turn(isFirst);
          isNow = wait.get().isZero();
          pause = isNow ? null : schedule(this::ask, wait.get().toNanos());
        }
      } catch (RejectedExecutionException stopping) {
        end = Content.Chunk.from(new UpstreamException(Kind.CANCELLED, stopping));
      }
    }
    if (end != null) {
      receiver.onEnd(end);
    } else if (isNow) {
      ask();
    }
  }

  /** What ended cleanly stays a clean end; a cut stays a cut. */
  private Content.Chunk givenUp() {
    return cause == null ? Content.Chunk.EOF : Content.Chunk.from(cause);
  }

  /** The first attempt is for the source that was just delivering. */
  private void turn(boolean isFirst) {
    if (!isFirst && continuation.isFromAnySource() && request.sources() > 1) {
      source = (source + 1) % request.sources();
      shared.metrics().fallbacks().increment();
    }
  }

  private Future<?> schedule(Runnable task, long nanos) {
    return shared.timer().schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  private long now() {
    return shared.nanoTime().getAsLong();
  }

  private void budgetIsOver() {
    boolean isAwaited = receiver.isAwaited();
    Content.Chunk end;
    synchronized (lock) {
      budget = null;
      if (!isAwaited || !row.isRunning() || row.leftNanos(now()) > 0) {
        return;
      }
      end = givenUp();
    }
    receiver.onEnd(end);
  }

  /** What comes of asking for the bytes from {@code start} on. */
  private final class Answer implements Attempts.Listener {
    private final long start;

    Answer(long start) {
      this.start = start;
    }

    @Override
    public void onResponse(UpstreamHead head, FetchBody body) {
      if (continuation.continuesAt(start, head)) {
        countResumption();
        receiver.onPart(body);
        return;
      }
      UpstreamException refusal = refusal(head.status());
      body.fail(refusal);
      if (continuation.isWorthAnother(head)) {
        again(refusal, retryAfter(head));
      } else {
        end(refusal);
      }
    }

    private void countResumption() {
      synchronized (lock) {
        if (!row.isRunning()) {
          return; // it was merely the next of several
        }
      }
      shared.metrics().resumes().increment();
    }

    /** Another representation, or none: then what was cut stays cut. */
    private static UpstreamException refusal(int status) {
      boolean isOther = status < 300 || status == 412 || status == 416;
      return new UpstreamException(isOther ? Kind.CHANGED_CONTENT : Kind.UPSTREAM_CLOSED);
    }

    /** In seconds; a date counts as not given (RFC 9110 §10.2.3). */
    private static Optional<Duration> retryAfter(UpstreamHead head) {
      return head.headers()
          .first("Retry-After")
          .map(String::strip)
          .filter(value -> value.matches("\\d{1,9}"))
          .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    @Override
    public void onFailure(ExchangeException failure) {
      if (continuation.isWorthAnother(failure)) {
        again(failure, Optional.empty());
      } else {
        end(failure);
      }
    }

    private void end(ExchangeException failure) {
      receiver.onEnd(Content.Chunk.from(failure));
    }
  }
}
