package dev.millrace.servlet;

import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A part of a body: what stands before is read and dropped, what stands behind is not asked for.
 * Read by one caller at a time; failed from any thread.
 */
final class WindowBody implements Content.Source {
  private final Content.Source source;
  private final boolean isExact;
  private long skipBytes;
  private long leftBytes;
  private volatile Content.@Nullable Chunk end;

  private WindowBody(Content.Source source, long from, long length, boolean isExact) {
    this.source = source;
    this.skipBytes = from;
    this.leftBytes = length;
    this.isExact = isExact;
  }

  /** So many bytes; fails if the body ends before. */
  static WindowBody exactly(Content.Source source, long from, long length) {
    return new WindowBody(source, from, length, true);
  }

  /** So many bytes, or what there is. */
  static WindowBody upTo(Content.Source source, long from, long length) {
    return new WindowBody(source, from, length, false);
  }

  @Override
  public Content.@Nullable Chunk read() {
    while (end == null) {
      if (leftBytes == 0) {
        return ended();
      }
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        return null;
      }
      if (Content.Chunk.isFailure(chunk)) {
        end = chunk;
        return chunk;
      }
      Content.Chunk part = part(chunk);
      if (part != null) {
        return part;
      }
    }
    return end;
  }

  private Content.Chunk ended() {
    end = Content.Chunk.EOF;
    source.fail(new IOException("nothing more is wanted"));
    return Content.Chunk.EOF;
  }

  /** Null if nothing of it is in the window. */
  private Content.@Nullable Chunk part(Content.Chunk chunk) {
    ByteBuffer bytes = chunk.getByteBuffer();
    int dropped = (int) Math.min(skipBytes, bytes.remaining());
    skipBytes -= dropped;
    int length = (int) Math.min(leftBytes, bytes.remaining() - dropped);
    leftBytes -= length;
    boolean isLast = chunk.isLast();
    if (isLast) {
      end = isExact && leftBytes > 0 ? cut() : Content.Chunk.EOF;
    }
    if (length == 0) {
      chunk.release();
      return null;
    }
    ByteBuffer wanted = bytes.slice(bytes.position() + dropped, length);
    return Content.Chunk.asChunk(wanted, end == Content.Chunk.EOF, chunk);
  }

  private static Content.Chunk cut() {
    return Content.Chunk.from(new UpstreamException(Kind.UPSTREAM_CLOSED));
  }

  @Override
  public void demand(Runnable demandCallback) {
    if (end != null || leftBytes == 0) {
      demandCallback.run();
    } else {
      source.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable failure) {
    if (end == null) {
      end = Content.Chunk.from(failure);
    }
    source.fail(failure);
  }
}
