package dev.millrace.servlet;

import dev.millrace.upstream.BegunBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.io.Content;

/**
 * Reads the beginning of a body, until whoever has to know it has seen enough; the body is then
 * handed on with its beginning. What is seen is at most a stated number of bytes, or what the first
 * chunk holds: only if that is not enough is anything copied.
 */
final class BodyStart extends BodyReading {
  /** Says when enough was seen. */
  @FunctionalInterface
  interface Judge {
    /**
     * Whether what follows need not be seen.
     *
     * @param start of the body; may be empty
     * @param isAll whether nothing follows
     */
    boolean isEnough(ByteBuffer start, boolean isAll);
  }

  /** Hears one of the two, once. */
  interface Listener {
    /**
     * Enough was seen.
     *
     * @param start what was seen, valid during the call
     * @param body the whole of it, from its first byte on
     */
    void begun(ByteBuffer start, Content.Source body);

    /** The body has failed before enough was seen. */
    void failed(Throwable failure);
  }

  private final int maxBytes;
  private final Judge judge;
  private final Listener listener;
  private byte[] copied = new byte[0];
  private int copiedBytes;

  private BodyStart(Content.Source source, int maxBytes, Judge judge, Listener listener) {
    super(source);
    this.maxBytes = maxBytes;
    this.judge = judge;
    this.listener = listener;
  }

  /**
   * Reads on, now and when there is more. Never blocks.
   *
   * @param maxBytes with so many, it is enough
   */
  static void read(Content.Source source, int maxBytes, Judge judge, Listener listener) {
    new BodyStart(source, maxBytes, judge, listener).run();
  }

  /** The first chunk that is not empty, or the end, is enough. */
  static void readFirst(Content.Source source, Listener listener) {
    read(source, 1, (start, isAll) -> true, listener);
  }

  /** What was seen is one chunk; nothing behind it is wanted. */
  static void end(Content.Source body) {
    Content.Chunk seen = body.read();
    if (seen == null || !seen.isLast()) {
      body.fail(new IOException("the rest is not wanted"));
    }
    if (seen != null) {
      seen.release();
    }
  }

  @Override
  void failed(Throwable failure) {
    listener.failed(failure);
  }

  @Override
  boolean take(Content.Chunk chunk) {
    boolean isAll = chunk.isLast();
    if (!chunk.hasRemaining() && !isAll) {
      chunk.release();
      return false;
    }
    if (copiedBytes == 0 && isEnough(chunk.getByteBuffer(), isAll)) {
      ByteBuffer start = chunk.getByteBuffer().asReadOnlyBuffer();
      listener.begun(start, new BegunBody(chunk, body()));
      return true;
    }
    copy(chunk);
    ByteBuffer start = ByteBuffer.wrap(copied, 0, copiedBytes);
    if (!isEnough(start, isAll)) {
      return false;
    }
    listener.begun(
        start.asReadOnlyBuffer(), new BegunBody(Content.Chunk.from(start, isAll), body()));
    return true;
  }

  private boolean isEnough(ByteBuffer start, boolean isAll) {
    return isAll
        || start.remaining() >= maxBytes
        || judge.isEnough(start.asReadOnlyBuffer(), false);
  }

  private void copy(Content.Chunk chunk) {
    int length = chunk.remaining();
    if (copiedBytes + length > copied.length) {
      int roomy = Math.min(2 * copied.length, maxBytes); // more is never needed but once
      copied = Arrays.copyOf(copied, Math.max(copiedBytes + length, roomy));
    }
    chunk.getByteBuffer().get(copied, copiedBytes, length);
    copiedBytes += length;
    chunk.release();
  }
}
