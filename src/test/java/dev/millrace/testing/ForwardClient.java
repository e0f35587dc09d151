package dev.millrace.testing;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Sends requests with content to the forward route of a server, and reads the answers. */
public final class ForwardClient {
  private static final int PIECE = 64 << 10;

  private final int port;

  public ForwardClient(int port) {
    this.port = port;
  }

  /** Content with its length. */
  public RawAnswer send(String method, Object target, String content, String... fields)
      throws IOException {
    try (RawHttp client = begin(method, target, "Content-Length: " + content.length(), fields)) {
      client.send(content);
      return client.answer(method);
    }
  }

  /** Content in these chunks. */
  public RawAnswer sendChunks(String method, Object target, List<String> chunks, String... fields)
      throws IOException {
    try (RawHttp client = begin(method, target, "Transfer-Encoding: chunked", fields)) {
      for (String chunk : chunks) {
        client.send(chunk(chunk));
      }
      client.send("0\r\n\r\n");
      return client.answer(method);
    }
  }

  /** {@link OffsetBytes} of that length. */
  public RawAnswer sendOffsets(String method, Object target, long length, String... fields)
      throws IOException {
    try (RawHttp client = begin(method, target, "Content-Length: " + length, fields)) {
      sendOffsets(client, 0, length);
      return client.answer(method);
    }
  }

  public static void sendOffsets(RawHttp client, long from, long to) throws IOException {
    byte[] piece = new byte[PIECE];
    for (long at = from; at < to; ) {
      int count = (int) Math.min(PIECE, to - at);
      OffsetBytes.fill(piece, 0, count, at);
      client.send(piece, 0, count);
      at += count;
    }
  }

  /** A request whose content is still to be sent. */
  public RawHttp begin(String method, Object target, String framing, String... fields)
      throws IOException {
    String[] all = new String[fields.length + 1];
    all[0] = framing;
    System.arraycopy(fields, 0, all, 1, fields.length);
    RawHttp client = RawHttp.connect(port);
    client.request(method, target.toString(), all);
    return client;
  }

  /** One chunk (RFC 9112 §7.1). */
  public static String chunk(String content) {
    return Integer.toHexString(content.length()).toUpperCase(Locale.ROOT)
        + "\r\n"
        + content
        + "\r\n";
  }
}
