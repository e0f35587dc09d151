package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HEAD answers like GET without a body, and never pulls one (contract §8.2, RFC 9110 §9.3.2). */
@Timeout(60)
class HeadIT {
  private static final long GIGABYTE = 1L << 30;
  private static final Duration SOON = Duration.ofSeconds(2);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @Test
  void sendsNoBody() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));
        RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request("HEAD", StreamLink.to(origin.url("/v.mp4")).toString(), "Connection: close");
      assertThat(client.head().field("Content-Length")).contains("10240");
      assertThat(client.isClosedWithin(2_000)).isTrue();
    }
  }

  @Test
  void keepsConnectionForNextRequest() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));
        RawHttp client = RawHttp.connect(PROXY.port())) {
      String target = StreamLink.to(origin.url("/v.mp4")).toString();
      client.request("HEAD", target);
      client.head();
      client.request("GET", target, "Range: bytes=0-9");
      RawHead second = client.head();
      assertThat(client.body("GET", second).readAll().bytes()).isEqualTo(OffsetBytes.range(0, 10));
    }
  }

  @Test
  void answersLikeGet() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_240))) {
      RawAnswer head = PROXY.head(origin.url("/v.mp4"), "Range: bytes=5-9");
      RawAnswer get = PROXY.get(origin.url("/v.mp4"), "Range: bytes=5-9");
      assertThat(head.status()).isEqualTo(get.status());
      assertThat(head.head().fieldLines())
          .filteredOn(line -> !line.startsWith("Date"))
          .containsExactlyInAnyOrderElementsOf(
              get.head().fieldLines().stream().filter(line -> !line.startsWith("Date")).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 405, 501})
  void takesSizeFromOneByte_whenHeadIsRefused(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(FaultyOrigins.headRefused(status, ToyOrigins.file(10_240)))) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains("10240");
      assertThat(answer.field("Content-Range")).isEmpty();
      assertThat(origin.requests().get(1).field("Range")).contains("bytes=0-0");
    }
  }

  @Test
  void translatesRange_whenHeadIsRefused() throws IOException {
    try (OriginServer origin =
        OriginServer.start(FaultyOrigins.headRefused(405, ToyOrigins.file(10_240)))) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"), "Range: bytes=100-199");
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.field("Content-Range")).contains("bytes 100-199/10240");
      assertThat(answer.field("Content-Length")).contains("100");
    }
  }

  @Test
  void fallsBackToGet_whenOriginClosesOnHead() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.byMethod(FaultyOrigins.closesEarly(false), ToyOrigins.file(10_240)))) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains("10240");
    }
  }

  @Test
  void pullsNoBody_whenOriginIgnoresRangeOfFallback() throws IOException {
    try (OriginServer origin =
        OriginServer.start(FaultyOrigins.headRefused(405, ToyOrigins.withoutRanges(GIGABYTE)))) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains(String.valueOf(GIGABYTE));
      Await.until("body given up", SOON, () -> origin.openConnections() <= 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410})
  void asksOnce_whenFileIsGone(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(FaultyOrigins.headRefused(status, ToyOrigins.file(10_240)))) {
      assertThat(PROXY.head(origin.url("/v.mp4")).status()).isEqualTo(status);
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void passesRefusal_whenGetIsRefusedToo() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.status(403))) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.bytes()).isEmpty();
    }
  }

  @Test
  void claimsNoLength_whenOriginGivesNone() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(10_240))) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).isEmpty();
    }
  }

  @Test
  void leavesBodyItsOwnHeaders_whenHeadDisagreesWithGet() throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.headDisagrees(10_240))) {
      PROXY.head(origin.url("/v.mp4"));
      RawAnswer get = PROXY.get(origin.url("/v.mp4"));
      assertThat(get.field("Content-Length")).contains("10240");
      assertThat(get.field("Accept-Ranges")).contains("bytes");
      assertThat(get.bytes()).isEqualTo(OffsetBytes.range(0, 10_240));
    }
  }
}
