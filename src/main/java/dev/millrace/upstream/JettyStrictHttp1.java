package dev.millrace.upstream;

import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.client.DuplexConnectionPool;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.client.transport.HttpExchange;
import org.eclipse.jetty.client.transport.internal.HttpChannelOverHTTP;
import org.eclipse.jetty.client.transport.internal.HttpConnectionOverHTTP;
import org.eclipse.jetty.client.transport.internal.HttpReceiverOverHTTP;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.ClientConnectionFactory;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

/**
 * HTTP/1.1 with no more connections than requests, and whose connections are not used again once an
 * origin has sent more than it announced (RFC 9112 §6.3): what follows the end of a response could
 * be taken for the next one.
 */
final class JettyStrictHttp1 extends HttpClientTransportOverHTTP {
  JettyStrictHttp1(ClientConnector connector) {
    super(connector);
    setConnectionPoolFactory(destination -> new FrugalPool((HttpDestination) destination));
  }

  /**
   * Has no more connections than requests: Jetty counts the request that asks for one twice, and
   * not the connection that is just being handed over.
   */
  private static final class FrugalPool extends DuplexConnectionPool {
    private final HttpDestination destination;

    FrugalPool(HttpDestination destination) {
      super(destination, destination.getHttpClient().getMaxConnectionsPerDestination());
      this.destination = destination;
    }

    @Override
    protected void tryCreate(boolean create) {
      int requests = getActiveConnectionCount() + destination.getQueuedRequestCount();
      if (getConnectionCount() < requests) {
        super.tryCreate(false);
      }
    }
  }

  @Override
  public Connection newConnection(EndPoint endPoint, Map<String, Object> context) {
    return customize(new StrictConnection(endPoint, context), context);
  }

  /** Makes the same connections for other transports. */
  static final class Connections implements ClientConnectionFactory {
    @Override
    public Connection newConnection(EndPoint endPoint, Map<String, Object> context) {
      return customize(new StrictConnection(endPoint, context), context);
    }
  }

  private static final class StrictConnection extends HttpConnectionOverHTTP {
    StrictConnection(EndPoint endPoint, Map<String, Object> context) {
      super(endPoint, context);
    }

    @Override
    protected HttpChannelOverHTTP newHttpChannel() {
      return new StrictChannel(this);
    }
  }

  private static final class StrictChannel extends HttpChannelOverHTTP {
    StrictChannel(HttpConnectionOverHTTP connection) {
      super(connection);
    }

    @Override
    protected HttpReceiverOverHTTP newHttpReceiver() {
      return new StrictReceiver(this);
    }
  }

  private static final class StrictReceiver extends HttpReceiverOverHTTP {
    private boolean hasSurplus;

    StrictReceiver(HttpChannelOverHTTP channel) {
      super(channel);
    }

    @Override
    public boolean messageComplete() {
      HttpExchange exchange = getHttpExchange();
      ByteBuffer received = getResponseBuffer();
      hasSurplus |=
          exchange != null
              && !HttpStatus.isInterim(exchange.getResponse().getStatus())
              && received != null
              && received.hasRemaining();
      return super.messageComplete();
    }

    /** Asked when the exchange is over: a connection that is shut down is closed, not pooled. */
    @Override
    protected boolean isShutdown() {
      return hasSurplus || super.isShutdown();
    }
  }
}
