package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
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

/**
 * A client that leaves takes its upstream exchange with it; one that stays keeps its connection.
 */
@Timeout(60)
class LeavingClientIT {
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final int CLIENTS = 200;

  /** Connections for requests one after the other; the next may come while one is put back. */
  private static final int REUSED = 4;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  static Stream<Arguments> originsAndManners() {
    return Stream.of(
            Named.of("endless origin", ToyOrigins.endless()),
            Named.of("huge file", ToyOrigins.file(1L << 31)),
            Named.of("silent origin", ToyOrigins.silentAfter(1_000)),
            Named.of("trickling origin", ToyOrigins.trickle(100, Duration.ofMillis(20))))
        .flatMap(
            origin ->
                Stream.of(
                    Arguments.of(origin, Named.of("FIN", false)),
                    Arguments.of(origin, Named.of("RST", true))));
  }

  @ParameterizedTest
  @MethodSource("originsAndManners")
  void closesUpstream_whenClientLeavesMidBody(Script script, boolean reset) throws IOException {
    try (OriginServer origin = OriginServer.start(script);
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      assertThat(client.body("GET", client.head()).count(1_000).length()).isEqualTo(1_000);
      leave(client, reset);
      Await.until("upstream closed", TWO_SECONDS, () -> origin.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closesUpstream_whenClientLeavesBeforeHeaders(boolean reset) throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.mute());
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      Await.until("request sent on", FIVE_SECONDS, () -> origin.requests().size() == 1);
      leave(client, reset);
      Await.until("upstream closed", TWO_SECONDS, () -> origin.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("originsAndManners")
  void closesAllUpstreams_whenManyClientsLeave(Script script, boolean reset) throws IOException {
    try (OriginServer origin = OriginServer.start(script)) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(PROXY.ask(8 << 10, origin.url("/v.ts")));
      }
      for (RawHttp client : clients) {
        assertThat(client.body("GET", client.head()).count(500).length()).isEqualTo(500);
      }
      for (RawHttp client : clients) {
        leave(client, reset);
      }
      Await.until("upstreams closed", FIVE_SECONDS, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void leavesQueueOfGate_whenClientLeaves() throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.mute());
        RunningMillrace narrow =
            RunningMillrace.start(settings -> settings.gate(1, 10, Duration.ofSeconds(30)));
        RawHttp holder = narrow.ask(origin.url("/first"));
        RawHttp waiting = narrow.ask(origin.url("/second"))) {
      Await.until("one sent on", FIVE_SECONDS, () -> origin.requests().size() == 1);
      waiting.reset();
      holder.reset();
      Await.stays("few requests", Duration.ofMillis(300), () -> origin.requests().size() <= 2);
      Await.until("upstream closed", TWO_SECONDS, () -> origin.requestsInProgress() == 0);
    }
  }

  @Test
  void startsSecondRangeAtOnce_whileFirstIsOpen() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(200_000_000));
        RawHttp first = PROXY.ask(origin.url("/v.mp4"))) {
      first.body("GET", first.head()).count(1_000_000);
      long start = System.nanoTime();
      try (RawHttp second = PROXY.ask(origin.url("/v.mp4"), "Range: bytes=150000000-")) {
        RawHead head = second.head();
        CountedBody body = second.body("GET", head).startingAt(150_000_000).count(1_000_000);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        assertThat(body.firstWrongAt()).isEqualTo(-1);
        first.reset();
        Await.until("first upstream closed", TWO_SECONDS, () -> origin.openConnections() == 1);
      }
    }
  }

  @Test
  void keepsConnection_afterWholeBody() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(100_000));
        RawHttp client = RawHttp.connect(PROXY.port())) {
      for (int i = 0; i < 20; i++) {
        client.request("GET", StreamLink.to(origin.url("/v.ts")).toString());
        assertThat(client.body("GET", client.head()).countAll())
            .isEqualTo(new CountedBody(100_000, -1, BodyEnd.COMPLETE));
      }
      assertThat(client.isClosedWithin(100)).isFalse();
      assertThat(origin.acceptedConnections()).isLessThanOrEqualTo(REUSED);
    }
  }

  @Test
  void keepsUpstreamConnection_whenClientsCloseAfterWholeBody() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(100_000))) {
      for (int i = 0; i < 100; i++) {
        assertThat(PROXY.count(origin.url("/v.mp4"), "Connection: close").body())
            .isEqualTo(new CountedBody(100_000, -1, BodyEnd.COMPLETE));
      }
      assertThat(origin.acceptedConnections()).isLessThanOrEqualTo(REUSED);
    }
  }

  @Test
  void keepsConnection_afterPausesOfOrigin() throws IOException {
    try (OriginServer origin = OriginServer.start(LeavingClientIT::twoPieces);
        RawHttp client = RawHttp.connect(PROXY.port())) {
      for (int i = 0; i < 5; i++) {
        client.request("GET", StreamLink.to(origin.url("/v.ts")).toString());
        assertThat(client.body("GET", client.head()).countAll())
            .isEqualTo(new CountedBody(2_000, -1, BodyEnd.COMPLETE));
      }
    }
  }

  @Test
  void keepsConnection_afterError() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.statusByPath());
        RawHttp client = RawHttp.connect(PROXY.port())) {
      for (int status : List.of(404, 200, 403, 200)) {
        client.request("GET", StreamLink.to(origin.url("/st/" + status)).toString());
        RawHead head = client.head();
        assertThat(head.status()).isEqualTo(status);
        assertThat(client.body("GET", head).readAll().end()).isEqualTo(BodyEnd.COMPLETE);
      }
    }
  }

  @Test
  void answersPipelinedRequest() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));
        RawHttp client = RawHttp.connect(PROXY.port())) {
      String target = StreamLink.to(origin.url("/v.mp4")).toString();
      client.send(get(target, "") + get(target, "Range: bytes=5-9\r\n"));
      assertThat(client.body("GET", client.head()).countAll().length()).isEqualTo(10_240);
      RawHead second = client.head();
      assertThat(second.status()).isEqualTo(206);
      assertThat(client.body("GET", second).readAll().bytes()).isEqualTo(OffsetBytes.range(5, 10));
    }
  }

  @Test
  void answersPipelinedRequest_whenItArrivesDuringSilenceOfOrigin() throws IOException {
    try (OriginServer origin = OriginServer.start(LeavingClientIT::twoPieces);
        RawHttp client = RawHttp.connect(PROXY.port())) {
      String target = StreamLink.to(origin.url("/v.ts")).toString();
      client.send(get(target, ""));
      RawHead first = client.head();
      client.send(get(target, ""));
      assertThat(client.body("GET", first).countAll())
          .isEqualTo(new CountedBody(2_000, -1, BodyEnd.COMPLETE));
      assertThat(client.body("GET", client.head()).countAll())
          .isEqualTo(new CountedBody(2_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void answersRequestSentInPieces_duringSilenceOfOrigin() throws IOException {
    try (OriginServer origin = OriginServer.start(LeavingClientIT::twoPieces);
        RawHttp client = RawHttp.connect(PROXY.port())) {
      String request = get(StreamLink.to(origin.url("/v.ts")).toString(), "");
      client.send(request);
      RawHead first = client.head();
      client.send(request.substring(0, 10));
      assertThat(client.body("GET", first).countAll().end()).isEqualTo(BodyEnd.COMPLETE);
      client.send(request.substring(10));
      assertThat(client.body("GET", client.head()).countAll().length()).isEqualTo(2_000);
    }
  }

  private static String get(String target, String fields) {
    return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
  }

  private static void twoPieces(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Type: video/mp2t", "Transfer-Encoding: chunked");
    exchange.chunk(OffsetBytes.range(0, 1_000));
    exchange.pause(Duration.ofMillis(200));
    exchange.chunk(OffsetBytes.range(1_000, 2_000));
    exchange.lastChunk();
  }

  private static void leave(RawHttp client, boolean reset) throws IOException {
    if (reset) {
      client.reset();
    } else {
      client.close();
    }
  }
}
