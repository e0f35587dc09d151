package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * One request at a toy origin and the means to answer it, well or badly. The connection is kept
 * unless it is cut or reset. Confined to the thread of its connection.
 */
public final class OriginExchange {
  private static final int CHUNK = 64 << 10;

  private final Socket socket;
  private final PushbackInputStream in;
  private final OutputStream out;
  private final RecordedRequest request;
  private final int requestOnConnection;

  OriginExchange(
      Socket socket, PushbackInputStream in, RecordedRequest request, int requestOnConnection)
      throws IOException {
    this.socket = socket;
    this.in = in;
    this.out = socket.getOutputStream();
    this.request = request;
    this.requestOnConnection = requestOnConnection;
  }

  public RecordedRequest request() {
    return request;
  }

  /** 1 for the first request on its connection. */
  public int requestOnConnection() {
    return requestOnConnection;
  }

  public boolean isHead() {
    return request.method().equals("HEAD");
  }

  /** The content of the request, in the framing of its head (RFC 9112 §6.3). */
  public byte[] requestBody() throws IOException {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    readRequestBody(kept::write);
    return kept.toByteArray();
  }

  /** Takes bytes of a request's content. */
  @FunctionalInterface
  public interface Taker {
    void take(byte[] bytes, int from, int count) throws IOException;
  }

  /** The same for content that is too long to be kept. */
  public void readRequestBody(Taker taker) throws IOException {
    if (request.field("Transfer-Encoding").isEmpty()) {
      take(Long.parseLong(request.field("Content-Length").orElse("0")), taker);
      return;
    }
    for (long size = chunkSize(); size > 0; size = chunkSize()) {
      take(size, taker);
      Wire.line(in);
    }
    Wire.line(in);
  }

  private long chunkSize() throws IOException {
    return Long.parseLong(Wire.line(in), 16);
  }

  private void take(long count, Taker taker) throws IOException {
    byte[] buffer = new byte[CHUNK];
    for (long left = count; left > 0; ) {
      int read = in.read(buffer, 0, (int) Math.min(CHUNK, left));
      if (read < 0) {
        throw new EOFException("inside the content of a request");
      }
      taker.take(buffer, 0, read);
      left -= read;
    }
  }

  /** Sends status line and header lines; {@code fields} are whole lines without line ends. */
  public void head(int status, String... fields) throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" Status\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    write(Wire.ascii(head.append("\r\n").toString()));
  }

  /** A whole answer with its length; no body on HEAD. */
  public void text(int status, String text, String... fields) throws IOException {
    bytes(status, Wire.ascii(text), fields);
  }

  /** A whole answer with its length; no body on HEAD. */
  public void bytes(int status, byte[] body, String... fields) throws IOException {
    String[] all = Arrays.copyOf(fields, fields.length + 1);
    all[fields.length] = "Content-Length: " + body.length;
    head(status, all);
    if (!isHead()) {
      write(body);
    }
  }

  public void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  public void write(String ascii) throws IOException {
    write(Wire.ascii(ascii));
  }

  /** Sends {@link OffsetBytes} {@code from} (inclusive) to {@code to} (exclusive). */
  public void body(long from, long to) throws IOException {
    byte[] buffer = new byte[CHUNK];
    for (long at = from; at < to; ) {
      int count = (int) Math.min(CHUNK, to - at);
      OffsetBytes.fill(buffer, 0, count, at);
      out.write(buffer, 0, count);
      at += count;
    }
  }

  /** One chunk of a chunked body, RFC 9112 §7.1. */
  public void chunk(byte[] bytes) throws IOException {
    write(Integer.toHexString(bytes.length).toUpperCase(Locale.ROOT) + "\r\n");
    write(bytes);
    write("\r\n");
  }

  public void lastChunk() throws IOException {
    write("0\r\n\r\n");
  }

  /** Closes the connection politely (FIN). */
  public void cut() throws IOException {
    socket.close();
  }

  /** Closes the connection rudely (RST). */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Says nothing until the peer closes. */
  public void hold() throws IOException {
    while (pause(Duration.ofMinutes(1))) {
      // the peer is still there
    }
  }

  /** Says nothing for a while; false at once when the peer closes. */
  public boolean pause(Duration duration) throws IOException {
    socket.setSoTimeout(Math.max(1, (int) duration.toMillis()));
    try {
      int b = in.read();
      if (b >= 0) {
        in.unread(b);
        return false;
      }
      socket.close();
      return false;
    } catch (SocketTimeoutException stillOpen) {
      return true;
    } finally {
      if (!socket.isClosed()) {
        socket.setSoTimeout(0);
      }
    }
  }
}
