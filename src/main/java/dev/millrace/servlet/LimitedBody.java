package dev.millrace.servlet;

import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** The body of an answer that may have so many bytes; one more ends it in a failure. */
final class LimitedBody implements Content.Source {
  private final Content.Source source;
  private final long maxBytes;
  private long readBytes;

  LimitedBody(Content.Source source, long maxBytes) {
    this.source = source;
    this.maxBytes = maxBytes;
  }

  @Override
  public long getLength() {
    return source.getLength();
  }

  @Override
  public Content.@Nullable Chunk read() {
    Content.Chunk chunk = source.read();
    if (chunk == null || Content.Chunk.isFailure(chunk)) {
      return chunk;
    }
    readBytes += chunk.remaining();
    if (readBytes <= maxBytes) {
      return chunk;
    }
    chunk.release();
    ForwardException tooLarge = ForwardException.responseTooLarge(maxBytes);
    source.fail(tooLarge);
    return Content.Chunk.from(tooLarge);
  }

  @Override
  public void demand(Runnable demandCallback) {
    source.demand(demandCallback);
  }

  @Override
  public void fail(Throwable failure) {
    source.fail(failure);
  }
}
