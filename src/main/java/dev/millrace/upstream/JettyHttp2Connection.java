package dev.millrace.upstream;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.FlowControlStrategy;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.FailureFrame;
import org.eclipse.jetty.http2.frames.PrefaceFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/**
 * One connection to an origin.
 *
 * <p>Unlike Jetty's it copies what it reads ({@link JettyStreamMemory}), tells the reader of a
 * stream that was reset from this side because the origin broke the rules, and is idle only when no
 * stream is open: how long an origin or a viewer may be silent is limited elsewhere.
 */
final class JettyHttp2Connection extends HTTP2Connection {
  private static final int READ_BYTES = 64 << 10;

  private final HttpClient client;
  private final Promise<Session> opening;

  JettyHttp2Connection(
      HttpClient client, EndPoint endPoint, HTTP2Session session, Promise<Session> opening) {
    super(client.getByteBufferPool(), client.getExecutor(), endPoint, session, READ_BYTES);
    this.client = client;
    this.opening = opening;
    setUseInputDirectByteBuffers(true);
    setUseOutputDirectByteBuffers(true);
  }

  /** Sends the preface (RFC 9113 §3.4); reading begins when it is sent. */
  @Override
  public void onOpen() {
    Map<Integer, Integer> settings =
        Map.of(
            SettingsFrame.ENABLE_PUSH,
            0,
            SettingsFrame.MAX_CONCURRENT_STREAMS,
            0,
            SettingsFrame.INITIAL_WINDOW_SIZE,
            StreamWindow.BYTES,
            SettingsFrame.MAX_HEADER_LIST_SIZE,
            client.getMaxResponseHeadersSize());
    int room = JettyHttp2.CONNECTION_WINDOW_BYTES - FlowControlStrategy.DEFAULT_WINDOW_SIZE;
    getSession().notifyLifeCycleOpen();
    getSession().updateRecvWindow(room);
    getSession()
        .frames(
            null,
            List.of(
                new PrefaceFrame(),
                new SettingsFrame(settings, false),
                new WindowUpdateFrame(0, room)),
            Callback.from(this::opened, this::notOpened));
  }

  private void opened() {
    super.onOpen();
    opening.succeeded(getSession());
    produce();
  }

  private void notOpened(Throwable failure) {
    close();
    opening.failed(failure);
  }

  @Override
  public void onData(DataFrame frame) {
    HTTP2Stream stream = getSession().getStream(frame.getStreamId());
    if (stream == null || stream.isReset()) {
      super.onData(frame); // counted and dropped
      return;
    }
    JettyStreamMemory memory = JettyStreamMemory.of(stream, client.getByteBufferPool());
    getSession().onData(memory.copy(frame));
    memory.passedOn();
    if (memory.isFull()) {
      onStreamFailure(stream.getId(), ErrorCode.ENHANCE_YOUR_CALM_ERROR.code, "too many frames");
    } else if (stream.isReset()) {
      stream.process(
          new FailureFrame(
              ErrorCode.PROTOCOL_ERROR.code, "data", new IOException("broken framing of a body")),
          Callback.NOOP);
    }
  }

  @Override
  public boolean onIdleExpired(TimeoutException timeout) {
    return getSession().getStreams().isEmpty() && super.onIdleExpired(timeout);
  }
}
