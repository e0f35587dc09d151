package dev.millrace.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The port of https: what clients may choose, and HTTP/1.1 inside TLS. */
@Timeout(60)
class HttpsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final Duration SERVER_IDLE = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(1_800);
  private static final int SIZE = 3_000_000;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.selfSigned().serverIdleTimeout(SERVER_IDLE));

  @TempDir private Path directory;

  // real clients

  @ParameterizedTest
  @CsvSource({
    "--http2, --tlsv1.3, 2",
    "--http1.1, --tlsv1.3, 1.1",
    "--http2, --tls-max 1.2, 2",
    "--http1.1, --tls-max 1.2, 1.1",
  })
  void curlFetchesWholeFile(String protocol, String tls, String version) throws IOException {
    Path out = directory.resolve("v.mp4");
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE))) {
      Outcome outcome =
          curl(
              ("-k " + protocol + " " + tls + " -w %{http_version} -o " + out).split(" "),
              PROXY.url(StreamLink.to(origin.url("/v.mp4")).toString()));
      assertThat(outcome.exit()).as(outcome.errors()).isZero();
      assertThat(outcome.output()).isEqualTo(version);
      assertThat(out).hasBinaryContent(OffsetBytes.range(0, SIZE));
    }
  }

  @ParameterizedTest
  @CsvSource({"--http2, 92", "--http1.1, 18"}) // stream not closed cleanly; partial file
  void curlTellsThatABodyIsCut(String protocol, int exit) throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutAfter(SIZE, 100_000, 0))) {
      Outcome outcome =
          curl(
              ("-k " + protocol + " -o " + directory.resolve("v.mp4")).split(" "),
              PROXY.url(StreamLink.to(origin.url("/v.mp4")).toString()));
      assertThat(outcome.exit()).as(outcome.errors()).isEqualTo(exit);
    }
  }

  @Test
  void curlBelievesACertificateFromFiles() throws IOException {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("cert.pem");
    String command =
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
            + " -addext subjectAltName=IP:127.0.0.1 -keyout "
            + key
            + " -out "
            + certificate;
    ExternalProgram.required("openssl").run(SOON, command.split(" "));
    try (RunningMillrace proxy =
        RunningMillrace.start(settings -> settings.pem(certificate, key))) {
      String[] trusting = {"--cacert", certificate.toString(), "--http2"};

      assertThat(curl(trusting, proxy.url("/health")).output()).contains("healthy");
      assertThat(curl(new String[0], proxy.url("/health")).exit()).isEqualTo(60);
    }
  }

  @Test
  void theSelfSignedCertificateIsForTheAddressItListensOn() throws IOException {
    Path certificate = directory.resolve("cert.pem");
    Outcome shown =
        ExternalProgram.required("openssl")
            .run(SOON, "s_client", "-connect", "127.0.0.1:" + PROXY.port(), "-showcerts");
    String pem = shown.output().replaceAll("(?s).*(-----BEGIN CERT.*END CERTIFICATE-----).*", "$1");
    Files.writeString(certificate, pem + "\n");

    Outcome outcome = curl(new String[] {"--cacert", certificate.toString()}, PROXY.url("/health"));

    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    assertThat(shown.output()).contains("id-ecPublicKey, 256");
  }

  @Test
  void refusesOldTls() throws IOException {
    Outcome outcome =
        ExternalProgram.required("openssl")
            .run(
                SOON,
                "s_client",
                "-tls1_1",
                "-cipher",
                "ALL:@SECLEVEL=0",
                "-connect",
                "127.0.0.1:" + PROXY.port());
    assertThat(outcome.exit()).isNotZero();
    assertThat(outcome.errors()).contains("alert protocol version");
  }

  // whoever does not speak TLS

  @Test
  void tellsPlainHttpThatThisIsHttps() throws IOException {
    RawAnswer answer = RawHttp.fetch(PROXY.port(), "GET", "/health");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(new String(answer.body().bytes(), US_ASCII)).contains("https");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000\u0000\u0000\u0000", "{}", "\u0016\u0003\u0001\u0000\u0005hello"})
  void hangsUpOnNoise(String noise) throws IOException {
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.send(noise);
      assertThat(client.isClosedAfterWhatIsSent(5_000)).isTrue();
    }
  }

  @Test
  void hangsUpOnSilence() throws IOException {
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      assertThat(client.isClosedWithin(5_000)).isTrue();
    }
  }

  // HTTP/1.1 inside TLS

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesUpstream_whenClientLeavesWhileTheOriginIsSilent(boolean reset) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        RawHttp client = ask(origin.url("/v.ts"))) {
      assertThat(client.body("GET", client.head()).count(1_000).length()).isEqualTo(1_000);

      leave(client, reset);

      Await.until("upstream closed", ONE_SECOND, () -> origin.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesUpstream_whenClientLeavesWhileTheOriginSends(boolean reset) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.endless());
        RawHttp client = ask(origin.url("/v.ts"))) {
      client.body("GET", client.head()).count(1_000_000);

      leave(client, reset);

      Await.until("upstream closed", ONE_SECOND, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void goesOn_afterPauseLongerThanIdleTime() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(60_000_000));
        RawHttp client = ask(origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000_000);
      Await.stays("upstream open", PAUSE, () -> origin.openConnections() == 1);

      assertThat(body.countAll()).isEqualTo(new CountedBody(59_000_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void keepsConnection_afterWholeBodies() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(100_000));
        RawHttp client = RawHttp.connectTls(PROXY.port())) {
      for (int i = 0; i < 20; i++) {
        client.request("GET", StreamLink.to(origin.url("/v.ts")).toString());
        assertThat(client.body("GET", client.head()).countAll())
            .isEqualTo(new CountedBody(100_000, -1, BodyEnd.COMPLETE));
      }
    }
  }

  @Test
  void answersPipelinedRequest_whenItArrivesDuringSilenceOfOrigin() throws IOException {
    try (OriginServer origin =
            OriginServer.start(
                exchange -> {
                  exchange.head(200, "Content-Type: video/mp2t", "Content-Length: 2000");
                  exchange.body(0, 1_000);
                  exchange.pause(Duration.ofMillis(200));
                  exchange.body(1_000, 2_000);
                });
        RawHttp client = ask(origin.url("/1.ts"))) {
      var first = client.head();
      client.request("GET", StreamLink.to(origin.url("/2.ts")).toString());
      assertThat(client.body("GET", first).countAll().length()).isEqualTo(2_000);
      assertThat(client.body("GET", client.head()).countAll().length()).isEqualTo(2_000);
    }
  }

  private static RawHttp ask(String d) throws IOException {
    RawHttp client = RawHttp.connectTls(PROXY.port());
    client.request("GET", StreamLink.to(d).toString());
    return client;
  }

  private static void leave(RawHttp client, boolean reset) throws IOException {
    if (reset) {
      client.reset();
    } else {
      client.close();
    }
  }

  private static Outcome curl(String[] options, String url) throws IOException {
    String[] all = Arrays.copyOf(options, options.length + 2);
    all[options.length] = "-sS";
    all[options.length + 1] = url;
    return ExternalProgram.required("curl").run(SOON, all);
  }
}
