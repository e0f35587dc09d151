package dev.millrace.upstream;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one HTTP/2 stream holds of a body until it is read, copied into blocks of its own.
 *
 * <p>Jetty hands out slices of what was read from the connection, so a paused stream would pin
 * whatever came along with its frames: a byte per frame could pin a whole buffer. Copied, a stream
 * pins its window and a block at most, at the cost of one copy per byte.
 */
final class JettyStreamMemory {
  static final int BLOCK_BYTES = 32 << 10;

  private static final String ATTRIBUTE = "dev.millrace.memory";

  /** Each costs some objects on the heap, however little it carries. */
  private static final int MAX_UNREAD_FRAMES = 4096;

  private final ByteBufferPool buffers;
  private @Nullable RetainableByteBuffer block;
  private int used;
  private int unread;
  private boolean isPassing;

  JettyStreamMemory(ByteBufferPool buffers) {
    this.buffers = buffers;
  }

  /** Of a stream, made when it is first asked for. One thread, the one that reads frames. */
  static JettyStreamMemory of(Stream stream, ByteBufferPool buffers) {
    if (stream.getAttribute(ATTRIBUTE) instanceof JettyStreamMemory known) {
      return known;
    }
    JettyStreamMemory made = new JettyStreamMemory(buffers);
    stream.setAttribute(ATTRIBUTE, made);
    return made;
  }

  /** Whether an origin has sent so many small frames that no more are kept. */
  synchronized boolean isFull() {
    return unread >= MAX_UNREAD_FRAMES;
  }

  /**
   * The same frame with bytes of this stream's own. The caller passes it on, and then calls {@link
   * #passedOn}.
   */
  synchronized Stream.Data copy(DataFrame frame) {
    int size = frame.remaining();
    RetainableByteBuffer target = block;
    if (target == null || used + size > target.capacity()) {
      if (target != null) {
        target.release();
      }
      target = buffers.acquire(Math.max(BLOCK_BYTES, size), true);
      block = target;
      used = 0;
    }
    ByteBuffer bytes = target.getByteBuffer().duplicate().clear().slice(used, size);
    bytes.put(frame.getByteBuffer().duplicate()).flip();
    used += size;
    isPassing = true;
    return new Copy(
        new DataFrame(frame.getStreamId(), bytes, frame.isEndStream(), frame.padding()), target);
  }

  /** Lets go of the block if nobody has kept the frame. */
  synchronized void passedOn() {
    isPassing = false;
    releaseIfUnused();
  }

  private synchronized void count(int change) {
    unread += change;
    releaseIfUnused();
  }

  /** The block of a frame that is being passed on is in use: its reader may yet keep it. */
  private void releaseIfUnused() {
    if (unread == 0 && !isPassing && block != null) {
      block.release();
      block = null;
    }
  }

  private final class Copy extends Stream.Data {
    private final RetainableByteBuffer from;

    Copy(DataFrame frame, RetainableByteBuffer from) {
      super(frame);
      this.from = from;
    }

    @Override
    public boolean canRetain() {
      return true;
    }

    @Override
    public boolean isRetained() {
      return from.isRetained();
    }

    @Override
    public void retain() {
      from.retain();
      count(1);
    }

    @Override
    public boolean release() {
      boolean isLast = from.release();
      count(-1);
      return isLast;
    }
  }
}
