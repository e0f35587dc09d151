package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedAnswer;
import dev.millrace.testing.CountedBody;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of Range, whatever the origin makes of it (contract §8.1, RFC 9110 §14). */
@Timeout(60)
class StreamRangeIT {
  private static final long TEN_GB = 10_000_000_000L;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=abc", "bytes=5-2", "bytes=-", "bytes=NaN-NaN", "bytes=1-2-3"})
  void answers416_whenRangeCannotBeRead(String range) throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: " + range);
    assertThat(answer.status()).isEqualTo(416);
  }

  @Test
  void servesEverything_whenSeveralRangesAreAsked() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=0-1,5-6");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10_240));
    assertThat(origin.onlyRequest().field("Range")).contains("bytes=0-");
  }

  @Test
  void treatsEmptyRangeAsAbsent() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range:", "If-Range:");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(origin.onlyRequest().field("Range")).contains("bytes=0-");
    assertThat(origin.onlyRequest().field("If-Range")).isEmpty();
  }

  @Test
  void passesIfRangeOfClient() throws IOException {
    PROXY.get(origin.url("/v.mp4"), "Range: bytes=5-", "If-Range: \"abc\"");
    assertThat(origin.onlyRequest().field("If-Range")).contains("\"abc\"");
    assertThat(origin.onlyRequest().field("Range")).contains("bytes=5-");
  }

  @Test
  void prefersRangeOfParameter() throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("h_range", "bytes=7-9");
    RawAnswer answer = PROXY.fetch("GET", link, "Range: bytes=0-0");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(7, 10));
  }

  @Test
  void servesOpenRange() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=10000-");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 10000-10239/10240");
    assertThat(answer.field("Content-Length")).contains("240");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(10_000, 10_240));
  }

  @Test
  void servesOffsetsBeyondFourGigabytes() throws IOException {
    restart(ToyOrigins.file(TEN_GB));
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=9999999990-");
    assertThat(answer.field("Content-Range")).contains("bytes 9999999990-9999999999/10000000000");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(TEN_GB - 10, TEN_GB));
  }

  @Test
  void claimsWholeLength_whenFileIsHuge() throws IOException {
    restart(ToyOrigins.file(TEN_GB));
    try (RawHttp client = PROXY.ask(origin.url("/v.mp4"))) {
      RawHead head = client.head();
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.field("Content-Length")).contains(String.valueOf(TEN_GB));
      assertThat(client.body("GET", head).count(1_000_000).firstWrongAt()).isEqualTo(-1);
    }
  }

  @Test
  void addsAcceptRanges_whenPartialAnswerLacksIt() throws IOException {
    restart(exchange -> ToyOrigins.sendFile(exchange, 10_240, "Content-Type: video/mp4"));
    assertThat(PROXY.get(origin.url("/"), "Range: bytes=0-4").field("Accept-Ranges"))
        .contains("bytes");
    assertThat(PROXY.get(origin.url("/")).field("Accept-Ranges")).contains("bytes");
  }

  @Test
  void saysNothingOfRanges_whenOriginHasNone() throws IOException {
    restart(ToyOrigins.withoutRanges(10_240));
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Accept-Ranges")).isEmpty();
    assertThat(answer.field("Content-Length")).contains("10240");
  }

  @Test
  void answers200WithoutContentRange_whenClientDropsThatHeader() throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("x_headers", "Content-Range ");
    RawAnswer answer = PROXY.fetch("GET", link, "Range: bytes=0-9");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Range")).isEmpty();
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10));
  }

  @Test
  void mirrorsWhatWasSent_whenOriginSendsLessThanAsked() throws IOException {
    restart(FaultyOrigins.cappedRanges(20_000, 5_000));
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=0-9999");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 0-4999/20000");
    assertThat(answer.field("Content-Length")).contains("5000");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 5_000));
  }

  @Test
  void claimsNoMoreThanItSends_whenOriginCapsOpenRanges() throws IOException {
    restart(FaultyOrigins.cappedRanges(100_000, 30_000));
    CountedAnswer answer = PROXY.count(origin.url("/v.mp4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.head().field("Content-Range")).isEmpty();
    assertThat(answer.head().field("Content-Length")).isNotEqualTo(java.util.Optional.of("30000"));
    assertThat(answer.body().firstWrongAt()).isEqualTo(-1);
    assertThat(answer.body().end()).isEqualTo(BodyEnd.COMPLETE);
  }

  @Test
  void servesWholeBody_whenTotalIsUnknown() throws IOException {
    restart(FaultyOrigins.unknownTotal(50_000));
    CountedAnswer answer = PROXY.count(origin.url("/v.mp4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.head().field("Content-Range")).isEmpty();
    assertThat(answer.head().field("Content-Length").orElse("50000")).isEqualTo("50000");
    assertThat(answer.body()).isEqualTo(new CountedBody(50_000, -1, BodyEnd.COMPLETE));
  }

  @Test
  void passesPartialAnswer_whenTotalIsUnknown() throws IOException {
    restart(FaultyOrigins.unknownTotal(50_000));
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=0-9");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 0-9/*");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10));
  }

  @Test
  void takesLengthFromContentRange_whenOriginSendsNone() throws IOException {
    restart(FaultyOrigins.partialWithoutLength(10_240));
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=40-139");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Length")).contains("100");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(40, 140));
  }

  @Test
  void correctsOddRangeFields_whenWholeFileIsSent() throws IOException {
    restart(FaultyOrigins.oddRangeFields(10_240));
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Range")).isEmpty();
    assertThat(answer.field("Content-Length")).contains("10240");
    assertThat(answer.field("Accept-Ranges").orElse("bytes")).isEqualTo("bytes");
  }

  private void restart(Script script) {
    origin.close();
    origin = OriginServer.start(script);
  }
}
