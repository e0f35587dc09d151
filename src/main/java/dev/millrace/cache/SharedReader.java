package dev.millrace.cache;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a {@link Download}, from its first byte on. Its fields are guarded by the
 * download's lock.
 *
 * <p>Demand is answered outside of that lock, by one thread at a time: who demands again while an
 * answer still runs is answered by that thread, so the stack does not grow along a body.
 */
final class SharedReader implements Content.Source, Fetching {
  private final Download download;
  private final Ticket ticket;
  private final boolean mayRetry;

  /** Whether the listener has been told, or is being told. */
  private boolean isAnswered;

  private long position;
  private int chunksOut;
  private long chunksOutFrom;
  private long activeNanos;
  private @Nullable Runnable demand;
  private boolean isDispatching;

  /** What every further read gives; it is no reader of the download any more. */
  private Content.@Nullable Chunk end;

  /**
   * @param mayRetry whether it asks again by itself if there is no answer
   */
  SharedReader(Download download, Ticket ticket, boolean mayRetry) {
    this.download = download;
    this.ticket = ticket;
    this.mayRetry = mayRetry;
  }

  Ticket ticket() {
    return ticket;
  }

  boolean mayRetry() {
    return mayRetry;
  }

  /** True for the one who has to tell the listener. */
  boolean answer() {
    boolean isFirst = !isAnswered;
    isAnswered = true;
    return isFirst;
  }

  long position() {
    return position;
  }

  /** Up to where it needs nothing any more, what is being written included. */
  long consumed() {
    return chunksOut == 0 ? position : chunksOutFrom;
  }

  boolean isWaiting() {
    return demand != null;
  }

  /** When it last took, gave back or wanted something. */
  long activeNanos() {
    return activeNanos;
  }

  void active(long nanos) {
    activeNanos = nanos;
  }

  /** It was given so many bytes. */
  void took(int count, long nanos) {
    if (chunksOut == 0) {
      chunksOutFrom = position;
    }
    chunksOut++;
    position += count;
    activeNanos = nanos;
  }

  /** It has given a chunk back. */
  void gaveBack(long nanos) {
    chunksOut--;
    activeNanos = nanos;
  }

  Content.@Nullable Chunk end() {
    return end;
  }

  /** Nothing follows but this. */
  void endWith(Content.Chunk last) {
    end = last;
  }

  /** Whether somebody has to call {@link #dispatch} now: its demand can be answered. */
  boolean startDispatch() {
    if (demand == null || isDispatching) {
      return false;
    }
    isDispatching = true;
    return true;
  }

  /** Answers its demands, one after the other; called without the lock. */
  void dispatch() {
    for (Runnable next = nextDemand(); next != null; next = nextDemand()) {
      next.run();
    }
  }

  private @Nullable Runnable nextDemand() {
    synchronized (download.lock()) {
      Runnable next = download.isReadable(this) ? demand : null;
      if (next == null) {
        isDispatching = false;
      } else {
        demand = null;
      }
      return next;
    }
  }

  @Override
  public long getLength() {
    return download.length();
  }

  @Override
  public Content.@Nullable Chunk read() {
    return download.read(this);
  }

  @Override
  public void demand(Runnable demandCallback) {
    boolean isDue;
    synchronized (download.lock()) {
      demand = demandCallback;
      activeNanos = download.nanoTime();
      isDue = download.isReadable(this) && startDispatch();
    }
    if (isDue) {
      dispatch();
    }
  }

  @Override
  public void fail(Throwable failure) {
    download.leave(
        this,
        failure instanceof ExchangeException known
            ? known
            : new UpstreamException(Kind.CANCELLED, failure));
  }

  @Override
  public void cancel() {
    download.leave(this, new UpstreamException(Kind.CANCELLED));
  }
}
