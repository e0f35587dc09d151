package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;

/**
 * What comes back on one stream, read as slowly as the test likes. Bodies are {@link OffsetBytes}.
 */
public final class RawHttp2Answer implements Stream.Listener {
  private static final int SILENCE_SECONDS = 10;

  private final CompletableFuture<MetaData.Response> head = new CompletableFuture<>();
  private final CompletableFuture<Stream> opened = new CompletableFuture<>();
  private final Semaphore news = new Semaphore(0);
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private volatile boolean isReset;
  private volatile boolean isEnded;
  private long position;
  private long firstWrongAt = -1;

  RawHttp2Answer() {}

  public int status() {
    return await(head).getStatus();
  }

  public Optional<String> field(String name) {
    return Optional.ofNullable(await(head).getHttpFields().get(name));
  }

  /** Where in {@link OffsetBytes} the first byte belongs; for ranges. */
  public RawHttp2Answer startingAt(long offset) {
    position = offset;
    return this;
  }

  /** Reads to the end and keeps everything; {@code null} if it does not end properly. */
  public byte[] readAll() {
    BodyEnd end = countAll().end();
    return end == BodyEnd.COMPLETE ? kept.toByteArray() : null;
  }

  /** Reads to the end. */
  public CountedBody countAll() {
    return count(Long.MAX_VALUE);
  }

  /** Reads {@code limit} bytes or a frame more, or fewer if the body ends, and compares. */
  public CountedBody count(long limit) {
    long length = 0;
    while (length < limit && !isEnded) {
      Stream.Data data = await(opened).readData();
      if (data != null) {
        length += take(data);
      } else if (isReset) {
        return new CountedBody(length, firstWrongAt, BodyEnd.RESET);
      } else if (!hasNews()) {
        return new CountedBody(length, firstWrongAt, BodyEnd.STALLED);
      }
    }
    return new CountedBody(length, firstWrongAt, BodyEnd.COMPLETE);
  }

  private long take(Stream.Data data) {
    ByteBuffer bytes = data.frame().getByteBuffer();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    if (firstWrongAt < 0) {
      firstWrongAt = OffsetBytes.firstWrong(copy, copy.length, position);
    }
    position += copy.length;
    if (kept.size() < 1 << 20) {
      kept.writeBytes(copy);
    }
    isEnded = data.frame().isEndStream() && !isReset;
    data.release();
    return copy.length;
  }

  private boolean hasNews() {
    try {
      await(opened).demand();
      return news.tryAcquire(SILENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Reports that there is no stream for the request. */
  Stream notOpened(Throwable failure) {
    opened.completeExceptionally(failure);
    fail(failure);
    return null;
  }

  /** Leaves this stream (RST_STREAM, CANCEL). */
  public void reset() {
    reset(await(opened));
  }

  /** The same as soon as the stream is open, if ever; does not wait for it. */
  public void resetOnceOpen() {
    var unused = opened.thenAccept(RawHttp2Answer::reset);
  }

  private static void reset(Stream stream) {
    stream.reset(new ResetFrame(stream.getId(), ErrorCode.CANCEL_STREAM_ERROR.code), Callback.NOOP);
  }

  /** Whether the server has reset the stream. */
  public boolean isReset() {
    return isReset;
  }

  @Override
  public void onNewStream(Stream stream) {
    opened.complete(stream);
  }

  @Override
  public void onHeaders(Stream stream, HeadersFrame frame) {
    if (frame.getMetaData() instanceof MetaData.Response response) {
      head.complete(response);
    }
  }

  @Override
  public void onDataAvailable(Stream stream) {
    news.release();
  }

  @Override
  public void onReset(Stream stream, ResetFrame frame, Callback callback) {
    fail(new AssertionError("reset: " + frame));
    callback.succeeded();
  }

  @Override
  public void onFailure(
      Stream stream, int error, String reason, Throwable failure, Callback callback) {
    fail(failure);
    callback.succeeded();
  }

  private void fail(Throwable failure) {
    isReset = true;
    head.completeExceptionally(failure);
    news.release();
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(SILENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
