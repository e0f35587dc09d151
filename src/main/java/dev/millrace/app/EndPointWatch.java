package dev.millrace.app;

import dev.millrace.servlet.ClientWatch;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.http2.server.internal.HTTP2ServerConnection;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches HTTP/1.1 clients of the embedded server through their end points: while an answer is
 * under way nobody else reads from the connection, so end of input is seen at once. For HTTP/2 see
 * {@link Http2Watch}.
 *
 * <p>The end of a request is learned from Jetty itself: it tells asynchronous listeners nothing of
 * a request that is aborted.
 *
 * <p>A client that sends its next request early is not lost: what was read is given back to the
 * connection, and the watch ends.
 */
final class EndPointWatch implements ClientWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EndPointWatch.class);
  private static final int READ_BYTES = 2048;

  @Override
  public Watching watch(HttpServletRequest clientRequest, Runnable gone, Runnable over) {
    Request request = ServletContextRequest.getServletContextRequest(clientRequest);
    Request.addCompletionListener(request, failure -> over.run());
    Connection connection = request.getConnectionMetaData().getConnection();
    if (connection instanceof HttpConnection http
        && http.getEndPoint() instanceof AbstractEndPoint endPoint) {
      return new WatchedEndPoint(http, endPoint, gone);
    }
    return connection instanceof HTTP2ServerConnection http2
        ? Http2Watch.watch(http2, request, gone)
        : () -> {};
  }

  /** Ends a registration that nobody waits for any more; once per exchange, so without a trace. */
  private static final class WatchOverException extends CancellationException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  private static final class WatchedEndPoint implements Watching, Callback {
    private final HttpConnection connection;
    private final AbstractEndPoint endPoint;
    private final Runnable gone;
    private final long idleTimeoutMillis;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private boolean isBegun;

    WatchedEndPoint(HttpConnection connection, AbstractEndPoint endPoint, Runnable gone) {
      this.connection = connection;
      this.endPoint = endPoint;
      this.gone = gone;
      this.idleTimeoutMillis = endPoint.getIdleTimeout();
    }

    @Override
    public void begin() {
      synchronized (this) {
        if (isOver.get()) {
          return;
        }
        isBegun = true;
        endPoint.setIdleTimeout(0);
      }
      if (connection.isRequestBufferEmpty()) {
        endPoint.tryFillInterested(this);
      }
    }

    @Override
    public void succeeded() {
      ByteBuffer input = BufferUtil.allocate(READ_BYTES);
      boolean isGone;
      synchronized (this) {
        if (isOver.get()) {
          return;
        }
        isGone = fill(input) < 0;
        if (input.hasRemaining()) {
          connection.onUpgradeTo(input);
        } else if (!isGone) {
          endPoint.tryFillInterested(this);
        }
      }
      if (isGone) {
        gone.run();
      }
    }

    private int fill(ByteBuffer input) {
      try {
        return endPoint.fill(input);
      } catch (IOException e) {
        return -1;
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (!isOver.get()) {
        gone.run();
      }
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }

    @Override
    public void end() {
      synchronized (this) {
        if (!isOver.compareAndSet(false, true) || !isBegun) {
          return;
        }
      }
      endPoint.getFillInterest().onFail(new WatchOverException());
      endPoint.setIdleTimeout(idleTimeoutMillis);
    }

    /**
     * Jetty cancels the write of an aborted exchange, and if that is done in the same moment, it
     * waits for ever, with one of its threads. A closed connection has no write that can be done.
     */
    @Override
    public void close() {
      endPoint.close(new WatchOverException());
    }

    /** Closed by itself the connection would end in order, within TLS even twice. */
    @Override
    public void reset() {
      Object transport = endPoint.getTransport();
      while (transport instanceof EndPoint carrier) {
        transport = carrier.getTransport();
      }
      if (transport instanceof SocketChannel channel) {
        try {
          channel.setOption(StandardSocketOptions.SO_LINGER, 0);
          channel.close();
        } catch (IOException alreadyClosed) {
          LOG.debug("the connection is closed already", alreadyClosed);
        }
      }
    }
  }
}
