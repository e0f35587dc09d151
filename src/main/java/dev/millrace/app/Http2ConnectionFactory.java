package dev.millrace.app;

import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.api.server.ServerSessionListener;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.Callback;

/**
 * HTTP/2 (RFC 9113) for clients.
 *
 * <h2>Limits of one connection</h2>
 *
 * 100 streams at a time; a request head as large as in HTTP/1.1; 64 KiB of request bodies that
 * nobody has read, over all streams; 128 frames a second of the kinds that cost much and carry
 * nothing, such as RST_STREAM and PING. What a stream holds of a body is reserved from the buffer
 * memory as for HTTP/1.1: one chunk is in flight until the client's window has room for it.
 */
final class Http2ConnectionFactory extends HTTP2ServerConnectionFactory {
  private static final int MAX_STREAMS = 100;

  /** What the protocol begins with; nothing here reads request bodies. */
  private static final int RECEIVE_WINDOW_BYTES = 65_535;

  /**
   * @param http this factory's own
   */
  Http2ConnectionFactory(HttpConfiguration http) {
    super(http);
    setMaxConcurrentStreams(MAX_STREAMS);
    setInitialStreamRecvWindow(RECEIVE_WINDOW_BYTES);
    setInitialSessionRecvWindow(RECEIVE_WINDOW_BYTES);
    setConnectProtocolEnabled(false);
  }

  @Override
  protected ServerSessionListener newSessionListener(Connector connector, EndPoint endPoint) {
    return new Failures(endPoint);
  }

  /**
   * Marks streams that fail for {@link Http2Watch}, and fails every stream at the end of a
   * connection's input: after GOAWAY Jetty goes on with streams whose requests are complete, as if
   * a client might still be reading.
   */
  private final class Failures extends HTTPServerSessionListener {
    Failures(EndPoint endPoint) {
      super(endPoint);
    }

    @Override
    public void onFailure(Session session, Throwable failure, Callback callback) {
      for (Stream stream : session.getStreams()) {
        onStreamFailure(stream, failure, Callback.NOOP);
      }
      super.onFailure(session, failure, callback);
    }

    @Override
    public void onStreamFailure(Stream stream, Throwable failure, Callback callback) {
      Http2Watch.markFailed(stream);
      super.onStreamFailure(stream, failure, callback);
    }

    @Override
    public void onFailure(
        Stream stream, int error, String reason, Throwable failure, Callback callback) {
      Http2Watch.markFailed(stream);
      super.onFailure(stream, error, reason, failure, callback);
    }
  }
}
