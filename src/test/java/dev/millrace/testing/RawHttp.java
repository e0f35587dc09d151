package dev.millrace.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;

/**
 * An HTTP/1.1 client on a bare socket: sends exactly what it is told and reports exactly how the
 * answer ended. Reads give up after ten seconds of silence. Confined to one thread.
 */
public final class RawHttp implements AutoCloseable {
  private static final int SILENCE_MILLIS = 10_000;
  private static final int CONNECT_MILLIS = 10_000;

  private final Socket socket;
  private final Socket connection;
  private final InputStream in;

  private RawHttp(Socket socket) throws IOException {
    this(socket, socket);
  }

  private RawHttp(Socket socket, Socket connection) throws IOException {
    this.socket = socket;
    this.connection = connection;
    this.in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
  }

  public static RawHttp connect(int port) throws IOException {
    return connect(port, 0);
  }

  /** With a receive buffer of about so many bytes; 0: the system's choice. */
  public static RawHttp connect(int port, int receiveBufferBytes) throws IOException {
    return connect(InetAddress.getLoopbackAddress(), port, receiveBufferBytes);
  }

  /** To another address of this machine, which is then the client's address too. */
  public static RawHttp connect(InetAddress address, int port) throws IOException {
    return connect(address, port, 0);
  }

  /** From another address of this machine, 127.0.0.0/8, which is then the client's address. */
  public static RawHttp connectFrom(String source, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(source, 0));
    return connect(socket, InetAddress.getLoopbackAddress(), port);
  }

  private static RawHttp connect(InetAddress address, int port, int receiveBufferBytes)
      throws IOException {
    Socket socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    return connect(socket, address, port);
  }

  private static RawHttp connect(Socket socket, InetAddress address, int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(SILENCE_MILLIS);
    socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
    return new RawHttp(socket);
  }

  /** The same inside TLS, whatever the certificate. */
  public static RawHttp connectTls(int port) throws IOException {
    RawHttp plain = connect(port);
    SSLSocket tls =
        (SSLSocket)
            TrustAll.context()
                .getSocketFactory()
                .createSocket(plain.socket, "localhost", port, true);
    tls.startHandshake();
    return new RawHttp(tls, plain.socket);
  }

  /** One request on its own connection, answer read to its end. */
  public static RawAnswer fetch(int port, String method, String target, String... fields)
      throws IOException {
    try (RawHttp client = connect(port)) {
      client.request(method, target, fields);
      return client.answer(method);
    }
  }

  /** The answer to a request, read to its end. */
  public RawAnswer answer(String method) throws IOException {
    RawHead head = head();
    return new RawAnswer(head, body(method, head).readAll());
  }

  /** Like {@link #fetch}, for large bodies: compared with {@link OffsetBytes}, not kept. */
  public static CountedAnswer count(int port, String target, String... fields) throws IOException {
    try (RawHttp client = connect(port)) {
      client.request("GET", target, fields);
      RawHead head = client.head();
      return new CountedAnswer(head, client.body("GET", head).countAll());
    }
  }

  /** Sends a request head with a Host field and these further lines. */
  public void request(String method, String target, String... fields) throws IOException {
    StringBuilder head = new StringBuilder(method).append(' ').append(target);
    head.append(" HTTP/1.1\r\nHost: 127.0.0.1:").append(socket.getPort()).append("\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    send(head.append("\r\n").toString());
  }

  /** Sends these characters as ISO-8859-1 bytes and nothing else. */
  public void send(String bytes) throws IOException {
    socket.getOutputStream().write(Wire.ascii(bytes));
  }

  /** Sends these bytes and nothing else. */
  public void send(byte[] bytes, int from, int count) throws IOException {
    socket.getOutputStream().write(bytes, from, count);
  }

  /** Reads status line and fields. */
  public RawHead head() throws IOException {
    String statusLine = Wire.line(in);
    List<String> fields = Wire.linesToBlank(in);
    return new RawHead(statusLine, fields);
  }

  /** The body that follows {@code head}. */
  public RawBody body(String method, RawHead head) {
    return RawBody.of(in, method, head);
  }

  /** What the peer does when nothing is asked: true if it closes within {@code millis}. */
  public boolean isClosedWithin(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException reset) {
      return true;
    } finally {
      socket.setSoTimeout(SILENCE_MILLIS);
    }
  }

  /** Like {@link #isClosedWithin}, after reading whatever the peer says first. */
  public boolean isClosedAfterWhatIsSent(int millis) throws IOException {
    socket.setSoTimeout(millis);
    try {
      return in.skip(Long.MAX_VALUE) >= 0 && in.read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException reset) {
      return true;
    } finally {
      socket.setSoTimeout(SILENCE_MILLIS);
    }
  }

  /** How long a read may be silent from now on. */
  public void patience(Duration silence) throws IOException {
    socket.setSoTimeout((int) silence.toMillis());
  }

  /** Says that nothing more will be sent (FIN) and goes on reading. */
  public void halfClose() throws IOException {
    socket.shutdownOutput();
  }

  /** Leaves rudely (RST). */
  public void reset() throws IOException {
    connection.setSoLinger(true, 0);
    connection.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
