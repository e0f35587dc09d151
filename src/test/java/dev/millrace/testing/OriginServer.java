package dev.millrace.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP/1.1 origin on bare sockets of 127.0.0.1 whose every byte a {@link Script} decides. It
 * records requests and counts connections. One daemon thread per connection, at most 2,000.
 */
public final class OriginServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 2_000;
  private static final int BACKLOG = 1_024;
  private static final long STACK_BYTES = 128 << 10;

  private final ServerSocket listener;
  private final String scheme;
  private final Script script;
  private final Queue<RecordedRequest> requests = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger answering = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, MAX_CONNECTIONS, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), OriginServer::daemon);

  private OriginServer(ServerSocket listener, String scheme, Script script) {
    this.listener = listener;
    this.scheme = scheme;
    this.script = script;
  }

  public static OriginServer start(Script script) {
    try {
      return listening(new ServerSocket(), "http", script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Over TLS with a certificate nobody trusts. */
  public static OriginServer startTls(Script script) {
    try {
      ServerSocket socket =
          SelfSigned.serverContext().getServerSocketFactory().createServerSocket();
      return listening(socket, "https", script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OriginServer listening(ServerSocket socket, String scheme, Script script)
      throws IOException {
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    OriginServer server = new OriginServer(socket, scheme, script);
    server.threads.execute(server::acceptAll);
    return server;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** {@code pathAndQuery} starts with a slash. */
  public String url(String pathAndQuery) {
    return scheme + "://127.0.0.1:" + port() + pathAndQuery;
  }

  /** All requests so far, in the order in which their heads were complete. */
  public List<RecordedRequest> requests() {
    return List.copyOf(requests);
  }

  /** The only request so far. */
  public RecordedRequest onlyRequest() {
    List<RecordedRequest> all = requests();
    if (all.size() != 1) {
      throw new AssertionError("expected one request, got " + all);
    }
    return all.get(0);
  }

  /** Connections that are open now, as far as this side knows. */
  public int openConnections() {
    return open.size();
  }

  /** Requests that are being answered now; an unused connection has none. */
  public int requestsInProgress() {
    return answering.get();
  }

  public int acceptedConnections() {
    return accepted.get();
  }

  /** The most connections that were open at one time. */
  public int peakConnections() {
    return peak.get();
  }

  @Override
  public void close() {
    closeQuietly(listener);
    open.forEach(OriginServer::closeQuietly);
    threads.shutdownNow();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        peak.accumulateAndGet(open.size(), Math::max);
        int number = accepted.incrementAndGet();
        threads.execute(() -> serve(socket, number));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket, int number) {
    try {
      socket.setTcpNoDelay(true);
      PushbackInputStream in = new PushbackInputStream(buffered(socket), 1);
      for (int count = 1; !socket.isClosed(); count++) {
        RecordedRequest request = read(in, number);
        requests.add(request);
        answering.incrementAndGet();
        try {
          script.answer(new OriginExchange(socket, in, request, count));
        } finally {
          answering.decrementAndGet();
        }
      }
    } catch (IOException gone) {
      // the peer closed, or the script let it down: both end the connection
    } finally {
      closeQuietly(socket);
      open.remove(socket);
    }
  }

  private static InputStream buffered(Socket socket) throws IOException {
    return new BufferedInputStream(socket.getInputStream(), 4 << 10);
  }

  private static RecordedRequest read(InputStream in, int connection) throws IOException {
    String requestLine = Wire.line(in);
    List<String> fields = Wire.linesToBlank(in);
    return new RecordedRequest(requestLine, fields, connection, System.nanoTime());
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception alreadyGone) {
      // nothing is left to release
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(null, work, "toy-origin", STACK_BYTES);
    thread.setDaemon(true);
    return thread;
  }
}
