package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.RouteConfig.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forward proxies that we have not written: tinyproxy (HTTP, CONNECT) and microsocks (SOCKS 5). */
@Timeout(60)
class RealProxiesIT {
  private static final int LENGTH = 300_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void streamsThroughTinyproxy(String host) throws IOException {
    Proxy tinyproxy = tinyproxy();
    try (tinyproxy) {
      assertStreams(host, "http://me:right@127.0.0.1:" + tinyproxy.port());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"socks5", "socks5h"})
  void streamsThroughMicrosocks(String scheme) throws IOException {
    Proxy microsocks = microsocks();
    try (microsocks) {
      assertStreams("localhost", scheme + "://me:right@127.0.0.1:" + microsocks.port());
    }
  }

  /** To a wrong login it answers a plain request with 401, which only an origin should. */
  @Test
  void tellsThatTinyproxyWantsCredentials() throws IOException {
    Proxy tinyproxy = tinyproxy();
    try (tinyproxy) {
      assertRefused("http://localhost/", "http://127.0.0.1:" + tinyproxy.port());
      assertRefused("https://localhost/", "http://me:wrong@127.0.0.1:" + tinyproxy.port());
    }
  }

  @Test
  void tellsThatMicrosocksRefuses() throws IOException {
    Proxy microsocks = microsocks();
    try (microsocks) {
      String right = "socks5h://me:right@127.0.0.1:" + microsocks.port();
      assertRefused("http://localhost/", right.replace("right", "wrong"));
      assertRefused("http://no-such-name.invalid/", right);
    }
  }

  /** Plain and with TLS. */
  private static void assertStreams(String host, String proxyUrl) throws IOException {
    try (OriginServer plain = OriginServer.start(ToyOrigins.file(LENGTH));
        OriginServer secure = OriginServer.startTls(ToyOrigins.file(LENGTH));
        RunningMillrace millrace = through(proxyUrl)) {
      for (OriginServer origin : List.of(plain, secure)) {
        String url = origin.url("/v.mp4?a=b|c").replace("127.0.0.1", host);
        assertThat(millrace.get(url).bytes()).isEqualTo(OffsetBytes.range(0, LENGTH));
        assertThat(origin.requests().get(0).target()).isEqualTo("/v.mp4?a=b|c");
      }
    }
  }

  private static void assertRefused(String url, String proxyUrl) throws IOException {
    try (RunningMillrace millrace = through(proxyUrl)) {
      RawAnswer answer = millrace.get(url);

      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("proxy_refused");
    }
  }

  private static RunningMillrace through(String proxyUrl) {
    Route all = new Route("all://", true, Optional.of(proxyUrl), false);
    return RunningMillrace.start(
        settings -> settings.routes(new RouteConfig(List.of(all), Optional.empty(), false)));
  }

  private Proxy tinyproxy() throws IOException {
    int port = freePort();
    Path settings = directory.resolve("tinyproxy.conf");
    Files.writeString(
        settings,
        "Port "
            + port
            + "\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nBasicAuth me right\nLogLevel Error\n");
    return start("tinyproxy", port, "-d", "-c", settings.toString());
  }

  private Proxy microsocks() throws IOException {
    int port = freePort();
    return start("microsocks", port, "-i", "127.0.0.1", "-p", "" + port, "-u", "me", "-P", "right");
  }

  private Proxy start(String program, int port, String... arguments) throws IOException {
    Process process =
        ExternalProgram.required(program)
            .start(directory.resolve("out"), directory.resolve("err"), arguments);
    Proxy proxy = new Proxy(process, port);
    Await.until(program + " to listen", Duration.ofSeconds(10), proxy::listens);
    return proxy;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private record Proxy(Process process, int port) implements AutoCloseable {
    boolean listens() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException notYet) {
        return false;
      }
    }

    @Override
    public void close() {
      ExternalProgram.end(process);
    }
  }
}
