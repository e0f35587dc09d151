package dev.millrace.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * One HTTP/2 connection over TLS, whatever the certificate. It takes of an answer what the test
 * reads, and lets the server send no more than the windows it was made with.
 */
public final class RawHttp2 implements AutoCloseable {
  private static final int SILENCE_SECONDS = 10;
  private static final int MANY_STREAMS = 1_000;

  private final HTTP2Client client;
  private final Session session;
  private final int port;

  private RawHttp2(HTTP2Client client, Session session, int port) {
    this.client = client;
    this.session = session;
    this.port = port;
  }

  public static RawHttp2 connect(int port) {
    return connect(port, 64 << 10);
  }

  /**
   * With windows of a size.
   *
   * @param windowBytes what a stream may hold that is not read
   */
  public static RawHttp2 connect(int port, int windowBytes) {
    HTTP2Client client = new HTTP2Client();
    client.setInitialStreamRecvWindow(windowBytes);
    client.setInitialSessionRecvWindow(1 << 30);
    client.setIdleTimeout(TimeUnit.MINUTES.toMillis(5));
    client.setMaxLocalStreams(MANY_STREAMS);
    LifeCycle.start(client);
    SslContextFactory.Client tls = new SslContextFactory.Client(true);
    LifeCycle.start(tls);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      Session session =
          client
              .connect(tls, address, new Session.Listener() {})
              .get(SILENCE_SECONDS, TimeUnit.SECONDS);
      return new RawHttp2(client, session, port);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      LifeCycle.stop(client);
      throw new AssertionError(e);
    }
  }

  /** Asks, and reads nothing yet. */
  public RawHttp2Answer ask(String method, String target, String... fields) {
    HttpFields.Mutable lines = HttpFields.build();
    for (String field : fields) {
      int colon = field.indexOf(':');
      lines.add(field.substring(0, colon), field.substring(colon + 1).strip());
    }
    HttpURI uri = HttpURI.from("https://127.0.0.1:" + port + target);
    MetaData.Request request = new MetaData.Request(method, uri, HttpVersion.HTTP_2, lines);
    RawHttp2Answer answer = new RawHttp2Answer();
    session
        .newStream(new HeadersFrame(request, null, true), answer)
        .exceptionally(answer::notOpened);
    return answer;
  }

  /** Asks with content. */
  public RawHttp2Answer send(String method, String target, String content) {
    HttpURI uri = HttpURI.from("https://127.0.0.1:" + port + target);
    MetaData.Request request =
        new MetaData.Request(method, uri, HttpVersion.HTTP_2, HttpFields.build());
    RawHttp2Answer answer = new RawHttp2Answer();
    ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
    session
        .newStream(new HeadersFrame(request, null, false), answer)
        .thenAccept(
            stream -> stream.data(new DataFrame(stream.getId(), bytes, true), Callback.NOOP))
        .exceptionally(
            failure -> {
              answer.notOpened(failure);
              return null;
            });
    return answer;
  }

  /** The same for the stream route. */
  public RawHttp2Answer get(String d, String... fields) {
    return ask("GET", StreamLink.to(d).toString(), fields);
  }

  /** Leaves with a word: GOAWAY while streams are under way, then the end of the connection. */
  public void goAway() {
    session.close(ErrorCode.CANCEL_STREAM_ERROR.code, "leaving", Callback.NOOP);
    Await.until("GOAWAY sent", Duration.ofSeconds(5), session::isClosed);
    cut();
  }

  /** Leaves without a word. */
  public void cut() {
    ((HTTP2Session) session).getEndPoint().close();
  }

  public boolean isClosed() {
    return session.isClosed() || !((HTTP2Session) session).getEndPoint().isOpen();
  }

  @Override
  public void close() throws IOException {
    cut();
    LifeCycle.stop(client);
  }
}
