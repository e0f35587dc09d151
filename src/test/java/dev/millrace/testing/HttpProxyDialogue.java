package dev.millrace.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * HTTP/1.1 in absolute form and CONNECT (RFC 9112 §3.2.2, §3.2.3). Requests on one connection go to
 * the origin of the first; answers pass as they come.
 */
final class HttpProxyDialogue implements ProxyServer.Dialogue {
  private final Optional<String> login;

  /**
   * @param login {@code user:password} that is asked for
   */
  HttpProxyDialogue(Optional<String> login) {
    this.login = login;
  }

  @Override
  public void run(ProxyServer proxy, Socket client) throws IOException {
    InputStream in = client.getInputStream();
    Optional<Socket> origin = Optional.empty();
    try {
      while (true) {
        RecordedRequest request = proxy.record(Wire.line(in), Wire.linesToBlank(in));
        if (!isLoggedIn(request)) {
          answer(client, "407 No", "Proxy-Authenticate: Basic realm=x");
        } else if (request.method().equals("CONNECT")) {
          connectTunnel(proxy, client, request);
          return;
        } else {
          origin =
              Optional.of(origin.isPresent() ? origin.get() : connectPlain(proxy, client, request));
          origin.get().getOutputStream().write(Wire.ascii(inOriginForm(request)));
        }
      }
    } finally {
      origin.ifPresent(proxy::end);
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

  private static void connectTunnel(ProxyServer proxy, Socket client, RecordedRequest request)
      throws IOException {
    Optional<Socket> origin = proxy.connect(request.target());
    if (origin.isPresent()) {
      client.getOutputStream().write(Wire.ascii("HTTP/1.1 200 Connected\r\n\r\n"));
      proxy.join(client, origin.get());
    } else {
      answer(client, "502 Unknown", "X-Proxy: toy");
    }
  }

  private static Socket connectPlain(ProxyServer proxy, Socket client, RecordedRequest request)
      throws IOException {
    String authority = request.target().replaceFirst("http://([^/?]*).*", "$1");
    String place = authority.matches(".*:[0-9]+") ? authority : authority + ":80";
    Socket origin = proxy.connect(place).orElseThrow(() -> new IOException("unknown: " + place));
    proxy.startCopy(origin, client);
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
}
