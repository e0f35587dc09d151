package dev.millrace.servlet;

import dev.millrace.hls.PlaylistText;
import dev.millrace.proxy.PlaylistRefusedException;
import dev.millrace.stream.ExchangeException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;

/** Reads a body to its end, into memory that is reserved as it grows. */
final class CollectedText implements Invocable.Task {
  /** Hears one of the two, once. */
  interface Listener {
    void collected(PlaylistText text);

    /** The body is failed. */
    void failed(Throwable failure);
  }

  private final Content.Source body;
  private final TextHold memory;
  private final int maxBytes;
  private final Listener listener;
  private final PlaylistText.Collector collector = new PlaylistText.Collector();

  /**
   * @param memory of whoever keeps the text, who gives it back
   * @param maxBytes beyond which it is refused ({@code playlist_too_large}); at most {@link
   *     PlaylistText#MAX_BYTES}
   */
  CollectedText(Content.Source body, TextHold memory, int maxBytes, Listener listener) {
    this.body = body;
    this.memory = memory;
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
    memory.reserve(length);
    collector.append(chunk.getByteBuffer());
  }
}
