package dev.millrace.upstream;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A gzip body (RFC 1952) as the bytes that were coded: one member or several. One that stops early
 * ends in a failure, never in a last chunk; an empty one is taken as the coding of nothing.
 *
 * <p>Holds one coded chunk and one output of at most 32 KiB. Read by one caller at a time; may be
 * failed from any thread.
 */
final class GzipBody implements Content.Source {
  private static final int OUTPUT_BYTES = 32 << 10;

  private final Content.Source coded;
  private final GzipFraming framing = new GzipFraming();
  private final Inflater inflater = new Inflater(true);
  private Content.@Nullable Chunk input;
  private @Nullable Throwable failure;
  private boolean isEnded;

  GzipBody(Content.Source coded) {
    this.coded = coded;
  }

  @Override
  public Content.@Nullable Chunk read() {
    while (true) {
      Content.Chunk next = isInputHere() ? null : coded.read();
      synchronized (this) {
        if (failure != null || isEnded) {
          release(next);
          return failure == null ? Content.Chunk.EOF : Content.Chunk.from(failure);
        }
        if (input == null) {
          if (next == null) {
            return null;
          }
          if (Content.Chunk.isFailure(next)) {
            return ended(next.getFailure());
          }
          input = next;
        }
        Content.Chunk made = step(input);
        if (made != null) {
          return made;
        }
      }
    }
  }

  private synchronized boolean isInputHere() {
    return input != null || failure != null || isEnded;
  }

  /** What comes of {@code chunk} now; null: more of it, or the next one, is needed first. */
  private Content.@Nullable Chunk step(Content.Chunk chunk) {
    ByteBuffer bytes = chunk.getByteBuffer();
    try {
      framing.read(bytes);
      if (framing.isInData()) {
        ByteBuffer output = inflate(bytes);
        if (output.hasRemaining()) {
          return Content.Chunk.from(output, false);
        }
      }
    } catch (IOException e) {
      coded.fail(e);
      return ended(e);
    }
    if (bytes.hasRemaining()) {
      return null;
    }
    input = null;
    chunk.release();
    if (!chunk.isLast()) {
      return null;
    }
    return ended(framing.isBetweenMembers() ? null : new EOFException("gzip stops early"));
  }

  private ByteBuffer inflate(ByteBuffer bytes) throws ZipException {
    ByteBuffer output = ByteBuffer.allocate(OUTPUT_BYTES);
    try {
      inflater.setInput(bytes);
      inflater.inflate(output);
    } catch (DataFormatException e) {
      ZipException broken = new ZipException("gzip data is broken");
      broken.initCause(e);
      throw broken;
    }
    if (inflater.needsDictionary()) {
      throw new ZipException("gzip has no dictionaries");
    }
    if (inflater.finished()) {
      framing.endData();
      inflater.reset();
    }
    return output.flip();
  }

  private synchronized Content.Chunk ended(@Nullable Throwable cause) {
    if (!isEnded) {
      isEnded = true;
      failure = cause;
      inflater.end();
      release(input);
      input = null;
    }
    return failure == null ? Content.Chunk.EOF : Content.Chunk.from(failure);
  }

  private static void release(Content.@Nullable Chunk chunk) {
    if (chunk != null) {
      chunk.release();
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    coded.demand(demandCallback); // nothing to read means that no coded byte is left here
  }

  @Override
  public void fail(Throwable cause) {
    ended(cause);
    coded.fail(cause);
  }
}
