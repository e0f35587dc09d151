package dev.millrace.upstream;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.MultiplexConnectionPool;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.client.transport.internal.HttpConnectionOverHTTP2;
import org.eclipse.jetty.io.ClientConnectionFactory;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.ConcurrentPool;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 with origins that choose it by ALPN (RFC 7301), and {@link JettyStrictHttp1} with all
 * others: those that choose HTTP/1.1, that do not negotiate, and that are not reached by TLS.
 */
final class JettyNegotiatedHttp extends HttpClientTransportDynamic {
  /** Requests that one HTTP/2 connection carries at a time, unless the origin allows fewer. */
  static final int MAX_STREAMS = 100;

  private final ClientConnectionFactory http1;

  JettyNegotiatedHttp(ClientConnector connector) {
    this(connector, new Http1());
  }

  private JettyNegotiatedHttp(ClientConnector connector, Http1 http1) {
    super(connector, new JettyHttp2(), http1);
    this.http1 = http1.getClientConnectionFactory();
    setConnectionPoolFactory(destination -> new SharedPool((HttpDestination) destination));
  }

  @Override
  public org.eclipse.jetty.io.Connection newConnection(
      EndPoint endPoint, Map<String, Object> context) throws IOException {
    return context.get(ClientConnector.APPLICATION_PROTOCOL_CONTEXT_KEY) == null
        ? http1.newConnection(endPoint, context)
        : super.newConnection(endPoint, context);
  }

  private static final class Http1 extends ClientConnectionFactory.Info {
    private static final List<String> PROTOCOLS = List.of("http/1.1");

    Http1() {
      super(new JettyStrictHttp1.Connections());
    }

    @Override
    public List<String> getProtocols(boolean secure) {
      return PROTOCOLS;
    }
  }

  /**
   * Connections that carry one request each, or many: that is known once they are open. No more of
   * them than requests, and of one destination at most the number the client allows.
   */
  static final class SharedPool extends MultiplexConnectionPool {
    private final HttpDestination destination;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    SharedPool(HttpDestination destination) {
      super(
          destination,
          () ->
              new ConcurrentPool<>(
                  ConcurrentPool.StrategyType.FIRST,
                  destination.getHttpClient().getMaxConnectionsPerDestination(),
                  SharedPool::capacity),
          1);
      this.destination = destination;
      if (destination.getOrigin().getTag() instanceof JettyRouteTag tag && tag.isFresh()) {
        setMaxUsage(1);
      }
    }

    private static int capacity(Connection connection) {
      if (connection instanceof HttpConnectionOverHTTP2 http2) {
        int allowed = http2.getMaxMultiplex();
        return allowed < 0 ? MAX_STREAMS : Math.max(1, Math.min(allowed, MAX_STREAMS));
      }
      return 1;
    }

    /** Whether one request more would have to wait for the end of another. */
    boolean isFull() {
      return getActiveConnectionCount() >= getMaxConnectionCount()
          && connections.stream().noneMatch(SharedPool::hasRoom);
    }

    private static boolean hasRoom(Connection connection) {
      return connection instanceof HttpConnectionOverHTTP2 http2
          && !http2.isClosed()
          && ((HTTP2Session) http2.getSession()).getStreams().size() < capacity(http2);
    }

    @Override
    protected void tryCreate(boolean create) {
      int requests = getActiveConnectionCount() + destination.getQueuedRequestCount();
      if (getConnectionCount() < requests) {
        super.tryCreate(false);
      }
    }

    @Override
    protected void onCreated(Connection connection) {
      connections.add(connection);
    }

    @Override
    protected void onRemoved(@Nullable Connection connection) {
      if (connection != null) { // one that is being opened while the pool is stopped
        connections.remove(connection);
      }
    }
  }
}
