package dev.millrace.upstream;

import java.io.IOException;
import org.eclipse.jetty.io.Content;

/**
 * Reads a body that nobody wants, so that its connection can be used again; a body above 16 KiB
 * costs more than a new connection and is failed instead.
 */
final class Discard implements Runnable {
  private static final int LIMIT_BYTES = 16 << 10;

  private final Content.Source body;
  private int seenBytes;

  private Discard(Content.Source body) {
    this.body = body;
  }

  static void of(Content.Source body) {
    new Discard(body).run();
  }

  @Override
  public void run() {
    while (true) {
      Content.Chunk chunk = body.read();
      if (chunk == null) {
        body.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        return;
      }
      seenBytes += chunk.remaining();
      chunk.release();
      if (chunk.isLast()) {
        return;
      }
      if (seenBytes > LIMIT_BYTES) {
        body.fail(new IOException("the rest of the body is not wanted"));
        return;
      }
    }
  }
}
