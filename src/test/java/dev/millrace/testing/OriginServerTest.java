package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OriginServerTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  @Test
  void servesWholeFileToAnotherClient() throws Exception {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(300_000))) {
      HttpResponse<byte[]> response = get(origin, "/v.mp4");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo(OffsetBytes.range(0, 300_000));
      assertThat(origin.onlyRequest().requestLine()).isEqualTo("GET /v.mp4 HTTP/1.1");
    }
  }

  @Test
  void servesRange_whenAsked() throws Exception {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_240))) {
      HttpResponse<byte[]> response = get(origin, "/v.mp4", "Range", "bytes=-5");
      assertThat(response.statusCode()).isEqualTo(206);
      assertThat(response.headers().firstValue("Content-Range"))
          .contains("bytes 10235-10239/10240");
      assertThat(response.body()).isEqualTo(OffsetBytes.range(10_235, 10_240));
    }
  }

  @Test
  void keepsConnection_betweenRequests() throws Exception {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(20_000))) {
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest request = HttpRequest.newBuilder(URI.create(origin.url("/a"))).build();
      client.send(request, BodyHandlers.ofByteArray());
      HttpResponse<byte[]> second = client.send(request, BodyHandlers.ofByteArray());
      assertThat(second.body()).isEqualTo(OffsetBytes.range(0, 20_000));
      assertThat(origin.acceptedConnections()).isEqualTo(1);
    }
  }

  @Test
  void noticesThatPeerLeft_whileSilent() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(10))) {
      try (RawHttp client = RawHttp.connect(origin.port())) {
        client.request("GET", "/");
        assertThat(client.head().status()).isEqualTo(200);
        assertThat(origin.openConnections()).isEqualTo(1);
      }
      Await.until("connection closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void speaksTls_withCertificateNobodyTrusts() throws Exception {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(100))) {
      ExternalProgram curl = ExternalProgram.required("curl");
      assertThat(curl.run(SOON, "-s", origin.url("/")).exit()).isEqualTo(60);
      assertThat(curl.run(SOON, "-sk", "-w", "%{http_code}", "-o", "/dev/null", origin.url("/")))
          .extracting(ExternalProgram.Outcome::output)
          .isEqualTo("200");
    }
  }

  @Test
  void followsItsChainOfRedirects() throws Exception {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirectChain(ToyOrigins.file(100)))) {
      ExternalProgram curl = ExternalProgram.required("curl");
      String format = "%{num_redirects} %{size_download}";
      assertThat(curl.run(SOON, "-sL", "-w", format, "-o", "/dev/null", origin.url("/hop/4")))
          .extracting(ExternalProgram.Outcome::output)
          .isEqualTo("4 100");
    }
  }

  private static HttpResponse<byte[]> get(OriginServer origin, String path, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin.url(path)));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
  }
}
