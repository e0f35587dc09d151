package dev.millrace.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request that keeps the rules of asynchronous reading (Servlet 6.1 §3.7) and has them kept:
 * whoever reads without asking is told so, and the container calls only who was told to wait.
 */
final class ScriptedInput extends ServletInputStream {
  private ByteArrayInputStream bytes = new ByteArrayInputStream(new byte[0]);
  private boolean isLast;
  private boolean isAsked;
  private boolean isAwaited = true;
  private @Nullable ReadListener listener;

  /** Bytes arrive. */
  void arrive(String text) throws IOException {
    bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    call();
  }

  /** The end arrives. */
  void end() throws IOException {
    isLast = true;
    call();
  }

  private void call() throws IOException {
    if (isAwaited) {
      isAwaited = false;
      if (isFinished()) {
        listener.onAllDataRead();
      } else {
        listener.onDataAvailable();
      }
    }
  }

  void fail(Throwable failure) {
    listener.onError(failure);
  }

  @Override
  public boolean isFinished() {
    return isLast && bytes.available() == 0;
  }

  /** As Tomcat has it: of the end, the listener is told. */
  @Override
  public boolean isReady() {
    isAsked = bytes.available() > 0;
    isAwaited = !isAsked;
    return isAsked;
  }

  @Override
  public void setReadListener(ReadListener readListener) {
    listener = readListener;
  }

  @Override
  public int read() {
    throw new AssertionError("one byte at a time");
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (!isAsked) {
      throw new IllegalStateException("read without asking");
    }
    isAsked = false;
    return bytes.read(target, offset, length);
  }
}
