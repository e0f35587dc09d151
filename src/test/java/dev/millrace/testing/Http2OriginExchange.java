package dev.millrace.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;

/**
 * One request at an {@link Http2Origin} and the means to answer it, well or badly. Writes wait for
 * the peer's window. Confined to one thread.
 */
public final class Http2OriginExchange {
  private final Stream stream;
  private final MetaData.Request request;
  private final CountDownLatch left = new CountDownLatch(1);
  private volatile long sent;

  Http2OriginExchange(Stream stream, MetaData.Request request) {
    this.stream = stream;
    this.request = request;
  }

  public MetaData.Request request() {
    return request;
  }

  public boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  /** Bytes of the body that the peer's window had room for so far. Any thread. */
  public long sent() {
    return sent;
  }

  /** Status and fields; {@code isEnd}: there is no body. */
  public void head(int status, boolean isEnd, String... fields) throws IOException {
    HttpFields.Mutable lines = HttpFields.build();
    for (String field : fields) {
      int colon = field.indexOf(':');
      lines.add(field.substring(0, colon), field.substring(colon + 1).strip());
    }
    MetaData.Response response = new MetaData.Response(status, null, HttpVersion.HTTP_2, lines);
    await(stream.headers(new HeadersFrame(stream.getId(), response, null, isEnd)));
  }

  /**
   * {@link OffsetBytes} {@code from} (inclusive) to {@code to} (exclusive), in frames of a size.
   */
  public void body(long from, long to, int frameBytes) throws IOException {
    for (long at = from; at < to; at += frameBytes) {
      long end = Math.min(to, at + frameBytes);
      data(OffsetBytes.range(at, end), false);
      sent += end - at;
    }
  }

  /** An empty DATA frame that ends the stream. */
  public void end() throws IOException {
    data(new byte[0], true);
  }

  private void data(byte[] bytes, boolean isEnd) throws IOException {
    await(stream.data(new DataFrame(stream.getId(), ByteBuffer.wrap(bytes), isEnd)));
  }

  /** RST_STREAM. */
  public void reset(ErrorCode code) throws IOException {
    await(stream.reset(new ResetFrame(stream.getId(), code.code)));
  }

  /** GOAWAY for streams after this one; those that are open go on. */
  public void goAway() {
    HTTP2Session session = (HTTP2Session) stream.getSession();
    session.goAway(
        new GoAwayFrame(stream.getId(), ErrorCode.NO_ERROR.code, new byte[0]), Callback.NOOP);
  }

  /** Closes the connection under all its streams. */
  public void cut() {
    ((HTTP2Session) stream.getSession()).getEndPoint().close();
  }

  /** Says nothing until the peer leaves. */
  public void hold() throws IOException {
    while (pause(Duration.ofMinutes(1))) {
      // the peer is still there
    }
  }

  /** Says nothing for a while; false at once when the peer leaves. */
  public boolean pause(Duration duration) throws IOException {
    try {
      return !left.await(duration.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  void peerLeft() {
    left.countDown();
  }

  private static void await(CompletableFuture<?> done) throws IOException {
    try {
      done.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
  }
}
