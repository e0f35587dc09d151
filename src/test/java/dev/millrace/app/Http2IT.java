package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ContractOrigin;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.FrozenHttp2;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHttp2;
import dev.millrace.testing.RawHttp2Answer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams over HTTP/2 behave as over HTTP/1.1: ranges, failures, pauses, clients that leave. */
@Timeout(60)
class Http2IT {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration AFTER_ALL = Duration.ofSeconds(20);
  private static final Duration SERVER_IDLE = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final long SIZE = 60_000_000;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.selfSigned().serverIdleTimeout(SERVER_IDLE));

  @AutoClose private final RawHttp2 client = RawHttp2.connect(PROXY.port());

  // the contract

  @Test
  void servesWholeFile() {
    try (OriginServer origin = OriginServer.start(new ContractOrigin())) {
      RawHttp2Answer answer = client.get(origin.url("/v.mp4"));

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("content-length")).contains("10240");
      assertThat(answer.field("accept-ranges")).contains("bytes");
      assertThat(answer.readAll()).isEqualTo(OffsetBytes.range(0, 10_240));
    }
  }

  @Test
  void servesRange() {
    try (OriginServer origin = OriginServer.start(new ContractOrigin())) {
      RawHttp2Answer answer = client.get(origin.url("/v.mp4"), "range: bytes=100-199");

      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.field("content-range")).contains("bytes 100-199/10240");
      assertThat(answer.startingAt(100).countAll())
          .isEqualTo(new CountedBody(100, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void answersHead_withLengthAndWithoutBody() {
    try (OriginServer origin = OriginServer.start(new ContractOrigin())) {
      RawHttp2Answer answer = client.ask("HEAD", StreamLink.to(origin.url("/v.mp4")).toString());

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("content-length")).contains("10240");
      assertThat(answer.countAll()).isEqualTo(new CountedBody(0, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void passes416On() {
    try (OriginServer origin = OriginServer.start(new ContractOrigin())) {
      RawHttp2Answer answer = client.get(origin.url("/v.mp4"), "range: bytes=99999-");

      assertThat(answer.status()).isEqualTo(416);
      assertThat(answer.field("content-range")).contains("bytes */10240");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 429})
  void passesRefusalsOn(int status) {
    try (OriginServer origin = OriginServer.start(new ContractOrigin())) {
      RawHttp2Answer answer = client.get(origin.url("/st/" + status));

      assertThat(answer.status()).isEqualTo(status);
      assertThat(new String(answer.readAll(), UTF_8)).contains("detail");
    }
  }

  @Test
  void servesBodyOfUnknownLength() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(1_000_000))) {
      assertThat(client.get(origin.url("/v.ts")).countAll())
          .isEqualTo(new CountedBody(1_000_000, -1, BodyEnd.COMPLETE));
    }
  }

  // failures

  static Stream<Script> cutBodies() {
    return Stream.of(
        FaultyOrigins.cutAfter(100_000, 40_000, 0),
        FaultyOrigins.cutChunked(40_000, false),
        FaultyOrigins.cutChunked(40_000, true));
  }

  @ParameterizedTest
  @MethodSource("cutBodies")
  void resetsTheStream_whenTheBodyIsCut(Script cut) {
    try (OriginServer origin = OriginServer.start(cut)) {
      CountedBody body = client.get(origin.url("/v.ts")).countAll();

      assertThat(body.end()).isEqualTo(BodyEnd.RESET);
      assertThat(body.firstWrongAt()).isEqualTo(-1);
      assertThat(client.isClosed()).isFalse();
    }
  }

  @Test
  void servesOtherStreams_afterOneWasReset() {
    try (OriginServer cut = OriginServer.start(FaultyOrigins.cutChunked(40_000, true));
        OriginServer whole = OriginServer.start(ToyOrigins.file(100_000))) {
      for (int i = 0; i < 20; i++) {
        client.get(cut.url("/v.ts")).countAll();
        assertThat(client.get(whole.url("/v.mp4")).countAll())
            .isEqualTo(new CountedBody(100_000, -1, BodyEnd.COMPLETE));
      }
    }
  }

  // clients that leave

  static Stream<Arguments> originsAndManners() {
    return Stream.of(
            Named.of("endless origin", ToyOrigins.endless()),
            Named.of("silent origin", ToyOrigins.silentAfter(1_000)),
            Named.of("trickling origin", ToyOrigins.trickle(100, Duration.ofMillis(20))))
        .flatMap(
            origin ->
                Stream.of(
                    Arguments.of(origin, manner("RST_STREAM", (c, answer) -> answer.reset())),
                    Arguments.of(origin, manner("GOAWAY", (c, answer) -> c.goAway())),
                    Arguments.of(origin, manner("cut", (c, answer) -> c.cut()))));
  }

  private interface Manner {
    void leave(RawHttp2 connection, RawHttp2Answer answer);
  }

  private static Named<Manner> manner(String name, Manner manner) {
    return Named.of(name, manner);
  }

  @ParameterizedTest
  @MethodSource("originsAndManners")
  void closesUpstream_whenClientLeavesMidBody(Script script, Manner manner) {
    try (OriginServer origin = OriginServer.start(script)) {
      RawHttp2Answer answer = client.get(origin.url("/v.ts"));
      assertThat(answer.count(1_000).firstWrongAt()).isEqualTo(-1);

      manner.leave(client, answer);

      Await.until("upstream closed", ONE_SECOND, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void closesUpstream_whenClientLeavesBeforeHeaders() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.mute())) {
      RawHttp2Answer answer = client.get(origin.url("/v.ts"));
      Await.until("request sent on", SOON, () -> origin.requests().size() == 1);

      answer.reset();

      Await.until("upstream closed", ONE_SECOND, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void givesMemoryBack_whenStreamsAreReset() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.endless());
        RunningMillrace narrow =
            RunningMillrace.start(settings -> settings.selfSigned().bufferMemory(1 << 20))) {
      for (int round = 0; round < 5; round++) {
        resetAllThatFit(narrow, origin);
        Await.until("all closed", SOON, () -> origin.openConnections() == 0);
      }
    }
  }

  private static void resetAllThatFit(RunningMillrace narrow, OriginServer origin)
      throws IOException {
    try (RawHttp2 other = RawHttp2.connect(narrow.port())) {
      List<RawHttp2Answer> answers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        answers.add(other.get(origin.url("/v.ts")));
      }
      assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
      assertThat(other.get(origin.url("/v.ts")).status()).isEqualTo(503);
      answers.forEach(RawHttp2Answer::reset);
    }
  }

  // back-pressure and pauses

  @Test
  void stopsTheOrigin_whileTheWindowIsFull() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE))) {
      RawHttp2Answer answer = client.get(origin.url("/v.mp4"));
      answer.count(100_000);

      Await.stays("origin still sending", PAUSE, () -> origin.requestsInProgress() == 1);
    }
  }

  @Test
  void goesOn_afterPauseLongerThanIdleTimeOfStreams() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE))) {
      RawHttp2Answer answer = client.get(origin.url("/v.mp4"));
      long before = answer.count(1_000_000).length();
      Await.stays("upstream open", PAUSE, () -> origin.openConnections() == 1);

      assertThat(answer.countAll()).isEqualTo(new CountedBody(SIZE - before, -1, BodyEnd.COMPLETE));
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void goesOn_whenOriginPausesLongerThanIdleTimeOfStreams() {
    Script pausing =
        exchange -> {
          exchange.head(200, "Content-Type: video/mp4", "Content-Length: 2000");
          exchange.body(0, 1_000);
          exchange.pause(PAUSE);
          exchange.body(1_000, 2_000);
        };
    try (OriginServer origin = OriginServer.start(pausing)) {
      assertThat(client.get(origin.url("/v.mp4")).countAll())
          .isEqualTo(new CountedBody(2_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void aborts_whenPauseIsLongerThanClientMayPause() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RunningMillrace strict =
            RunningMillrace.start(
                settings -> settings.selfSigned().clientIdleTimeout(Duration.ofMillis(700)));
        RawHttp2 other = RawHttp2.connect(strict.port())) {
      RawHttp2Answer answer = other.get(origin.url("/v.mp4"));
      answer.count(1_000);

      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
      assertThat(answer.countAll().end()).isEqualTo(BodyEnd.RESET);
    }
  }

  @Test
  void givesEverythingBack_whenClientStopsReadingItsConnection() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RunningMillrace strict = RunningMillrace.start(Http2IT::strict);
        FrozenHttp2 frozen = FrozenHttp2.connect(strict.port(), 8_192)) {
      for (int stream = 0; stream < 4; stream++) {
        frozen.ask(StreamLink.to(origin.url("/v.mp4")).toString());
      }
      Await.until("asked", SOON, () -> origin.requests().size() == 4);

      Await.until("upstream closed", AFTER_ALL, () -> origin.openConnections() == 0);
      Await.until("memory free", AFTER_ALL, () -> served(strict, origin) == 206);
    }
  }

  private static TestSettings strict(TestSettings settings) {
    return settings
        .selfSigned()
        .bufferMemory(1 << 19)
        .serverIdleTimeout(Duration.ofSeconds(2))
        .clientIdleTimeout(Duration.ofMillis(700));
  }

  private static int served(RunningMillrace proxy, OriginServer origin) {
    try (RawHttp2 other = RawHttp2.connect(proxy.port())) {
      return other.get(origin.url("/v.mp4"), "range: bytes=0-9").status();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void pausedStreamHoldsUpNoOther() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE))) {
      List<RawHttp2Answer> paused = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        paused.add(client.get(origin.url("/v.mp4")));
      }
      paused.forEach(answer -> answer.count(1_000));

      assertThat(client.get(origin.url("/v.mp4")).countAll())
          .isEqualTo(new CountedBody(SIZE, -1, BodyEnd.COMPLETE));
    }
  }

  // limits of a connection

  @Test
  void carriesAsManyStreamsAsItOffers_andRefusesMore() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(10))) {
      List<RawHttp2Answer> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        answers.add(client.get(origin.url("/v.ts")));
      }
      assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));

      assertThatThrownBy(() -> client.get(origin.url("/v.ts")).status())
          .hasMessageContaining("Max local stream");
      assertThat(origin.requests()).hasSize(100);
    }
  }

  @Test
  void hangsUp_whenClientOpensAndResetsWithoutEnd() {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.mute())) {
      for (int i = 0; i < 300; i++) {
        client.get(origin.url("/v.ts")).resetOnceOpen();
      }

      Await.until("closed", SOON, client::isClosed);
      Await.until("upstream closed", SOON, () -> origin.requestsInProgress() == 0);
    }
  }

  @Test
  void closesIdleConnection() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10))) {
      client.get(origin.url("/v.mp4")).countAll();

      Await.until("closed", SOON, client::isClosed);
    }
  }
}
