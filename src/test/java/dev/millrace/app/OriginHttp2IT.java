package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedAnswer;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.Http2Origin;
import dev.millrace.testing.Http2OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.eclipse.jetty.http2.ErrorCode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Origins that speak HTTP/2: many requests on one connection, and none harms another. */
@Timeout(60)
class OriginHttp2IT {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int FRAME = 16_384;
  private static final int TLS_HANDSHAKE = 22; // RFC 8446 §5.1
  private static final int WINDOW = 256 << 10;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(
          settings ->
              settings.originHttp2().anyCertificate().pooledIdleTimeout(Duration.ofMillis(500)));

  // what goes over the wire

  @Test
  void fetchesOverOneConnection() throws IOException {
    try (Http2Origin origin = Http2Origin.start(file(3_000_000))) {
      for (int i = 0; i < 5; i++) {
        assertThat(PROXY.count(origin.url("/v.mp4?a=%2F|")).body()).isEqualTo(whole(3_000_000));
      }
      assertThat(origin.acceptedConnections()).isEqualTo(1);
      assertThat(origin.requests())
          .allMatch(request -> request.getHttpURI().getPathQuery().equals("/v.mp4?a=%2F|"))
          .noneMatch(request -> request.getHttpFields().contains("connection"));
    }
  }

  @Test
  void passesRangesOn() throws IOException {
    Http2Origin.Script part =
        exchange -> {
          exchange.head(206, false, "content-range: bytes 100-199/1000", "content-length: 100");
          exchange.body(100, 200, FRAME);
          exchange.end();
        };
    try (Http2Origin origin = Http2Origin.start(part)) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=100-199");

      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.body().bytes()).hasSize(100);
      assertThat(origin.requests().get(0).getHttpFields().get("range")).isEqualTo("bytes=100-199");
    }
  }

  static Stream<Http2Origin.Script> waysToAnswerHead() {
    return Stream.of(
        exchange -> exchange.head(200, true, "content-length: 5000", "content-type: video/mp4"),
        exchange -> {
          exchange.head(200, false, "content-length: 5000", "content-type: video/mp4");
          exchange.end();
        });
  }

  @ParameterizedTest
  @MethodSource("waysToAnswerHead")
  void answersHead(Http2Origin.Script script) throws IOException {
    try (Http2Origin origin = Http2Origin.start(script)) {
      RawAnswer answer = PROXY.head(origin.url("/v.mp4"));

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains("5000");
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void passesInterimResponsesOver() throws IOException {
    Http2Origin.Script early =
        exchange -> {
          exchange.head(103, false, "link: </a>");
          exchange.head(103, false, "link: </b>");
          file(1_000).answer(exchange);
        };
    try (Http2Origin origin = Http2Origin.start(early)) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body()).isEqualTo(whole(1_000));
    }
  }

  @Test
  void speaksHttp1_withOriginsThatDoNotNegotiate() throws IOException {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(100_000));
        OriginServer plain = OriginServer.start(ToyOrigins.file(100_000))) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body()).isEqualTo(whole(100_000));
      assertThat(PROXY.count(plain.url("/v.mp4")).body()).isEqualTo(whole(100_000));
      assertThat(origin.onlyRequest().requestLine()).endsWith("HTTP/1.1");
    }
  }

  // bodies that do not end well

  private static Named<Http2Origin.Script> ending(String how, Http2Origin.Script script) {
    return Named.of(how, script);
  }

  static Stream<Named<Http2Origin.Script>> cutBodies() {
    return Stream.of(
        ending("reset", exchange -> half(exchange).reset(ErrorCode.INTERNAL_ERROR)),
        ending("reset without error", exchange -> half(exchange).reset(ErrorCode.NO_ERROR)),
        ending("connection closed", exchange -> half(exchange).cut()),
        ending("ended early", exchange -> half(exchange).end()),
        ending("more than announced", exchange -> half(exchange).body(50_000, 200_000, FRAME)));
  }

  /** The viewer has read all there is, and waits. */
  private static Http2OriginExchange half(Http2OriginExchange exchange) throws IOException {
    exchange.head(200, false, "content-length: 100000", "content-type: video/mp4");
    exchange.body(0, 50_000, FRAME);
    exchange.pause(Duration.ofMillis(500));
    return exchange;
  }

  @ParameterizedTest
  @MethodSource("cutBodies")
  void aborts_whenTheBodyIsCut(Http2Origin.Script script) throws IOException {
    try (Http2Origin origin = Http2Origin.start(script);
        RawHttp client = PROXY.ask(origin.url("/v.mp4"))) {
      client.patience(SOON);
      CountedBody body = client.body("GET", client.head()).countAll();

      assertThat(body.end().isAbort()).as(body.toString()).isTrue();
      assertThat(body.length()).isLessThan(100_000);
      assertThat(body.firstWrongAt()).isEqualTo(-1);
    }
  }

  @Test
  void aborts_whenABodyWithoutLengthIsReset() throws IOException {
    Http2Origin.Script script =
        exchange -> {
          exchange.head(200, false, "content-type: video/mp2t");
          exchange.body(0, 50_000, FRAME);
          exchange.reset(ErrorCode.NO_ERROR);
        };
    try (Http2Origin origin = Http2Origin.start(script);
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      assertThat(client.body("GET", client.head()).countAll().end().isAbort()).isTrue();
    }
  }

  // viewers that leave or pause

  @Test
  void resetsTheStream_whenClientLeaves() throws IOException {
    try (Http2Origin origin = Http2Origin.start(OriginHttp2IT::silentAfterSome);
        RawHttp staying = PROXY.ask(origin.url("/a.ts"))) {
      staying.head();
      RawHttp leaving = PROXY.ask(origin.url("/b.ts"));
      leaving.body("GET", leaving.head()).count(1_000);

      leaving.close();

      Await.until("reset", ONE_SECOND, () -> origin.resets() == 1);
      assertThat(origin.acceptedConnections()).isEqualTo(1);
      assertThat(origin.openConnections()).isEqualTo(1);
    }
  }

  @Test
  void resetsTheStream_whenClientLeavesBeforeTheAnswer() throws IOException {
    try (Http2Origin origin = Http2Origin.start(Http2OriginExchange::hold);
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      Await.until("asked", SOON, () -> origin.requests().size() == 1);

      client.reset();

      Await.until("reset", ONE_SECOND, () -> origin.resets() == 1);
    }
  }

  @Test
  void goesOn_afterPauseLongerThanConnectionsAreKept() throws IOException {
    try (Http2Origin origin = Http2Origin.start(file(60_000_000));
        RawHttp client = PROXY.ask(16 << 10, origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000_000);
      Await.stays("open", Duration.ofSeconds(2), () -> origin.openConnections() == 1);

      assertThat(body.countAll()).isEqualTo(whole(59_000_000));
    }
  }

  @Test
  void pausedStreamsHoldUpNoOther_onTheSameConnection() throws IOException {
    try (Http2Origin origin = Http2Origin.start(file(60_000_000))) {
      List<RawHttp> paused = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        RawHttp client = PROXY.ask(16 << 10, origin.url("/v.mp4"));
        assertThat(client.head().status()).isEqualTo(200);
        paused.add(client);
      }
      CountedAnswer other = PROXY.count(origin.url("/v.mp4"));

      assertThat(other.body()).isEqualTo(whole(60_000_000));
      for (RawHttp client : paused) {
        client.close();
      }
    }
  }

  @Test
  void holdsNoMoreThanTheWindow_whileClientPauses() throws IOException {
    AtomicReference<Http2OriginExchange> answering = new AtomicReference<>();
    Http2Origin.Script watched =
        exchange -> {
          answering.set(exchange);
          file(60_000_000).answer(exchange);
        };
    try (Http2Origin origin = Http2Origin.start(watched);
        RawHttp client = PROXY.ask(16 << 10, origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      Await.until("window full", SOON, () -> answering.get().sent() > WINDOW / 2);
      Await.stays("not read on", ONE_SECOND, () -> answering.get().sent() < 8_000_000);

      assertThat(body.countAll()).isEqualTo(whole(60_000_000));
    }
  }

  @Test
  void survivesBodiesInFramesOfOneByte() throws IOException {
    Http2Origin.Script tiny =
        exchange -> {
          exchange.head(200, false, "content-length: 50000");
          exchange.body(0, 50_000, 1);
          exchange.end();
        };
    try (Http2Origin origin = Http2Origin.start(tiny)) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body()).isEqualTo(whole(50_000));
    }
  }

  // what an origin may refuse

  @Test
  void asksAgain_whenTheConnectionIsGoingAway() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    Http2Origin.Script once =
        exchange -> {
          file(100_000).answer(exchange);
          if (calls.incrementAndGet() == 1) {
            exchange.goAway();
          }
        };
    try (Http2Origin origin = Http2Origin.start(once)) {
      for (int i = 0; i < 3; i++) {
        assertThat(PROXY.count(origin.url("/v.mp4")).body()).isEqualTo(whole(100_000));
      }
      assertThat(origin.acceptedConnections()).isBetween(2, 3);
    }
  }

  @Test
  void asksAgain_whenTheStreamIsRefused() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    Http2Origin.Script refusing =
        exchange -> {
          if (calls.incrementAndGet() == 1) {
            exchange.reset(ErrorCode.REFUSED_STREAM_ERROR);
          } else {
            file(1_000).answer(exchange);
          }
        };
    try (Http2Origin origin = Http2Origin.start(refusing)) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body()).isEqualTo(whole(1_000));
      assertThat(origin.requests())
          .hasSize(2)
          .noneMatch(request -> request.getHttpFields().contains("connection"));
    }
  }

  // limits

  @Test
  void carriesMoreRequestsThanConnections() throws IOException {
    try (Http2Origin origin = Http2Origin.start(OriginHttp2IT::silentAfterSome);
        RunningMillrace narrow =
            RunningMillrace.start(
                settings ->
                    settings
                        .originHttp2()
                        .anyCertificate()
                        .gate(1, 200, Duration.ofSeconds(10))
                        .maxConnections(1))) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RawHttp client = narrow.ask(origin.url("/v.ts"));
        assertThat(client.head().status()).isEqualTo(200);
        clients.add(client);
      }
      assertThat(narrow.get(origin.url("/v.ts")).status()).isEqualTo(503);
      assertThat(origin.acceptedConnections()).isEqualTo(1);
      for (RawHttp client : clients) {
        client.close();
      }
    }
  }

  @Test
  void refuses_whenThereIsNoMemoryForAnotherWindow() throws IOException {
    try (Http2Origin origin = Http2Origin.start(OriginHttp2IT::silentAfterSome);
        RunningMillrace narrow =
            RunningMillrace.start(
                settings -> settings.originHttp2().anyCertificate().bufferMemory(1 << 20));
        RawHttp first = narrow.ask(origin.url("/1.ts"));
        RawHttp second = narrow.ask(origin.url("/2.ts"))) {
      assertThat(first.head().status()).isEqualTo(200);
      assertThat(second.head().status()).isEqualTo(200);
      assertThat(narrow.get(origin.url("/3.ts")).status()).isEqualTo(503);

      first.reset();

      Await.until("reset", SOON, () -> origin.resets() == 1);
      try (RawHttp third = narrow.ask(origin.url("/3.ts"))) {
        assertThat(third.head().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void stops_whileAConnectionIsBeingOpened() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      RunningMillrace opening =
          RunningMillrace.start(settings -> settings.originHttp2().anyCertificate());
      try (RawHttp client = opening.ask("https://127.0.0.1:" + silent.getLocalPort() + "/v.ts");
          Socket handshake = silent.accept()) {
        assertThat(handshake.getInputStream().read()).isEqualTo(TLS_HANDSHAKE);
        opening.close();
        assertThat(client.isClosedAfterWhatIsSent(5_000)).isTrue();
      }
    }
  }

  @Test
  void leavesAConnectionOnWhichTheOriginFellSilent() throws IOException {
    try (Http2Origin origin = Http2Origin.start(OriginHttp2IT::silentUnlessAskedForTheRest);
        RunningMillrace impatient =
            RunningMillrace.start(
                settings ->
                    settings.originHttp2().anyCertificate().idleTimeout(Duration.ofSeconds(1)))) {
      CountedAnswer answer = impatient.count(origin.url("/v.mp4"));

      assertThat(answer.body()).isEqualTo(new CountedBody(4_000, -1, BodyEnd.COMPLETE));
      assertThat(origin.acceptedConnections()).isEqualTo(2);
    }
  }

  private static void silentUnlessAskedForTheRest(Http2OriginExchange exchange) throws IOException {
    if (exchange.request().getHttpFields().get("range").startsWith("bytes=0-")) {
      exchange.head(200, false, "content-type: video/mp4", "content-length: 4000", "etag: \"a\"");
      exchange.body(0, 1_000, FRAME);
      exchange.hold();
    } else {
      exchange.head(206, false, "content-range: bytes 1000-3999/4000", "etag: \"a\"");
      exchange.body(1_000, 4_000, FRAME);
      exchange.end();
    }
  }

  private static Http2Origin.Script file(long size) {
    return exchange -> {
      exchange.head(
          200, false, "content-length: " + size, "content-type: video/mp4", "etag: \"abc\"");
      exchange.body(0, size, FRAME);
      exchange.end();
    };
  }

  private static void silentAfterSome(Http2OriginExchange exchange) throws IOException {
    exchange.head(200, false, "content-type: video/mp2t");
    exchange.body(0, 1_000, FRAME);
    exchange.hold();
  }

  private static CountedBody whole(long size) {
    return new CountedBody(size, -1, BodyEnd.COMPLETE);
  }
}
