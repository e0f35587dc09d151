package dev.millrace.upstream;

import dev.millrace.upstream.UpstreamException.Kind;
import java.nio.ByteBuffer;
import java.util.zip.ZipException;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A gzip body, decoded while it is read: one chunk of the origin and 16 KiB of output at a time,
 * however well it was compressed. A body that ends too early or is broken ends in a failure.
 */
final class DecodedBody implements Content.Source {
  private static final int OUTPUT_BYTES = 16 << 10;

  private final Content.Source coded;
  private final Gunzip gunzip = new Gunzip();
  private Content.@Nullable Chunk input;
  private Content.@Nullable Chunk end;
  private volatile @Nullable Throwable failure;

  DecodedBody(Content.Source coded) {
    this.coded = coded;
  }

  @Override
  public Content.@Nullable Chunk read() {
    while (end == null) {
      Content.Chunk current = input;
      Throwable failed = failure;
      if (failed != null) {
        return failedBy(failed, current);
      }
      if (current == null) {
        current = coded.read();
        if (current == null) {
          return null;
        }
        input = current;
      }
      if (Content.Chunk.isFailure(current)) {
        return endWith(current);
      }
      Content.Chunk output = decode(current);
      if (output != null) {
        return output;
      }
    }
    return end;
  }

  private Content.Chunk failedBy(Throwable cause, Content.@Nullable Chunk current) {
    if (current != null) {
      current.release();
    }
    return endWith(Content.Chunk.from(cause));
  }

  /** Gives what the chunk decodes to, or gives up the chunk and gives nothing. */
  private Content.@Nullable Chunk decode(Content.Chunk current) {
    byte[] output = new byte[OUTPUT_BYTES];
    try {
      int count = gunzip.decode(current.getByteBuffer(), output);
      if (count > 0) {
        return Content.Chunk.from(ByteBuffer.wrap(output, 0, count), false);
      }
    } catch (ZipException e) {
      UpstreamException broken = new UpstreamException(Kind.BAD_RESPONSE, e);
      coded.fail(broken);
      return failedBy(broken, current);
    }
    if (current.hasRemaining()) {
      return null;
    }
    boolean isLast = current.isLast();
    current.release();
    input = null;
    if (isLast) {
      return endWith(
          gunzip.isComplete()
              ? Content.Chunk.EOF
              : Content.Chunk.from(new UpstreamException(Kind.UPSTREAM_CLOSED)));
    }
    return null;
  }

  private Content.Chunk endWith(Content.Chunk last) {
    gunzip.close();
    input = null;
    end = last;
    return last;
  }

  @Override
  public void demand(Runnable demandCallback) {
    if (end != null || input != null) {
      demandCallback.run();
    } else {
      coded.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable cause) {
    failure = cause;
    coded.fail(cause);
  }
}
