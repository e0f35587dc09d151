package dev.millrace.servlet;

import dev.millrace.hls.PlaylistText;
import dev.millrace.proxy.PlaylistRefusedException;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MemoryBudget;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads a body to its end, into memory that is reserved as it grows and given back by {@link
 * #close}.
 */
final class CollectedText implements Invocable.Task, AutoCloseable {
  private static final int STEP_BYTES = 64 << 10;

  /** Hears one of the two, once. */
  interface Listener {
    void collected(PlaylistText text);

    /** The body is failed. */
    void failed(Throwable failure);
  }

  private final Content.Source body;
  private final MemoryBudget budget;
  private final int maxBytes;
  private final Listener listener;
  private final PlaylistText.Collector collector = new PlaylistText.Collector();
  private long reservedBytes;
  private boolean isClosed;

  /**
   * @param maxBytes beyond which it is refused ({@code playlist_too_large}); at most {@link
   *     PlaylistText#MAX_BYTES}
   */
  CollectedText(Content.Source body, MemoryBudget budget, int maxBytes, Listener listener) {
    this.body = body;
    this.budget = budget;
    this.maxBytes = maxBytes;
    this.listener = listener;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  /** Reads on, now and when there is more. */
  @Override
  public void run() {
    while (true) {
      Content.Chunk chunk = body.read();
      if (chunk == null) {
        body.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        listener.failed(chunk.getFailure());
        return;
      }
      boolean isLast = chunk.isLast();
      try {
        take(chunk);
      } catch (ExchangeException e) {
        body.fail(e);
        listener.failed(e);
        return;
      } finally {
        chunk.release();
      }
      if (isLast) {
        listener.collected(collector.toText());
        return;
      }
    }
  }

  private void take(Content.Chunk chunk) throws ExchangeException {
    int length = collector.length() + chunk.remaining();
    if (length > maxBytes) {
      throw PlaylistRefusedException.tooLarge(maxBytes);
    }
    reserve(length);
    collector.append(chunk.getByteBuffer());
  }

  private synchronized void reserve(int lengthBytes) throws ExchangeException {
    if (!isClosed && lengthBytes > reservedBytes) {
      long steps = (lengthBytes - reservedBytes + STEP_BYTES - 1) / STEP_BYTES;
      budget.reserve(steps * STEP_BYTES);
      reservedBytes += steps * STEP_BYTES;
    }
  }

  /** Any thread; idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (reservedBytes > 0) {
      budget.release(reservedBytes);
      reservedBytes = 0;
    }
  }
}
