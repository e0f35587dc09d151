package dev.millrace.servlet;

import dev.millrace.hls.PlaylistText;
import dev.millrace.stream.ExchangeException;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;

/** Reads a body to its end, into memory that is reserved as it grows. */
final class CollectedText extends BodyReading {
  /** Hears one of the two, once. */
  interface Listener {
    void collected(PlaylistText text);

    /** The body is failed. */
    void failed(Throwable failure);
  }

  private final TextHold memory;
  private final int maxBytes;
  private final Supplier<ExchangeException> tooLarge;
  private final Listener listener;
  private final PlaylistText.Collector collector = new PlaylistText.Collector();

  /**
   * @param memory of whoever keeps the text, who gives it back
   * @param maxBytes at most {@link PlaylistText#MAX_BYTES}
   * @param tooLarge what is said of more
   */
  CollectedText(
      Content.Source body,
      TextHold memory,
      int maxBytes,
      Supplier<ExchangeException> tooLarge,
      Listener listener) {
    super(body);
    this.memory = memory;
    this.maxBytes = maxBytes;
    this.tooLarge = tooLarge;
    this.listener = listener;
  }

  @Override
  boolean take(Content.Chunk chunk) {
    try {
      collect(chunk);
    } catch (ExchangeException e) {
      body().fail(e);
      listener.failed(e);
      return true;
    } finally {
      chunk.release();
    }
    if (chunk.isLast()) {
      listener.collected(collector.toText());
    }
    return chunk.isLast();
  }

  @Override
  void failed(Throwable failure) {
    listener.failed(failure);
  }

  private void collect(Content.Chunk chunk) throws ExchangeException {
    int length = collector.length() + chunk.remaining();
    if (length > maxBytes) {
      throw tooLarge.get();
    }
    memory.reserve(length);
    collector.append(chunk.getByteBuffer());
  }
}
