package dev.millrace.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.api.server.ServerSessionListener;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.server.RawHTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * An HTTP/2 origin over TLS, with a certificate nobody trusts, whose every frame a {@link Script}
 * decides. One daemon thread per request.
 */
public final class Http2Origin implements AutoCloseable {
  private static final int MANY_STREAMS = 1_000;

  /** What one request gets. */
  @FunctionalInterface
  public interface Script {
    void answer(Http2OriginExchange exchange) throws IOException;
  }

  private final Script script;
  private final Server server = new Server();
  private final ServerConnector connector;
  private final Queue<MetaData.Request> requests = new ConcurrentLinkedQueue<>();
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger resets = new AtomicInteger();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "http2-origin");
            thread.setDaemon(true);
            return thread;
          });

  private Http2Origin(Script script) {
    this.script = script;
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(SelfSigned.serverContext());
    RawHTTP2ServerConnectionFactory http2 = new RawHTTP2ServerConnectionFactory(new Sessions());
    http2.setMaxConcurrentStreams(MANY_STREAMS);
    http2.setStreamIdleTimeout(-1);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http2.getProtocol());
    SslConnectionFactory ssl = new SslConnectionFactory(tls, alpn.getProtocol());
    this.connector = new ServerConnector(server, 1, 1, ssl, alpn, http2);
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    connector.setIdleTimeout(0);
    server.addConnector(connector);
  }

  public static Http2Origin start(Script script) {
    Http2Origin origin = new Http2Origin(script);
    LifeCycle.start(origin.server);
    return origin;
  }

  /** {@code pathAndQuery} starts with a slash. */
  public String url(String pathAndQuery) {
    return "https://127.0.0.1:" + connector.getLocalPort() + pathAndQuery;
  }

  public List<MetaData.Request> requests() {
    return List.copyOf(requests);
  }

  public int acceptedConnections() {
    return accepted.get();
  }

  /** Connections that are open now. */
  public int openConnections() {
    return sessions.size();
  }

  /** Streams that the peer has reset so far. */
  public int resets() {
    return resets.get();
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
    threads.shutdownNow();
  }

  private final class Sessions implements ServerSessionListener {
    @Override
    public void onAccept(Session session) {
      accepted.incrementAndGet();
      sessions.add(session);
    }

    @Override
    public Stream.Listener onNewStream(Stream stream, HeadersFrame frame) {
      MetaData.Request request = (MetaData.Request) frame.getMetaData();
      requests.add(request);
      Http2OriginExchange exchange = new Http2OriginExchange(stream, request);
      threads.execute(
          () -> {
            try {
              script.answer(exchange);
            } catch (IOException gone) {
              // the peer left, or the script let it down
            }
          });
      return new Stream.Listener() {
        @Override
        public void onReset(Stream reset, ResetFrame why, Callback callback) {
          resets.incrementAndGet();
          exchange.peerLeft();
          callback.succeeded();
        }

        @Override
        public void onFailure(
            Stream failed, int error, String reason, Throwable failure, Callback callback) {
          exchange.peerLeft();
          callback.succeeded();
        }
      };
    }

    @Override
    public void onClose(Session session, GoAwayFrame frame, Callback callback) {
      sessions.remove(session);
      callback.succeeded();
    }

    @Override
    public void onFailure(Session session, Throwable failure, Callback callback) {
      sessions.remove(session);
      callback.succeeded();
    }
  }
}
