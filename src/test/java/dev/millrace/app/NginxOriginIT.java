package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** nginx as an origin, once with HTTP/2 and once with HTTP/1.1 only; both negotiate. */
@Timeout(60)
class NginxOriginIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int SIZE = 20_000_000;

  @TempDir private static Path directory;
  private static Process nginx;
  private static int http2Port;
  private static int http1Port;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.originHttp2().anyCertificate());

  @BeforeAll
  static void startNginx() throws Exception {
    http2Port = freePort();
    http1Port = freePort();
    ExternalProgram.required("openssl")
        .run(
            SOON,
            ("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
                    + (" -subj /CN=localhost -keyout " + directory.resolve("key.pem"))
                    + (" -out " + directory.resolve("cert.pem")))
                .split(" "));
    Files.write(directory.resolve("v.mp4"), OffsetBytes.range(0, SIZE));
    Path configuration = Files.writeString(directory.resolve("nginx.conf"), configuration());
    Path log = directory.resolve("nginx.log");
    nginx =
        ExternalProgram.required("nginx")
            .start(log, log, "-p", directory.toString(), "-c", configuration.toString());
    Await.until("nginx listens", SOON, () -> isListening(http2Port) && isListening(http1Port));
  }

  @AfterAll
  static void stopNginx() {
    if (nginx != null) {
      ExternalProgram.end(nginx);
    }
  }

  private static String configuration() {
    return """
        user root; daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
        events { worker_connections 256; }
        http {
          log_format short '$server_protocol $request_method $status'; access_log access.log short;
          client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; scgi_temp_path s; uwsgi_temp_path u;
          types { video/mp4 mp4; }
          ssl_certificate cert.pem; ssl_certificate_key key.pem; root .;
          server { listen 127.0.0.1:%d ssl http2; }
          server { listen 127.0.0.1:%d ssl; }
        }
        """
        .formatted(http2Port, http1Port);
  }

  @ParameterizedTest
  @CsvSource({"true, HTTP/2.0", "false, HTTP/1.1"})
  void fetchesWholeFiles_inTheVersionThatTheOriginChooses(boolean http2, String version)
      throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThat(PROXY.count(url(http2, "/v.mp4")).body())
          .isEqualTo(new CountedBody(SIZE, -1, BodyEnd.COMPLETE));
    }
    Await.until("logged", SOON, () -> log().contains(version + " GET 206"));
  }

  @Test
  void fetchesRanges() throws IOException {
    RawAnswer answer = PROXY.get(url(true, "/v.mp4"), "Range: bytes=1000000-1000099");

    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 1000000-1000099/" + SIZE);
    assertThat(answer.body().bytes()).isEqualTo(OffsetBytes.range(1_000_000, 1_000_100));
  }

  @Test
  void asksForHead() throws IOException {
    RawAnswer answer = PROXY.head(url(true, "/v.mp4"));

    assertThat(answer.field("Content-Length")).contains(String.valueOf(SIZE));
    Await.until("logged", SOON, () -> log().contains("HTTP/2.0 HEAD 20"));
  }

  @Test
  void passesRefusalsOn() throws IOException {
    assertThat(PROXY.get(url(true, "/none.mp4")).status()).isEqualTo(404);
    assertThat(PROXY.get(url(true, "/v.mp4"), "Range: bytes=99000000-").status()).isEqualTo(416);
  }

  private static String url(boolean http2, String path) {
    return "https://127.0.0.1:" + (http2 ? http2Port : http1Port) + path;
  }

  private static String log() {
    try {
      return Files.readString(directory.resolve("access.log"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
