package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Continuation.Next;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One body out of several answers: when one is over, cut or capped, {@link NextPart} brings the
 * next, which is appended. {@link Continuation} says what goes on how.
 *
 * <p>Read by one caller at a time. Between two parts {@link #read} gives nothing, and a demand
 * waits for the next. {@link #fail}, parts and ends come from any thread; the lock is never held
 * while others are called.
 */
final class ContinuedBody implements Content.Source, NextPart.Receiver {
  private final Fetcher shared;
  private final Continuation continuation;
  private final NextPart nextPart;
  private final Object lock = new Object();
  private long position;
  private long partBytes;
  private long partNanos;
  private Duration longestFlow = Duration.ZERO;
  private Content.@Nullable Source part;
  private @Nullable Runnable demand;
  private boolean isAwaited;
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
    this.continuation = continuation;
    this.nextPart = new NextPart(shared, request, source, continuation, this);
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
      isAwaited = false;
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
      return cut(current, known(chunk.getFailure()));
    }
    if (chunk.hasRemaining()) {
      count(chunk.remaining());
    }
    long missing = missing();
    if (missing < 0) {
      chunk.release();
      return go(Next.FAIL, new UpstreamException(Kind.BAD_RESPONSE)); // it sends more than it said
    }
    return chunk.isLast() ? last(chunk, missing) : chunk;
  }

  private void count(int bytes) {
    boolean isSettled;
    synchronized (lock) {
      long now = shared.nanoTime().getAsLong();
      partNanos = partBytes == 0 ? now : partNanos;
      partBytes += bytes;
      position += bytes;
      Duration flow = Duration.ofNanos(now - partNanos);
      longestFlow = flow.compareTo(longestFlow) > 0 ? flow : longestFlow;
      isSettled = continuation.isSettled(partBytes, flow);
    }
    nextPart.good(isSettled);
  }

  /** Negative: there was too much. */
  private long missing() {
    synchronized (lock) {
      return continuation.end() - position;
    }
  }

  private static ExchangeException known(Throwable failure) {
    return failure instanceof ExchangeException exchange
        ? exchange
        : new UpstreamException(Kind.UPSTREAM_CLOSED, failure);
  }

  private Content.@Nullable Chunk cut(Content.Source broken, ExchangeException failure) {
    broken.fail(failure);
    boolean isWhole = missing() == 0; // only the end itself was cut off
    Next otherwise = Resumption.isPassing(failure) ? continuation.afterCut() : Next.FAIL;
    return go(isWhole ? Next.END : otherwise, failure);
  }

  private Content.@Nullable Chunk last(Content.Chunk chunk, long missing) {
    Next next;
    synchronized (lock) {
      next = missing == 0 ? Next.END : continuation.afterEnd(partBytes, longestFlow);
    }
    boolean isCut = next == Next.RESUME;
    Content.Chunk over = go(next, isCut ? new UpstreamException(Kind.UPSTREAM_CLOSED) : null);
    if (next == Next.END) {
      return chunk;
    }
    if (!chunk.hasRemaining()) {
      chunk.release();
      return over;
    }
    return Content.Chunk.asChunk(chunk.getByteBuffer(), false, chunk);
  }

  /**
   * Sees to what follows the part that is over.
   *
   * @param why it is; null after a clean end
   * @return what a read gives now
   */
  private Content.@Nullable Chunk go(Next next, @Nullable ExchangeException why) {
    long start;
    synchronized (lock) {
      start = position;
      if (next == Next.END) {
        end = end == null ? Content.Chunk.EOF : end;
      } else if (next != Next.FAIL) {
        part = null;
      }
    }
    switch (next) {
      case END -> {}
      case NEXT_PART -> nextPart.ask(start);
      case RESUME, REOPEN -> nextPart.askAgain(start, why);
      case FAIL -> onEnd(Content.Chunk.from(why == null ? cancelled(null) : why));
    }
    synchronized (lock) {
      return end;
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    Content.Source current;
    synchronized (lock) {
      isAwaited = true;
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

  @Override
  public boolean isAwaited() {
    synchronized (lock) {
      return isAwaited;
    }
  }

  @Override
  public void onPart(FetchBody next) {
    Runnable waiting;
    Content.Chunk over;
    synchronized (lock) {
      over = end;
      waiting = demand;
      if (over == null) {
        part = next;
        partBytes = 0;
        demand = null;
      }
    }
    if (over != null) {
      next.fail(cancelled(null));
    } else if (waiting != null) {
      next.demand(waiting);
    }
  }

  /** Ends whatever is being read, asked for or waited for. */
  @Override
  public void fail(Throwable failure) {
    onEnd(
        Content.Chunk.from(
            failure instanceof ExchangeException known ? known : cancelled(failure)));
  }

  private static UpstreamException cancelled(@Nullable Throwable cause) {
    return new UpstreamException(Kind.CANCELLED, cause);
  }

  @Override
  public void onEnd(Content.Chunk last) {
    Content.Source current;
    Runnable waiting;
    synchronized (lock) {
      if (end != null) {
        return;
      }
      end = last;
      current = part;
      waiting = demand;
      demand = null;
    }
    ExchangeException failure =
        last.getFailure() instanceof ExchangeException known ? known : cancelled(null);
    if (current != null) {
      current.fail(failure);
    }
    nextPart.cancel(failure);
    if (waiting != null) {
      waiting.run();
    }
  }
}
