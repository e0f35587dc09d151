package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Continuation.Next;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One body out of several answers: when one is over, cut or capped, the next is asked for at the
 * original target, and appended if {@link Continuation} says that it fits.
 *
 * <h2>Attempts</h2>
 *
 * {@link RetryRow} says how many and how soon. They make no retries of their own, except on a
 * connection that turns out to be closed, so there are at most twice as many requests (each with
 * its redirects). The budget of a row is watched by a timer: it also ends an attempt that stays
 * silent, but not one whose answer waits for its reader.
 *
 * <h2>Threads</h2>
 *
 * Read by one caller at a time. Between two answers {@link #read} gives nothing, and a demand waits
 * for the next. {@link #fail}, timers and answers come from any thread; the lock is never held
 * while others are called.
 */
final class ContinuedBody implements Content.Source {
  private final Fetcher shared;
  private final FetchRequest request;
  private final Continuation continuation;
  private final ResumeConfig limits;
  private final Object lock = new Object();
  private final RetryRow row;
  private int source;
  private long position;
  private long partBytes;
  private long partNanos;
  private Duration longestFlow = Duration.ZERO;
  private Content.@Nullable Source part;
  private @Nullable Attempts asked;
  private @Nullable Future<?> pause;
  private @Nullable Future<?> budget;
  private @Nullable Runnable demand;
  private boolean isWanted;
  private @Nullable ExchangeException cause;
  private Content.@Nullable Chunk end;

  /**
   * @param source number of the source that delivers the first answer
   * @param continuation what that answer promises
   * @param first its body
   */
  ContinuedBody(
      Fetcher shared,
      FetchRequest request,
      int source,
      Continuation continuation,
      Content.Source first) {
    this.shared = shared;
    this.request = request;
    this.source = source;
    this.continuation = continuation;
    this.limits = shared.config().resume();
    this.row = continuation.newRow(limits);
    this.position = continuation.first();
    this.part = first;
  }

  @Override
  public long getLength() {
    long afterLast = continuation.end();
    return afterLast == Long.MAX_VALUE ? -1 : afterLast - continuation.first();
  }

  @Override
  public Content.@Nullable Chunk read() {
    Content.Source current;
    synchronized (lock) {
      isWanted = false;
      if (end != null || part == null) {
        return end;
      }
      current = part;
    }
    Content.Chunk chunk = current.read();
    if (chunk == null) {
      return null;
    }
    if (Content.Chunk.isFailure(chunk)) {
      ExchangeException failure = known(chunk.getFailure());
      current.fail(failure);
      return partEnded(afterCut(failure), failure);
    }
    long missing = count(chunk.remaining());
    if (missing < 0) {
      chunk.release();
      return partEnded(Next.FAIL, new UpstreamException(Kind.BAD_RESPONSE)); // more than it said
    }
    return chunk.isLast() ? lastOfPart(chunk) : chunk;
  }

  /** Gives the number of bytes that are still missing. */
  private long count(int bytes) {
    synchronized (lock) {
      long now = now();
      partNanos = partBytes == 0 ? now : partNanos;
      position += bytes;
      partBytes += bytes;
      Duration flow = Duration.ofNanos(now - partNanos);
      longestFlow = flow.compareTo(longestFlow) > 0 ? flow : longestFlow;
      if (bytes > 0) {
        row.good(continuation.isSettled(partBytes, flow));
        stop(budget);
        budget = null;
      }
      return continuation.end() - position;
    }
  }

  private Content.@Nullable Chunk lastOfPart(Content.Chunk chunk) {
    Next next;
    synchronized (lock) {
      next =
          position == continuation.end() ? Next.END : continuation.afterEnd(partBytes, longestFlow);
    }
    boolean isCut = next == Next.RESUME;
    Content.Chunk over =
        partEnded(next, isCut ? new UpstreamException(Kind.UPSTREAM_CLOSED) : null);
    if (next == Next.END) {
      return chunk;
    }
    if (!chunk.hasRemaining()) {
      chunk.release();
      return over;
    }
    return Content.Chunk.asChunk(chunk.getByteBuffer(), false, chunk);
  }

  private Next afterCut(ExchangeException failure) {
    synchronized (lock) {
      if (position == continuation.end()) {
        return Next.END; // only the end itself was missing
      }
    }
    return Resumption.isPassing(failure) ? continuation.afterCut() : Next.FAIL;
  }

  private static ExchangeException known(Throwable failure) {
    return failure instanceof ExchangeException exchange
        ? exchange
        : new UpstreamException(Kind.UPSTREAM_CLOSED, failure);
  }

  /**
   * Sees to what follows.
   *
   * @param why null after a clean end
   * @return what a read gives now
   */
  private Content.@Nullable Chunk partEnded(Next next, @Nullable ExchangeException why) {
    synchronized (lock) {
      if (end == null && next == Next.END) {
        end = Content.Chunk.EOF;
        stop(budget);
      }
      if (next != Next.END && next != Next.FAIL) {
        part = null;
      }
    }
    switch (next) {
      case END -> {}
      case NEXT_PART -> ask();
      case RESUME, REOPEN -> again(why, Optional.empty());
      case FAIL ->
          finish(
              Content.Chunk.from(why == null ? new UpstreamException(Kind.UPSTREAM_CLOSED) : why));
    }
    synchronized (lock) {
      return end;
    }
  }

  /**
   * Makes another attempt, now or later, or gives up.
   *
   * @param why the last one is over; null after a clean end
   */
  private void again(@Nullable ExchangeException why, Optional<Duration> retryAfter) {
    boolean isNow = false;
    Content.Chunk over = null;
    synchronized (lock) {
      if (end != null) {
        return;
      }
      boolean isFirst = !row.isRunning();
      cause = isFirst ? why : cause;
      boolean isAllowed = limits.enabled() || cause == null;
      Optional<Duration> wait =
          isAllowed ? row.next(now(), retryAfter) : Optional.<Duration>empty();
      try {
        if (wait.isEmpty()) {
          over = givenUp();
        } else {
          budget = budget == null ? schedule(this::budgetIsOver, row.leftNanos(now())) : budget;
          turn(isFirst);
          isNow = wait.get().isZero();
          pause = isNow ? null : schedule(this::ask, wait.get().toNanos());
        }
      } catch (RejectedExecutionException stopping) {
        over = Content.Chunk.from(new UpstreamException(Kind.CANCELLED, stopping));
      }
    }
    if (over != null) {
      finish(over);
    } else if (isNow) {
      ask();
    }
  }

  private Future<?> schedule(Runnable task, long nanos) {
    return shared.timer().schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  /** The first attempt is for the source that was just delivering. */
  private void turn(boolean isFirst) {
    if (!isFirst && continuation.isFromAnySource() && request.sources() > 1) {
      source = (source + 1) % request.sources();
      shared.metrics().fallbacks().increment();
    }
  }

  /** What ended cleanly stays a clean end; a cut stays a cut. */
  private Content.Chunk givenUp() {
    return cause == null ? Content.Chunk.EOF : Content.Chunk.from(cause);
  }

  private void budgetIsOver() {
    Content.Chunk over;
    synchronized (lock) {
      budget = null;
      boolean isReadersTurn = part != null && !isWanted;
      if (!row.isRunning() || row.leftNanos(now()) > 0 || isReadersTurn) {
        return;
      }
      over = givenUp();
    }
    finish(over);
  }

  private void ask() {
    Attempts next;
    synchronized (lock) {
      pause = null;
      if (end != null) {
        return;
      }
      UpstreamRequest rest = continuation.ask(request.first(), position);
      NextAttempt first = NextAttempt.first(rest, request.source(source), limits).withoutRetries();
      next = new Attempts(shared, first, new NextPart(position));
      asked = next;
    }
    next.start();
  }

  private long now() {
    return shared.nanoTime().getAsLong();
  }

  @Override
  public void demand(Runnable demandCallback) {
    Content.Source current;
    synchronized (lock) {
      isWanted = true;
      current = end == null ? part : null;
      if (current == null && end == null) {
        demand = demandCallback;
        return;
      }
    }
    if (current != null) {
      current.demand(demandCallback);
    } else {
      demandCallback.run();
    }
  }

  /** Ends whatever is being read, asked for or waited for. */
  @Override
  public void fail(Throwable failure) {
    finish(
        Content.Chunk.from(
            failure instanceof ExchangeException
                ? failure
                : new UpstreamException(Kind.CANCELLED, failure)));
  }

  /** Nothing more comes. */
  private void finish(Content.Chunk last) {
    Content.Source current;
    Attempts running;
    Runnable waiting;
    synchronized (lock) {
      if (end != null) {
        return;
      }
      end = last;
      current = part;
      running = asked;
      waiting = demand;
      demand = null;
      stop(pause);
      stop(budget);
    }
    ExchangeException failure =
        last.getFailure() instanceof ExchangeException known
            ? known
            : new UpstreamException(Kind.CANCELLED);
    if (current != null) {
      current.fail(failure);
    }
    if (running != null) {
      running.cancel(failure);
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  private static void stop(@Nullable Future<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }

  /** What comes of asking for the bytes from {@code start} on. */
  private final class NextPart implements Attempts.Listener {
    private final long start;

    NextPart(long start) {
      this.start = start;
    }

    @Override
    public void onResponse(UpstreamHead head, FetchBody body) {
      if (continuation.continuesAt(start, head)) {
        take(body);
        return;
      }
      UpstreamException refusal = refusal(head);
      body.fail(refusal);
      if (continuation.isWorthAnother(head)) {
        again(refusal, retryAfter(head));
      } else {
        finish(Content.Chunk.from(refusal));
      }
    }

    private void take(FetchBody body) {
      Runnable waiting;
      Content.Chunk over;
      synchronized (lock) {
        over = end;
        waiting = demand;
        if (over == null) {
          part = body;
          partBytes = 0;
          demand = null;
          if (row.isRunning()) {
            shared.metrics().resumes().increment();
          }
        }
      }
      if (over != null) {
        body.fail(new UpstreamException(Kind.CANCELLED));
      } else if (waiting != null) {
        body.demand(waiting);
      }
    }

    /** Another representation, or none: then what was cut stays cut. */
    private UpstreamException refusal(UpstreamHead head) {
      int status = head.status();
      boolean isOther = status < 300 || status == 412 || status == 416;
      return new UpstreamException(isOther ? Kind.CHANGED_CONTENT : Kind.UPSTREAM_CLOSED);
    }

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
        finish(Content.Chunk.from(failure));
      }
    }
  }
}
