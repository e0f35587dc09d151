package dev.millrace.upstream;

import static java.util.Objects.requireNonNull;

import dev.millrace.upstream.UpstreamException.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.Connection;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpDestination;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ClientConnectionFactory;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a proxy until it passes bytes on to the target: then the connection to the origin
 * takes its place. All of the handshake may take as long as one connect.
 */
final class JettyTunnel extends AbstractConnection {
  /** In the context of a connection once the proxy passes bytes on. */
  static final String ESTABLISHED = JettyTunnel.class.getName();

  private static final String CLOSED =
      "it closed the connection: proxy refused or name unknown at proxy";

  private final HttpDestination destination;
  private final ClientConnectionFactory inner;
  private final Map<String, Object> context;
  private final TunnelHandshake handshake;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private volatile Scheduler.@Nullable Task deadline;

  /**
   * @param inner makes the connection to the origin
   */
  JettyTunnel(
      EndPoint endPoint,
      HttpDestination destination,
      ClientConnectionFactory inner,
      Map<String, Object> context,
      TunnelHandshake handshake) {
    super(endPoint, destination.getHttpClient().getExecutor());
    this.destination = destination;
    this.inner = inner;
    this.context = context;
    this.handshake = handshake;
  }

  /** IPv6 without brackets. */
  static String hostOf(HttpDestination destination) {
    String host = destination.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public void onOpen() {
    super.onOpen();
    HttpClient client = destination.getHttpClient();
    deadline =
        client
            .getScheduler()
            .schedule(
                () -> fail(new UpstreamException(Kind.PROXY_TIMEOUT)),
                client.getConnectTimeout(),
                TimeUnit.MILLISECONDS);
    advance();
  }

  private void advance() {
    ByteBuffer toSend = handshake.toSend();
    if (toSend.hasRemaining()) {
      getEndPoint().write(Callback.from(this::advance, this::failWith), toSend);
    } else if (handshake.isEstablished()) {
      establish();
    } else {
      fillInterested();
    }
  }

  @Override
  public void onFillable() {
    ByteBuffer received = BufferUtil.allocate(handshake.wanted());
    try {
      int filled = getEndPoint().fill(received);
      if (filled < 0) {
        fail(UpstreamException.refusedByProxy(CLOSED));
        return;
      }
      handshake.received(received);
      advance();
    } catch (IOException e) {
      failWith(e);
    }
  }

  @Override
  public void onFillInterestedFailed(Throwable cause) {
    failWith(cause);
  }

  private void establish() {
    if (!isOver.compareAndSet(false, true)) {
      return;
    }
    stopDeadline();
    try {
      ClientConnector connector = destination.getHttpClient().getClientConnector();
      context.put(ESTABLISHED, true);
      context.put(
          ClientConnector.REMOTE_SOCKET_ADDRESS_CONTEXT_KEY,
          InetSocketAddress.createUnresolved(hostOf(destination), destination.getPort()));
      ClientConnectionFactory factory =
          destination.isSecure()
              ? connector.newSslClientConnectionFactory(connector.getSslContextFactory(), inner)
              : inner;
      getEndPoint().upgrade(factory.newConnection(getEndPoint(), context));
    } catch (IOException | RuntimeException e) {
      giveUp(e);
    }
  }

  private void failWith(Throwable cause) {
    if (cause instanceof UpstreamException known) {
      fail(known);
    } else if (cause instanceof TimeoutException) {
      fail(new UpstreamException(Kind.PROXY_TIMEOUT, cause));
    } else if (cause instanceof SSLException) {
      fail(new UpstreamException(Kind.PROXY_FAILED, cause));
    } else {
      fail(UpstreamException.refusedByProxy(CLOSED));
    }
  }

  private void fail(UpstreamException cause) {
    if (isOver.compareAndSet(false, true)) {
      stopDeadline();
      giveUp(cause);
    }
  }

  /** The proxy was reached: its other addresses, which Jetty would try next, say the same. */
  private void giveUp(Throwable cause) {
    getEndPoint().close(cause);
    Object promise = requireNonNull(context.get(Connection.PROMISE_CONTEXT_KEY));
    Promise<?> last =
        promise instanceof Promise.Wrapper<?> tryingNext
            ? tryingNext.getWrapped()
            : (Promise<?>) promise;
    last.failed(cause);
  }

  private void stopDeadline() {
    Scheduler.Task task = deadline;
    if (task != null) {
      task.cancel();
    }
  }
}
