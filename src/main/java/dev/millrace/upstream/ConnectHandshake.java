package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CONNECT (RFC 9110 §9.3.6, RFC 9112 §3.2.3). Interim responses are passed over; an origin with TLS
 * does not speak first, so what follows the head of the response is an error.
 */
final class ConnectHandshake implements TunnelHandshake {
  private static final int MAX_HEAD_BYTES = 16 << 10;
  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( [^\r\n]*)?\r\n.*", Pattern.DOTALL);

  private final ByteBuffer head = ByteBuffer.allocate(MAX_HEAD_BYTES);
  private ByteBuffer request;
  private boolean isEstablished;

  /**
   * @param authorization value of {@code Proxy-Authorization}
   */
  ConnectHandshake(String host, int port, Optional<String> authorization) {
    String authority = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    String text =
        "CONNECT "
            + authority
            + " HTTP/1.1\r\nHost: "
            + authority
            + "\r\n"
            + authorization.map(value -> "Proxy-Authorization: " + value + "\r\n").orElse("")
            + "\r\n";
    request = ByteBuffer.wrap(text.getBytes(ISO_8859_1));
  }

  @Override
  public ByteBuffer toSend() {
    ByteBuffer next = request;
    request = ByteBuffer.allocate(0);
    return next;
  }

  @Override
  public int wanted() {
    return head.remaining();
  }

  @Override
  public void received(ByteBuffer bytes) throws UpstreamException {
    head.put(bytes);
    String text = new String(head.array(), 0, head.position(), ISO_8859_1);
    int end = text.indexOf(END_OF_HEAD);
    while (end >= 0 && !isEstablished) {
      int status = status(text);
      text = text.substring(end + END_OF_HEAD.length());
      isEstablished = status >= 200;
      end = text.indexOf(END_OF_HEAD);
    }
    if (isEstablished ? !text.isEmpty() : !head.hasRemaining()) {
      throw UpstreamException.refusedByProxy("its answer to CONNECT is not valid HTTP");
    }
  }

  /** 1xx or 2xx. */
  private static int status(String response) throws UpstreamException {
    Matcher statusLine = STATUS_LINE.matcher(response);
    if (!statusLine.matches()) {
      throw UpstreamException.refusedByProxy("its answer to CONNECT is not valid HTTP");
    }
    int status = Integer.parseInt(statusLine.group(1));
    if (status == PROXY_AUTHENTICATION_REQUIRED) {
      throw UpstreamException.refusedByProxy("it asks for other credentials (407)");
    }
    if (status >= 300) {
      throw UpstreamException.refusedByProxy("it answers CONNECT with " + status);
    }
    return status;
  }

  @Override
  public boolean isEstablished() {
    return isEstablished;
  }
}
