package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;

/** Reads a short body to its end, and of a long one the beginning. */
final class GatheredBody {
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

  private final Content.Source source;
  private final Listener listener;
  private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();

  private GatheredBody(Content.Source source, Listener listener) {
    this.source = source;
    this.listener = listener;
  }

  /** Never blocks. */
  static void gather(Content.Source source, Listener listener) {
    new GatheredBody(source, listener).gather();
  }

  private void gather() {
    boolean isLast = false;
    while (!isLast && gathered.size() <= MAX_BYTES) {
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        source.demand(this::gather);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        Throwable failure = chunk.getFailure();
        listener.failed(
            failure instanceof ExchangeException known
                ? known
                : ForwardException.clientFailed(failure));
        return;
      }
      add(chunk.getByteBuffer());
      isLast = chunk.isLast();
      chunk.release();
    }
    if (gathered.size() > MAX_BYTES) {
      listener.goesOn(gathered.toByteArray());
    } else {
      listener.ended(gathered.toByteArray());
    }
  }

  private void add(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    gathered.writeBytes(copy);
  }
}
