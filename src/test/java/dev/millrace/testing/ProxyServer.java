package dev.millrace.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A forward proxy on bare sockets of 127.0.0.1: HTTP in absolute form and CONNECT, or SOCKS 4, 4A
 * and 5. It records what it is asked, knows every name that ends in {@code .test} (they are
 * loopback) and no other. Up to four threads per connection, 200 in all.
 */
public final class ProxyServer implements AutoCloseable {
  private static final int MAX_THREADS = 200;

  private final ServerSocket listener;
  private final String scheme;
  private final Dialogue dialogue;
  private final Queue<RecordedRequest> requests = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, MAX_THREADS, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), ProxyServer::daemon);

  /** What is said on one connection until both sides are joined. */
  interface Dialogue {
    void run(ProxyServer proxy, Socket client) throws IOException;
  }

  private ProxyServer(ServerSocket listener, String scheme, Dialogue dialogue) {
    this.listener = listener;
    this.scheme = scheme;
    this.dialogue = dialogue;
  }

  public static ProxyServer http() {
    return http("");
  }

  /**
   * One that asks for a login.
   *
   * @param login {@code user:password}; empty: none
   */
  public static ProxyServer http(String login) {
    return listening(plainSocket(), "http", new HttpProxyDialogue(loginOf(login)));
  }

  /** Over TLS with a certificate nobody trusts. */
  public static ProxyServer https() {
    try {
      ServerSocket socket =
          SelfSigned.serverContext().getServerSocketFactory().createServerSocket();
      return listening(socket, "https", new HttpProxyDialogue(Optional.empty()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static ProxyServer socks() {
    return socks("");
  }

  /**
   * One that asks for a login in SOCKS 5.
   *
   * @param login {@code user:password}; empty: none
   */
  public static ProxyServer socks(String login) {
    return listening(plainSocket(), "socks5", new SocksDialogue(loginOf(login)));
  }

  /** Says these bytes once something was said to it, then closes. */
  public static ProxyServer saying(String bytes) {
    return listening(
        plainSocket(),
        "http",
        (proxy, client) -> {
          client.getInputStream().read(new byte[1_000]);
          client.getOutputStream().write(Wire.ascii(bytes));
          client.shutdownOutput();
          client.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
  }

  /** Listens and never says anything. */
  public static ProxyServer silent() {
    return listening(
        plainSocket(),
        "http",
        (proxy, client) -> client.getInputStream().transferTo(OutputStream.nullOutputStream()));
  }

  private static Optional<String> loginOf(String text) {
    return Optional.of(text).filter(login -> !login.isEmpty());
  }

  private static ServerSocket plainSocket() {
    try {
      return new ServerSocket();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ProxyServer listening(ServerSocket socket, String scheme, Dialogue dialogue) {
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ProxyServer server = new ProxyServer(socket, scheme, dialogue);
    server.threads.execute(server::acceptAll);
    return server;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Its address, without login. */
  public String url() {
    return url(scheme, "");
  }

  /**
   * Its address as a client would configure it.
   *
   * @param login {@code user:password@} or nothing
   */
  public String url(String scheme, String login) {
    return scheme + "://" + login + "127.0.0.1:" + port();
  }

  /**
   * What it was asked so far. SOCKS is written {@code SOCKS5 host:port login=user}; the connection
   * number is 0.
   */
  public List<RecordedRequest> requests() {
    return List.copyOf(requests);
  }

  /** The request lines of {@link #requests}. */
  public List<String> lines() {
    return requests().stream().map(RecordedRequest::requestLine).toList();
  }

  /** Connections that are open now, those to origins too. */
  public int openConnections() {
    return open.size();
  }

  @Override
  public void close() {
    closeQuietly(listener);
    open.forEach(ProxyServer::closeQuietly);
    threads.shutdownNow();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        threads.execute(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try {
      client.setTcpNoDelay(true);
      dialogue.run(this, client);
    } catch (IOException gone) {
      // either side has gone: both are closed
    } finally {
      end(client);
    }
  }

  RecordedRequest record(String line, List<String> fields) {
    RecordedRequest request = new RecordedRequest(line, fields, 0, System.nanoTime());
    requests.add(request);
    return request;
  }

  /** Empty: the name is unknown here, or nobody listens there. */
  Optional<Socket> connect(String hostAndPort) throws IOException {
    int colon = hostAndPort.lastIndexOf(':');
    String host = hostAndPort.substring(0, colon);
    int port = Integer.parseInt(hostAndPort.substring(colon + 1));
    boolean isAddress = host.matches("[0-9.]+|\\[.*]");
    if (!isAddress && !host.endsWith(".test")) {
      return Optional.empty();
    }
    Socket origin = new Socket();
    open.add(origin);
    try {
      origin.connect(
          new InetSocketAddress(
              isAddress ? InetAddress.getByName(host) : InetAddress.getLoopbackAddress(), port),
          5_000);
      return Optional.of(origin);
    } catch (IOException refused) {
      end(origin);
      return Optional.empty();
    }
  }

  /** Passes bytes both ways until one side ends. */
  void join(Socket client, Socket origin) {
    startCopy(origin, client);
    copy(client, origin);
  }

  /** Passes bytes one way until either side ends, on a thread of its own. */
  void startCopy(Socket from, Socket to) {
    threads.execute(() -> copy(from, to));
  }

  private void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException gone) {
      // the other one is told by the close
    } finally {
      end(from);
      end(to);
    }
  }

  void end(Socket socket) {
    closeQuietly(socket);
    open.remove(socket);
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception alreadyGone) {
      // nothing is left to release
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "toy-proxy");
    thread.setDaemon(true);
    return thread;
  }
}
