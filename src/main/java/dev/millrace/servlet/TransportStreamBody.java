package dev.millrace.servlet;

import dev.millrace.ts.TransportStreamMuxer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A body that becomes a transport stream while it is read; what its muxer holds is reserved as it
 * grows. Read by one caller at a time; failed from any thread.
 */
final class TransportStreamBody implements Content.Source {
  /** Taken at a time, so that output does not pile up. */
  private static final int SLICE_BYTES = 16 << 10;

  private final Content.Source source;
  private final TransportStreamMuxer muxer;
  private final TextHold memory;
  private final Queue<ByteBuffer> packets = new ArrayDeque<>();
  private Content.@Nullable Chunk input;
  private Content.@Nullable Chunk end;

  /**
   * @param source clear fragments
   * @param muxer closed by this body
   * @param memory what is reserved there, whoever has it gives back
   */
  TransportStreamBody(Content.Source source, TransportStreamMuxer muxer, TextHold memory) {
    this.source = source;
    this.muxer = muxer;
    this.memory = memory;
  }

  @Override
  public synchronized Content.@Nullable Chunk read() {
    while (packets.isEmpty() && end == null) {
      Content.Chunk chunk = input == null ? source.read() : input;
      if (chunk == null) {
        return null;
      }
      input = chunk;
      if (Content.Chunk.isFailure(chunk)) {
        finish(chunk);
      } else {
        take(chunk);
      }
    }
    ByteBuffer next = packets.poll();
    return next == null ? end : Content.Chunk.from(next, false);
  }

  private void take(Content.Chunk chunk) {
    try {
      ByteBuffer bytes = chunk.getByteBuffer();
      int length = Math.min(SLICE_BYTES, bytes.remaining());
      muxer.accept(bytes.slice(bytes.position(), length), packets::add);
      bytes.position(bytes.position() + length);
      memory.reserve((int) Math.min(Integer.MAX_VALUE, muxer.heldBytes()));
      if (bytes.hasRemaining()) {
        return;
      }
      input = null;
      chunk.release();
      if (chunk.isLast()) {
        muxer.finish(packets::add);
        finish(Content.Chunk.EOF);
      }
    } catch (IOException | RuntimeException e) {
      finish(Content.Chunk.from(FilterException.of(e)));
      source.fail(e);
    }
  }

  /** What is in packets comes before. */
  private void finish(Content.Chunk last) {
    if (end == null) {
      end = last;
      muxer.close();
    }
    if (input != null) {
      input.release();
      input = null;
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    boolean isReadable;
    synchronized (this) {
      isReadable = end != null || input != null || !packets.isEmpty();
    }
    if (isReadable) {
      demandCallback.run();
    } else {
      source.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable failure) {
    synchronized (this) {
      packets.clear();
      finish(Content.Chunk.from(failure));
    }
    source.fail(failure);
  }
}
