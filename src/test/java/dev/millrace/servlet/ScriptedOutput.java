package dev.millrace.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A response that keeps the rules of asynchronous writing (Servlet 6.1 §5.7) and has them kept:
 * whoever writes without asking, or while a write is under way, is told so. A slow one takes the
 * bytes of a write only when the test says so.
 */
final class ScriptedOutput extends ServletOutputStream {
  private enum State {
    ASYNC,
    READY,
    PENDING,
    UNREADY
  }

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final boolean isSlow;
  private State state = State.ASYNC;
  private @Nullable WriteListener listener;
  private @Nullable ByteBuffer pending;
  private @Nullable Throwable failure;
  private int flushes;
  private int largestWrite;

  ScriptedOutput(boolean isSlow) {
    this.isSlow = isSlow;
  }

  @Override
  public void setWriteListener(WriteListener writeListener) {
    listener = writeListener;
  }

  /** The container is ready for the first write. */
  void begin() throws IOException {
    state = State.READY;
    listener.onWritePossible();
  }

  @Override
  public boolean isReady() {
    state =
        switch (state) {
          case ASYNC, READY -> State.READY;
          case PENDING, UNREADY -> State.UNREADY;
        };
    return state == State.READY;
  }

  @Override
  public void write(ByteBuffer buffer) throws IOException {
    largestWrite = Math.max(largestWrite, buffer.remaining());
    take(buffer);
  }

  @Override
  public void flush() throws IOException {
    flushes++;
    take(ByteBuffer.allocate(0));
  }

  private void take(ByteBuffer buffer) throws IOException {
    if (state != State.READY) {
      throw new IllegalStateException("write without isReady: " + state);
    }
    if (failure != null) {
      throw new IOException(failure);
    }
    pending = buffer;
    state = State.PENDING;
    if (!isSlow) {
      finishWrite();
    }
  }

  /** The client has taken what was written last. */
  void finishWrite() throws IOException {
    while (pending.hasRemaining()) {
      bytes.write(pending.get());
    }
    end();
  }

  private void end() throws IOException {
    pending = null;
    boolean isAwaited = state == State.UNREADY;
    state = isAwaited ? State.READY : State.ASYNC;
    if (isAwaited) {
      listener.onWritePossible();
    }
  }

  /** The client has gone. */
  void fail(Throwable cause) {
    failure = cause;
    pending = null;
    state = state == State.UNREADY ? State.READY : State.ASYNC;
    listener.onError(cause);
  }

  boolean isWriting() {
    return pending != null;
  }

  byte[] written() {
    return bytes.toByteArray();
  }

  String text() {
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  int flushes() {
    return flushes;
  }

  int largestWrite() {
    return largestWrite;
  }

  @Override
  public void write(int b) {
    throw new UnsupportedOperationException("bytes one by one");
  }
}
