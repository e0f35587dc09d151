package dev.millrace.testing;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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
  private final Optional<String> login;
  private final Queue<RecordedRequest> requests = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, MAX_THREADS, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), ProxyServer::daemon);

  /** What is said on one connection until both sides are joined. */
  private interface Dialogue {
    void run(ProxyServer proxy, Socket client) throws IOException;
  }

  private ProxyServer(ServerSocket listener, String scheme, Dialogue dialogue, String login) {
    this.listener = listener;
    this.scheme = scheme;
    this.dialogue = dialogue;
    this.login = Optional.of(login).filter(text -> !text.isEmpty());
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
    return listening(plainSocket(), "http", ProxyServer::http, login);
  }

  /** Over TLS with a certificate nobody trusts. */
  public static ProxyServer https() {
    try {
      ServerSocket socket =
          SelfSigned.serverContext().getServerSocketFactory().createServerSocket();
      return listening(socket, "https", ProxyServer::http, "");
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
    return listening(plainSocket(), "socks5", ProxyServer::socks, login);
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
        },
        "");
  }

  /** Listens and never says anything. */
  public static ProxyServer silent() {
    return listening(
        plainSocket(),
        "http",
        (proxy, client) -> client.getInputStream().transferTo(OutputStream.nullOutputStream()),
        "");
  }

  private static ServerSocket plainSocket() {
    try {
      return new ServerSocket();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ProxyServer listening(
      ServerSocket socket, String scheme, Dialogue dialogue, String login) {
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ProxyServer server = new ProxyServer(socket, scheme, dialogue, login);
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

  // HTTP

  private void http(Socket client) throws IOException {
    InputStream in = client.getInputStream();
    Optional<Socket> origin = Optional.empty();
    try {
      while (true) {
        RecordedRequest request = record(Wire.line(in), Wire.linesToBlank(in));
        if (!isLoggedIn(request)) {
          answer(client, "407 No", "Proxy-Authenticate: Basic realm=x");
        } else if (request.method().equals("CONNECT")) {
          connectTunnel(client, request);
          return;
        } else {
          origin = Optional.of(origin.isPresent() ? origin.get() : connectPlain(client, request));
          origin.get().getOutputStream().write(Wire.ascii(inOriginForm(request)));
        }
      }
    } finally {
      origin.ifPresent(this::end);
    }
  }

  private static void answer(Socket client, String status, String field) throws IOException {
    client
        .getOutputStream()
        .write(Wire.ascii("HTTP/1.1 " + status + "\r\n" + field + "\r\nContent-Length: 0\r\n\r\n"));
  }

  private boolean isLoggedIn(RecordedRequest request) {
    Optional<String> wanted =
        login.map(
            text ->
                "Basic "
                    + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    return wanted.isEmpty() || wanted.equals(request.field("Proxy-Authorization"));
  }

  private void connectTunnel(Socket client, RecordedRequest request) throws IOException {
    Optional<Socket> origin = connect(request.target());
    if (origin.isPresent()) {
      client.getOutputStream().write(Wire.ascii("HTTP/1.1 200 Connected\r\n\r\n"));
      join(client, origin.get());
    } else {
      answer(client, "502 Unknown", "X-Proxy: toy");
    }
  }

  private Socket connectPlain(Socket client, RecordedRequest request) throws IOException {
    String authority = request.target().replaceFirst("http://([^/?]*).*", "$1");
    String place = authority.matches(".*:[0-9]+") ? authority : authority + ":80";
    Socket origin = connect(place).orElseThrow(() -> new IOException("unknown: " + place));
    threads.execute(() -> copy(origin, client));
    return origin;
  }

  private static String inOriginForm(RecordedRequest request) {
    StringBuilder head = new StringBuilder(request.method()).append(' ');
    head.append(request.target().replaceFirst("http://[^/?]*", "")).append(" HTTP/1.1\r\n");
    request.fieldLines().stream()
        .filter(line -> !line.startsWith("Proxy-"))
        .forEach(line -> head.append(line).append("\r\n"));
    return head.append("\r\n").toString();
  }

  // SOCKS

  private void socks(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    if (in.readByte() == 4) {
      socks4(client, in);
    } else {
      socks5(client, in);
    }
  }

  private void socks4(Socket client, DataInputStream in) throws IOException {
    in.readByte();
    int port = in.readUnsignedShort();
    byte[] address = in.readNBytes(4);
    String user = zeroEnded(in);
    boolean isName = address[0] == 0 && address[1] == 0 && address[2] == 0;
    String host = isName ? zeroEnded(in) : InetAddress.getByAddress(address).getHostAddress();
    record((isName ? "SOCKS4A " : "SOCKS4 ") + host + ":" + port + " login=" + user, List.of());
    Optional<Socket> origin = connect(host + ":" + port);
    byte verdict = (byte) (origin.isPresent() ? 90 : 91);
    client.getOutputStream().write(new byte[] {0, verdict, 0, 0, 0, 0, 0, 0});
    if (origin.isPresent()) {
      join(client, origin.get());
    }
  }

  private static String zeroEnded(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int b = in.read(); b > 0; b = in.read()) {
      text.append((char) b);
    }
    return text.toString();
  }

  private void socks5(Socket client, DataInputStream in) throws IOException {
    OutputStream out = client.getOutputStream();
    in.readNBytes(in.readUnsignedByte());
    String user = "";
    out.write(new byte[] {5, (byte) (login.isPresent() ? 2 : 0)});
    if (login.isPresent()) {
      in.readByte();
      user = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
      String password = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
      boolean isRight = login.get().equals(user + ":" + password);
      out.write(new byte[] {1, (byte) (isRight ? 0 : 1)});
    }
    in.readNBytes(3);
    String host =
        switch (in.readByte()) {
          case 1 -> InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
          case 4 -> "[" + InetAddress.getByAddress(in.readNBytes(16)).getHostAddress() + "]";
          default -> new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
        };
    int port = in.readUnsignedShort();
    record("SOCKS5 " + host + ":" + port + " login=" + user, List.of());
    Optional<Socket> origin = connect(host + ":" + port);
    out.write(new byte[] {5, (byte) (origin.isPresent() ? 0 : 4), 0, 3, 1, 'x', 0, 0});
    if (origin.isPresent()) {
      join(client, origin.get());
    }
  }

  // both

  private RecordedRequest record(String line, List<String> fields) {
    RecordedRequest request = new RecordedRequest(line, fields, 0, System.nanoTime());
    requests.add(request);
    return request;
  }

  /** Empty: the name is unknown here, or nobody listens there. */
  private Optional<Socket> connect(String hostAndPort) throws IOException {
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

  private void join(Socket client, Socket origin) {
    threads.execute(() -> copy(origin, client));
    copy(client, origin);
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

  private void end(Socket socket) {
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
