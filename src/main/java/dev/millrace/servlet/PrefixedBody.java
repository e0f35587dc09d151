package dev.millrace.servlet;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Bytes, and a body behind them; given away 64 KiB at a time. Read by one caller at a time; failed
 * from any thread.
 */
final class PrefixedBody implements Content.Source {
  private static final int PIECE_BYTES = 64 << 10;

  private final ByteBuffer prefix;
  private final Content.Source rest;
  private volatile Content.@Nullable Chunk failed;

  /**
   * @param prefix nobody changes it any more
   */
  PrefixedBody(byte[] prefix, Content.Source rest) {
    this.prefix = ByteBuffer.wrap(prefix).asReadOnlyBuffer();
    this.rest = rest;
  }

  @Override
  public Content.@Nullable Chunk read() {
    Content.Chunk failure = failed;
    if (failure != null) {
      return failure;
    }
    if (!prefix.hasRemaining()) {
      return rest.read();
    }
    int length = Math.min(PIECE_BYTES, prefix.remaining());
    ByteBuffer piece = prefix.slice(prefix.position(), length);
    prefix.position(prefix.position() + length);
    return Content.Chunk.from(piece, false);
  }

  @Override
  public void demand(Runnable demandCallback) {
    if (failed != null || prefix.hasRemaining()) {
      demandCallback.run();
    } else {
      rest.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable failure) {
    if (failed == null) {
      failed = Content.Chunk.from(failure);
    }
    rest.fail(failure);
  }
}
