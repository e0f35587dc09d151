package dev.millrace.upstream;

import dev.millrace.upstream.UpstreamException.Kind;
import java.nio.ByteBuffer;
import java.util.zip.ZipException;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A gzip body, decoded while it is read: one chunk of the origin and 16 KiB of output at a time,
 * however well it was compressed. A body that ends too early or is broken ends in a failure; one
 * without a single byte decodes to nothing. Read by one caller at a time; failed from any thread.
 */
final class DecodedBody implements Content.Source {
  private static final int OUTPUT_BYTES = 16 << 10;

  private final Content.Source coded;
  private final Gunzip gunzip = new Gunzip();
  private Content.@Nullable Chunk input;
  private Content.@Nullable Chunk end;

  DecodedBody(Content.Source coded) {
    this.coded = coded;
  }

  @Override
  public Content.@Nullable Chunk read() {
    while (true) {
      Content.Chunk next = needsInput() ? coded.read() : null;
      synchronized (this) {
        if (end != null) { // failed meanwhile
          if (next != null) {
            next.release();
          }
          return end;
        }
        input = input == null ? next : input;
        if (input == null) {
          return null;
        }
        if (Content.Chunk.isFailure(input)) {
          return endWith(input);
        }
        Content.Chunk output = decode(input);
        if (output != null) {
          return output;
        }
      }
    }
  }

  private synchronized boolean needsInput() {
    return end == null && input == null;
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
      current.release();
      UpstreamException broken = new UpstreamException(Kind.BAD_RESPONSE, e);
      coded.fail(broken);
      return endWith(Content.Chunk.from(broken));
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
    if (needsInput()) {
      coded.demand(demandCallback);
    } else {
      demandCallback.run();
    }
  }

  @Override
  public void fail(Throwable failure) {
    synchronized (this) {
      if (end == null) {
        if (input != null) {
          input.release();
        }
        endWith(Content.Chunk.from(failure));
      }
    }
    coded.fail(failure);
  }
}
