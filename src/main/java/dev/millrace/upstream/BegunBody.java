package dev.millrace.upstream;

import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A body of which the first chunk was read before, given again here. Owns that chunk until it is
 * read or the body is failed. Read by one caller at a time; failed from any thread.
 */
public final class BegunBody implements Content.Source {
  private final Content.Source rest;
  private Content.@Nullable Chunk first;
  private final boolean isWhole;
  private Content.@Nullable Chunk end;

  /**
   * @param first with or without bytes, but no failure
   */
  public BegunBody(Content.Chunk first, Content.Source rest) {
    this.first = first;
    this.rest = rest;
    this.isWhole = first.isLast();
  }

  @Override
  public long getLength() {
    return rest.getLength();
  }

  @Override
  public Content.@Nullable Chunk read() {
    synchronized (this) {
      if (end != null) {
        return end;
      }
      if (first != null) {
        Content.Chunk chunk = first;
        first = null;
        end = isWhole ? Content.Chunk.EOF : null;
        return chunk;
      }
    }
    return rest.read();
  }

  @Override
  public void demand(Runnable demandCallback) {
    boolean isReadable;
    synchronized (this) {
      isReadable = first != null || end != null;
    }
    if (isReadable) {
      demandCallback.run();
    } else {
      rest.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable failure) {
    synchronized (this) {
      if (first != null) {
        first.release();
        first = null;
        end = Content.Chunk.from(failure);
      }
    }
    rest.fail(failure);
  }
}
