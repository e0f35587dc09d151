package dev.millrace.servlet;

import dev.millrace.stream.WaitTimer;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * The body of a client's request, read as fast as somebody takes it and never faster: what is not
 * taken stays with the client.
 *
 * <h2>Who reads</h2>
 *
 * One reader at a time, on whatever thread. The container is never called with a lock held, because
 * containers hold locks of their own when they call back. Whoever reads has the turn; a callback in
 * the meantime is noted and found when the turn ends. When the container has let go of the
 * exchange, {@link #close} waits for the end of the turn: what is read then may be somebody else's.
 *
 * <h2>Limits</h2>
 *
 * So many bytes, and so long a wait for the next of them. Both end the body in a failure.
 */
final class ClientBody implements Content.Source, ReadListener {
  private static final int CHUNK_BYTES = 16 << 10;
  private static final long MAX_WAIT_NANOS = 10_000_000_000L;
  private static final long POLL_NANOS = 100_000;

  private enum Turn {
    /** The container is going to call. */
    CONTAINER,
    /** It can be read. */
    READY,
    /** Somebody reads. */
    READING
  }

  private final ServletInputStream in;
  private final long length;
  private final long maxBytes;
  private final Runnable end;
  private final Runnable broken;
  private final WaitTimer silence;
  private long readBytes;
  private Turn turn = Turn.CONTAINER;
  private boolean isCalled;
  private @Nullable Runnable demand;
  private Content.@Nullable Chunk last;
  private boolean isRead;

  /**
   * @param length that the client announces; -1: none
   * @param silenceTimer makes the timer that limits one wait for the client, from what to do then
   * @param end runs once all has been read
   * @param broken runs when the client is seen to have left, before whoever waits is told
   */
  ClientBody(
      ServletInputStream in,
      long length,
      long maxBytes,
      Function<Runnable, WaitTimer> silenceTimer,
      Runnable end,
      Runnable broken) {
    this.in = in;
    this.length = length;
    this.maxBytes = maxBytes;
    this.end = end;
    this.broken = broken;
    this.silence = silenceTimer.apply(() -> fail(ForwardException.clientStalled()));
  }

  /** Begins; the request is asynchronous. */
  ClientBody open() {
    silence.open();
    in.setReadListener(this);
    return this;
  }

  @Override
  public long getLength() {
    return length;
  }

  /** Whether all of it has been read. */
  synchronized boolean isRead() {
    return isRead;
  }

  @Override
  public Content.@Nullable Chunk read() {
    silence.stop();
    synchronized (this) {
      if (last != null) {
        return last;
      }
      if (turn != Turn.READY) {
        return null;
      }
      turn = Turn.READING;
      isCalled = false;
    }
    byte[] bytes = new byte[CHUNK_BYTES]; // containers disagree on what they do with a buffer
    int count = 0;
    boolean isReady = false;
    Throwable failure = null;
    try {
      isReady = in.isFinished() || in.isReady();
      count = !isReady ? 0 : in.isFinished() ? -1 : in.read(bytes, 0, CHUNK_BYTES);
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    Content.Chunk chunk = endTurn(isReady, count, bytes, failure);
    if (failure != null) {
      broken.run();
    }
    return chunk;
  }

  private Content.@Nullable Chunk endTurn(
      boolean isReady, int count, byte[] bytes, @Nullable Throwable failure) {
    boolean isEnd = false;
    Content.Chunk chunk = null;
    synchronized (this) {
      turn = isReady || isCalled ? Turn.READY : Turn.CONTAINER;
      readBytes += Math.max(0, count);
      if (last == null && failure != null) {
        last = Content.Chunk.from(ForwardException.clientFailed(failure));
      } else if (last == null && readBytes > maxBytes) {
        last = Content.Chunk.from(ForwardException.requestTooLarge(maxBytes));
      } else if (last == null && count < 0) {
        last = Content.Chunk.EOF;
        isRead = true;
        isEnd = true;
      } else if (last == null && count > 0) {
        chunk = Content.Chunk.from(ByteBuffer.wrap(bytes, 0, count), false);
      }
      chunk = chunk == null ? last : chunk;
    }
    if (isEnd) {
      silence.close();
      end.run();
    }
    return chunk;
  }

  @Override
  public void demand(Runnable demandCallback) {
    synchronized (this) {
      if (last == null && turn == Turn.CONTAINER) {
        demand = demandCallback;
        silence.start();
        return;
      }
    }
    demandCallback.run();
  }

  @Override
  public void onDataAvailable() {
    called();
  }

  @Override
  public void onAllDataRead() {
    called();
  }

  private void called() {
    Runnable waiting;
    synchronized (this) {
      if (turn == Turn.READING) {
        isCalled = true;
        return;
      }
      turn = Turn.READY;
      waiting = demand;
      demand = null;
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (failure instanceof TimeoutException) {
      fail(ForwardException.clientStalled());
    } else {
      broken.run();
      fail(ForwardException.clientFailed(failure));
    }
  }

  /** Ends it early; whoever waits for more is told. Any thread. */
  @Override
  public void fail(Throwable failure) {
    silence.close();
    Runnable waiting;
    synchronized (this) {
      if (last == null) {
        last = Content.Chunk.from(failure);
      }
      waiting = demand;
      demand = null;
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  /** The container has let go of the request, or is about to. */
  void close() {
    fail(new IOException("the exchange is over"));
    long start = System.nanoTime();
    while (isReading() && System.nanoTime() - start < MAX_WAIT_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private synchronized boolean isReading() {
    return turn == Turn.READING;
  }
}
