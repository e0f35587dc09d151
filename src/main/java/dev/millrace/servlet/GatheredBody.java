package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;

/** Reads a short body to its end, and of a long one the beginning. */
final class GatheredBody extends BodyReading {
  /** What is gathered before anything is sent; a chunk of the source may come on top. */
  static final int MAX_BYTES = 64 << 10;

  /** What comes of it: one of the three, once. */
  interface Listener {
    /** That is all, {@link #MAX_BYTES} at most. */
    void ended(byte[] all);

    /** More than {@link #MAX_BYTES}; what follows is still in the source. */
    void goesOn(byte[] begun);

    void failed(ExchangeException failure);
  }

  private final Listener listener;
  private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();

  private GatheredBody(Content.Source source, Listener listener) {
    super(source);
    this.listener = listener;
  }

  /** Never blocks. */
  static void gather(Content.Source source, Listener listener) {
    new GatheredBody(source, listener).run();
  }

  @Override
  boolean take(Content.Chunk chunk) {
    add(chunk.getByteBuffer());
    chunk.release();
    if (gathered.size() > MAX_BYTES) {
      listener.goesOn(gathered.toByteArray());
      return true;
    }
    if (chunk.isLast()) {
      listener.ended(gathered.toByteArray());
    }
    return chunk.isLast();
  }

  @Override
  void failed(Throwable failure) {
    listener.failed(
        failure instanceof ExchangeException known
            ? known
            : ForwardException.clientFailed(failure));
  }

  private void add(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    gathered.writeBytes(copy);
  }
}
