package dev.millrace.upstream;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http2.BufferingFlowControlStrategy;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.WindowRateControl;
import org.eclipse.jetty.http2.client.internal.HTTP2ClientSession;
import org.eclipse.jetty.http2.client.transport.internal.HTTPSessionListenerPromise;
import org.eclipse.jetty.http2.generator.Generator;
import org.eclipse.jetty.http2.parser.Parser;
import org.eclipse.jetty.io.ClientConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

/**
 * HTTP/2 with origins (RFC 9113), inside TLS only.
 *
 * <h2>Flow control</h2>
 *
 * A stream may hold {@link StreamWindow#BYTES} that nobody has read. The window of the connection
 * is twice what all streams together may hold: Jetty announces room when half of a window has been
 * read, so that even if all streams but one are paused there is room for that one.
 *
 * <h2>What origins may demand</h2>
 *
 * Frames that cost work and carry nothing, and bytes of streams that were left, are limited to
 * 10,000 a second; beyond, the connection is closed. Nothing can be pushed.
 */
final class JettyHttp2 extends ClientConnectionFactory.Info {
  static final int CONNECTION_WINDOW_BYTES =
      2 * JettyNegotiatedHttp.MAX_STREAMS * StreamWindow.BYTES;

  private static final int MAX_IDLE_FRAMES_PER_SECOND = 10_000;
  private static final float READ_PART_BEFORE_UPDATE = 0.5f;

  JettyHttp2() {
    super(JettyHttp2::newConnection);
  }

  @Override
  public List<String> getProtocols(boolean secure) {
    return secure ? List.of("h2") : List.of();
  }

  private static Connection newConnection(EndPoint endPoint, Map<String, Object> context) {
    Destination destination =
        (Destination) Objects.requireNonNull(context.get(Destination.CONTEXT_KEY), "destination");
    HttpClient client = destination.getHttpClient();
    HTTPSessionListenerPromise opening = new HTTPSessionListenerPromise(context);
    Generator generator = new Generator(client.getByteBufferPool(), true, 0);
    generator.getHpackEncoder().setMaxHeaderListSize(client.getMaxRequestHeadersSize());
    Parser parser =
        new Parser(
            client.getByteBufferPool(),
            client.getMaxResponseHeadersSize(),
            WindowRateControl.fromEventsPerSecond(MAX_IDLE_FRAMES_PER_SECOND));
    HTTP2ClientSession session =
        new HTTP2ClientSession(
            client.getScheduler(),
            endPoint,
            parser,
            generator,
            opening,
            new BufferingFlowControlStrategy(READ_PART_BEFORE_UPDATE));
    session.setMaxRemoteStreams(0);
    JettyHttp2Connection connection = new JettyHttp2Connection(client, endPoint, session, opening);
    context.put(HTTP2Connection.class.getName(), connection);
    parser.init(connection);
    return connection;
  }
}
