package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedAnswer;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A body that cannot be completed ends so that its client notices (RFC 9112 §8): without the last
 * chunk, or short of its Content-Length. All later requests are refused, so nothing can be resumed.
 */
@Timeout(60)
class AbortIT {
  private static final Duration SOON = Duration.ofSeconds(5);

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.idleTimeout(Duration.ofMillis(500)));

  static Stream<Named<Script>> cuttingOrigins() {
    return Stream.of(
        Named.of("length, FIN", FaultyOrigins.cutAfter(10_240, 4_000)),
        Named.of("long, FIN", FaultyOrigins.cutAfter(100_000_000, 5_000_000)),
        Named.of("no byte of the body", FaultyOrigins.cutAfter(10_240, 0)),
        Named.of("one byte short", FaultyOrigins.cutAfter(10_240, 10_239)),
        Named.of("chunked, FIN", FaultyOrigins.cutChunked(4_000, false)),
        Named.of("chunked, RST", FaultyOrigins.cutChunked(4_000, true)),
        Named.of("silence", ToyOrigins.silentAfter(4_000)),
        Named.of("bad chunk", AbortIT::badChunk),
        Named.of("chunk cut", AbortIT::cutInsideChunk));
  }

  static void badChunk(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Type: video/mp4", "Transfer-Encoding: chunked");
    exchange.chunk(OffsetBytes.range(0, 4_000));
    exchange.write("zz\r\nnonsense\r\n0\r\n\r\n");
  }

  static void cutInsideChunk(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Type: video/mp4", "Transfer-Encoding: chunked");
    exchange.write("1000\r\nfew");
    exchange.cut();
  }

  @ParameterizedTest
  @MethodSource("cuttingOrigins")
  void abortsClient_whenBodyCannotBeCompleted(Script cut) throws IOException {
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(1, cut, FaultyOrigins.closesEarly(false)))) {
      CountedAnswer answer = PROXY.count(origin.url("/v.mp4"));
      assertThat(answer.status()).isIn(200, 502);
      assertThat(answer.status() == 502 || answer.body().end().isAbort())
          .as("%s %s", answer.head(), answer.body())
          .isTrue();
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 40_000})
  void deliversWhatCame_beforeTheSilence(int bytes) throws IOException {
    try (RunningMillrace patient = RunningMillrace.start(); // waits longer than this test
        OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(bytes));
        RawHttp client = patient.ask(origin.url("/v.ts"))) {
      assertThat(client.body("GET", client.head()).count(bytes).length()).isEqualTo(bytes);
    }
  }

  @Test
  void deliversWhatCame_beforeTheCut() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.first(
                1, FaultyOrigins.cutAfter(10_240, 4_000), FaultyOrigins.closesEarly(false)))) {
      CountedBody body = PROXY.count(origin.url("/v.mp4")).body();
      assertThat(body.length()).isLessThanOrEqualTo(4_000);
      assertThat(body.firstWrongAt()).isEqualTo(-1);
    }
  }

  @Test
  void abortsRange_whenOriginCuts() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.first(
                1, FaultyOrigins.cutAfter(100_000, 4_000), FaultyOrigins.closesEarly(false)))) {
      CountedAnswer answer = PROXY.count(origin.url("/v.mp4"), "Range: bytes=0-49999");
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.body().end().isAbort()).isTrue();
    }
  }

  @Test
  void endsCleanly_whenBodyEndsWithItsConnection() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.untilClose(70_000))) {
      CountedAnswer answer = PROXY.count(origin.url("/v.ts"));
      assertThat(answer.head().field("Transfer-Encoding")).contains("chunked");
      assertThat(answer.body()).isEqualTo(new CountedBody(70_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void endsCleanly_whenBodyIsEmpty() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.withoutRanges(0))) {
      CountedAnswer answer = PROXY.count(origin.url("/v.ts"));
      assertThat(answer.head().field("Content-Length")).contains("0");
      assertThat(answer.body()).isEqualTo(new CountedBody(0, -1, BodyEnd.COMPLETE));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resetsClientsThatTakeTheEndOfTheConnectionForTheEndOfTheBody(boolean isTls)
      throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(4_000, false));
        RunningMillrace secure = RunningMillrace.start(settings -> settings.selfSigned());
        RawHttp client =
            isTls ? RawHttp.connectTls(secure.port()) : RawHttp.connect(PROXY.port())) {
      String target = StreamLink.to(origin.url("/v.ts")).toString();
      client.send("GET " + target + " HTTP/1.0\r\nHost: h\r\n\r\n");

      RawHead head = client.head();

      assertThat(head.fields("Transfer-Encoding")).isEmpty();
      assertThat(client.body("GET", head).countAll().end()).isEqualTo(BodyEnd.RESET);
    }
  }

  @Test
  void chunksForClientsThatWantTheConnectionClosed() throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(4_000, false))) {
      CountedAnswer answer = PROXY.count(origin.url("/v.ts"), "Connection: close");

      assertThat(answer.head().field("Transfer-Encoding")).contains("chunked");
      assertThat(answer.body().end().isAbort()).isTrue();
    }
  }
}
