package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which status and which JSON each fault of an origin becomes (contract §9.1, decision 14). */
@Timeout(60)
class ErrorMappingIT {
  private static final Duration HEADER_TIMEOUT = Duration.ofMillis(500);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose
  private static final RunningMillrace IMPATIENT =
      RunningMillrace.start(settings -> settings.headerTimeout(HEADER_TIMEOUT));

  @Test
  void answers502_whenNobodyListens() throws IOException {
    RawAnswer answer = PROXY.get("http://127.0.0.1:" + unusedPort() + "/v.mp4");
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).hop()).isEqualTo("origin");
  }

  @Test
  @Timeout(3)
  void answers502_whenNameDoesNotExist() throws IOException {
    RawAnswer answer = PROXY.get("http://nx.invalid/v.mp4");
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).detail()).doesNotContain("Exception");
  }

  @Test
  void answers502_whenCertificateIsNotTrusted() throws IOException {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(100))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).reason()).containsIgnoringCase("tls");
    }
  }

  @Test
  void servesUntrustedCertificate_whenChecksAreOff() throws IOException {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(100_000));
        RunningMillrace lax = RunningMillrace.start(settings -> settings.anyCertificate())) {
      assertThat(lax.get(origin.url("/v.mp4")).bytes()).isEqualTo(OffsetBytes.range(0, 100_000));
    }
  }

  @ParameterizedTest
  @MethodSource("speechlessOrigins")
  @Timeout(10)
  void answers504_whenHeadersDoNotCome(Script script) throws IOException {
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer = IMPATIENT.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(504);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("upstream_timeout");
      assertThat(ErrorBody.of(answer).hop()).isEqualTo("origin");
    }
  }

  static Stream<Named<Script>> speechlessOrigins() {
    return Stream.of(
        Named.of("mute", FaultyOrigins.mute()),
        Named.of("slow", FaultyOrigins.slowHeaders(Duration.ofMillis(100))));
  }

  @Test
  void cutsNoStream_whenItLastsLongerThanHeaderTimeout() throws IOException {
    try (OriginServer origin =
            OriginServer.start(ToyOrigins.trickle(1_000, Duration.ofMillis(50)));
        RawHttp client = IMPATIENT.ask(origin.url("/v.ts"))) {
      RawHead head = client.head();
      long start = System.nanoTime();
      assertThat(client.body("GET", head).count(40_000).length()).isEqualTo(40_000);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(HEADER_TIMEOUT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 405, 410, 429, 451, 509})
  void passesRefusalOfOrigin(int status) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.status(status))) {
      RawAnswer answer = PROXY.get(origin.url("/secret-path/v.mp4"));
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.text()).doesNotContain("secret-path", String.valueOf(origin.port()));
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407})
  void answers502_whenOriginWantsCredentials(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.status(status, "WWW-Authenticate: Basic realm=\"x\""))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(502);
      assertThat(answer.field("WWW-Authenticate")).isEmpty();
      assertThat(ErrorBody.of(answer).hop()).isEqualTo("origin");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void passesFailureOfOrigin_afterShortRetry(int status) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.status(status))) {
      assertThat(PROXY.get(origin.url("/v.mp4")).status()).isEqualTo(status);
      assertThat(origin.requests()).hasSizeBetween(2, 3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void keepsRetryAfter(int status) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.status(status, "Retry-After: 30"))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.field("Retry-After")).contains("30");
    }
  }

  @Test
  void recovers_whenOriginIsBusyForAMoment() throws IOException {
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(1, ToyOrigins.status(503), ToyOrigins.file(500)))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 500));
    }
  }

  @ParameterizedTest
  @MethodSource("nonsensicalOrigins")
  void answers502_whenAnswerIsNoHttp(Script script) throws IOException {
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).detail()).doesNotContain("Exception", "org.eclipse");
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  static Stream<Named<Script>> nonsensicalOrigins() {
    return Stream.of(
        Named.of("garbage", FaultyOrigins.garbage()),
        Named.of("huge header", FaultyOrigins.hugeHeader(2 << 20)),
        Named.of("closes", FaultyOrigins.closesEarly(false)),
        Named.of("resets", FaultyOrigins.closesEarly(true)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void retriesSilently_whenPooledConnectionIsStale(boolean reset) throws IOException {
    try (OriginServer origin =
        OriginServer.start(FaultyOrigins.staleConnections(ToyOrigins.file(1_000), reset))) {
      for (int i = 0; i < 20; i++) {
        assertThat(PROXY.get(origin.url("/v.mp4")).status()).isEqualTo(200);
      }
    }
  }

  @Test
  void tellsNothingSecret_whenItFails() throws IOException {
    String d = "http://viewer:hunter2@127.0.0.1:" + unusedPort() + "/hush-hush?sig=SIGNATURE";
    StreamLink link = StreamLink.to(d).with("h_authorization", "Bearer TOKEN");
    RawAnswer answer = PROXY.fetch("GET", link);
    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.text() + answer.head())
        .doesNotContain("hunter2", "viewer", "hush-hush", "SIGNATURE", "TOKEN", "127.0.0.1:");
  }

  @Test
  void answersJsonWithRequestId_whenItFails() throws IOException {
    String d = "http://127.0.0.1:" + unusedPort() + "/v.mp4";
    ErrorBody first = ErrorBody.of(PROXY.get(d));
    ErrorBody second = ErrorBody.of(PROXY.get(d));
    assertThat(first.reason()).matches("[a-z0-9_]+");
    assertThat(first.requestId()).isNotEqualTo(second.requestId());
  }

  @Test
  void answers404AsJson_whenRouteIsUnknown() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/nope");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(ErrorBody.json(answer).path("detail").asString()).isEqualTo("Not Found");
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
