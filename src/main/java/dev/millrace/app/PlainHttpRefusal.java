package dev.millrace.app;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;

/** Tells clients that speak plain HTTP to the port of https what is wrong, and hangs up. */
final class PlainHttpRefusal extends DetectorConnectionFactory {
  private static final String DETAIL = "{\"detail\":\"This port speaks https only.\"}";
  private static final byte[] ANSWER =
      ("HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: "
              + DETAIL.length()
              + "\r\nConnection: close\r\n\r\n"
              + DETAIL)
          .getBytes(StandardCharsets.US_ASCII);

  PlainHttpRefusal(SslConnectionFactory ssl) {
    super(ssl);
  }

  /** Called for whatever does not begin as TLS does. */
  @Override
  protected void nextProtocol(Connector connector, EndPoint endPoint, ByteBuffer received) {
    boolean isPerhapsHttp = received.hasRemaining() && isUpperCase(received.get(0));
    if (isPerhapsHttp) {
      endPoint.write(Callback.from(endPoint::close), ByteBuffer.wrap(ANSWER));
    } else {
      endPoint.close();
    }
  }

  private static boolean isUpperCase(byte first) {
    return 'A' <= first && first <= 'Z';
  }
}
