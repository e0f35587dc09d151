package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.servlet.ForwardConfig;
import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ForwardClient;
import dev.millrace.testing.ForwardLink;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.Upload;
import dev.millrace.upstream.PublicIpConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content of forwarded requests and answers: lengths, limits, placeholders, and who gives up. */
class ForwardBodyIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int MAX_REQUEST = 200_000;
  private static final int MAX_RESPONSE = 100_000;
  private static final String IP = "203.0.113.7";
  private static final Script ECHO =
      exchange -> exchange.bytes(200, exchange.requestBody(), "Content-Type: text/plain");

  private static RunningMillrace millrace;
  private static ForwardClient client;

  @BeforeAll
  static void start() {
    millrace =
        RunningMillrace.start(
            settings ->
                settings
                    .password(ForwardLink.PASSWORD)
                    .idleTimeout(Duration.ofSeconds(3))
                    .headerTimeout(Duration.ofSeconds(3))
                    .clientIdleTimeout(Duration.ofSeconds(4))
                    .publicIp(new PublicIpConfig(Optional.of(IP), List.of()))
                    .forward(new ForwardConfig(List.of(), List.of(), MAX_REQUEST, MAX_RESPONSE)));
    client = new ForwardClient(millrace.port());
  }

  @AfterAll
  static void stop() {
    millrace.close();
  }

  private static Script measuring(AtomicLong length, AtomicLong wrongAt) {
    return exchange -> {
      length.set(0);
      wrongAt.set(-1);
      byte[] expected = new byte[64 << 10];
      exchange.readRequestBody(
          (bytes, from, count) -> {
            OffsetBytes.fill(expected, 0, count, length.get());
            if (!Arrays.equals(bytes, from, from + count, expected, 0, count)) {
              wrongAt.compareAndSet(-1, length.get());
            }
            length.addAndGet(count);
          });
      exchange.text(200, "taken");
    };
  }

  @Test
  void passesLargeBodies_byteExact_inBoundedMemory() throws IOException {
    AtomicLong length = new AtomicLong();
    AtomicLong wrongAt = new AtomicLong();
    long size = 300_000_000;
    ForwardConfig large = new ForwardConfig(List.of(), List.of(), size, 10);
    try (RunningMillrace roomy =
            RunningMillrace.start(
                settings -> settings.password(ForwardLink.PASSWORD).forward(large));
        OriginServer origin = OriginServer.start(measuring(length, wrongAt))) {
      RawAnswer answer =
          new ForwardClient(roomy.port()).sendOffsets("PUT", ForwardLink.to(origin.url("/")), size);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("taken");
      assertThat(length.get()).isEqualTo(size);
      assertThat(wrongAt.get()).isEqualTo(-1);
      assertThat(origin.onlyRequest().field("Content-Length")).contains(Long.toString(size));
    }
  }

  @Test
  void holdsTheClientBack_whileTheOriginTakesNothing() throws Exception {
    AtomicBoolean isSeen = new AtomicBoolean();
    Script slow =
        exchange -> {
          Await.until("seen", SOON, isSeen::get);
          exchange.readRequestBody((bytes, from, count) -> {});
          exchange.text(200, "taken");
        };
    long size = 100_000_000;
    ForwardConfig large = new ForwardConfig(List.of(), List.of(), size, 10);
    try (RunningMillrace roomy =
            RunningMillrace.start(
                settings -> settings.password(ForwardLink.PASSWORD).forward(large));
        OriginServer origin = OriginServer.start(slow);
        RawHttp raw =
            new ForwardClient(roomy.port())
                .begin("PUT", ForwardLink.to(origin.url("/")), "Content-Length: " + size)) {
      Upload upload = Upload.begin(raw, size);
      Await.until("held back", SOON, () -> upload.heldBackNanos() > 700_000_000);
      assertThat(upload.sentBytes()).isBetween(1L, 30_000_000L);
      isSeen.set(true);
      assertThat(raw.answer("PUT").status()).isEqualTo(200);
      assertThat(upload.sentBytes()).isEqualTo(size);
    }
  }

  @Test
  void sendsShortChunkedBodies_withTheirLength() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      RawAnswer answer =
          client.sendChunks("POST", ForwardLink.to(origin.url("/")), List.of("ab", "cde"));

      assertThat(answer.text()).isEqualTo("abcde");
      assertThat(origin.onlyRequest().field("Content-Length")).contains("5");
      assertThat(origin.onlyRequest().field("Transfer-Encoding")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, (64 << 10) + 1})
  void gathersUpTo64KiB(int size) throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      RawAnswer answer =
          client.sendChunks("POST", ForwardLink.to(origin.url("/")), chunks("x".repeat(size), 997));

      assertThat(answer.bytes()).hasSize(size);
      RecordedRequest request = origin.onlyRequest();
      assertThat(request.field("Content-Length").isPresent()).isEqualTo(size == 64 << 10);
      assertThat(request.field("Transfer-Encoding").isPresent()).isEqualTo(size > 64 << 10);
    }
  }

  private static List<String> chunks(String content, int size) {
    List<String> chunks = new ArrayList<>();
    for (int at = 0; at < content.length(); at += size) {
      chunks.add(content.substring(at, Math.min(content.length(), at + size)));
    }
    return chunks;
  }

  @Test
  void replacesPlaceholders_inAddressAndBody() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      RawAnswer answer =
          client.send(
              "POST",
              ForwardLink.to(origin.url("/a?ip={mediaflow_ip}&b=%7Bmediaflow_ip%7d&c={other}")),
              "ip={mediaflow_ip}&b=%7bmediaflow_ip%7D&c={mediaflow_");

      assertThat(answer.text()).isEqualTo("ip=" + IP + "&b=" + IP + "&c={mediaflow_");
      RecordedRequest request = origin.onlyRequest();
      assertThat(request.target()).isEqualTo("/a?ip=" + IP + "&b=" + IP + "&c={other}");
      assertThat(request.field("Content-Length")).contains(Integer.toString(answer.bytes().length));
    }
  }

  @Test
  void replacesPlaceholders_acrossChunks_whileStreaming() throws IOException {
    String filling = "x".repeat(70_000);
    String content = filling + "{mediaflow_ip}%7Bmediaflow_ip%7D" + "{mediaflow_ip";
    try (OriginServer origin = OriginServer.start(ECHO)) {
      for (int size : List.of(1_000, 69_993, 70_003, 70_013)) {
        RawAnswer answer =
            client.sendChunks("POST", ForwardLink.to(origin.url("/")), chunks(content, size));
        assertThat(answer.text()).isEqualTo(filling + IP + IP + "{mediaflow_ip");
      }
    }
  }

  @Test
  void leavesLongBodiesOfKnownLength_andCodedOnes_asTheyAre() throws IOException {
    String content = "x".repeat(70_000) + "{mediaflow_ip}";
    try (OriginServer origin = OriginServer.start(ECHO)) {
      ForwardLink link = ForwardLink.to(origin.url("/"));
      assertThat(client.send("POST", link, content).text()).isEqualTo(content);
      assertThat(client.send("POST", link, "{mediaflow_ip}", "Content-Encoding: identity").text())
          .isEqualTo("{mediaflow_ip}");
      assertThat(origin.requests().get(0).field("Content-Length")).contains("70014");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/{mediaflow_ip}", "/"})
  void fails_whenTheAddressIsNotKnown(String path) throws IOException {
    try (RunningMillrace unknowing =
            RunningMillrace.start(
                settings ->
                    settings
                        .password(ForwardLink.PASSWORD)
                        .publicIp(
                            new PublicIpConfig(Optional.empty(), List.of("http://127.0.0.1:1/"))));
        OriginServer origin = OriginServer.start(ECHO)) {
      RawAnswer answer =
          new ForwardClient(unknowing.port())
              .send("POST", ForwardLink.to(origin.url(path)), "{mediaflow_ip}");

      assertThat(answer.status()).isEqualTo(503);
      assertThat(ErrorBody.of(answer).detail()).doesNotContain("127.0.0.1");
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  void limitsRequests_byTheirLength() throws IOException {
    AtomicLong length = new AtomicLong();
    try (OriginServer origin = OriginServer.start(measuring(length, new AtomicLong()))) {
      ForwardLink link = ForwardLink.to(origin.url("/"));
      assertThat(client.sendOffsets("POST", link, MAX_REQUEST).status()).isEqualTo(200);
      assertThat(length.get()).isEqualTo(MAX_REQUEST);

      try (RawHttp raw = client.begin("POST", link, "Content-Length: " + (MAX_REQUEST + 1))) {
        RawAnswer answer = raw.answer("POST");
        assertThat(answer.status()).isEqualTo(413);
        assertThat(ErrorBody.of(answer).detail()).contains("" + MAX_REQUEST);
      }
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void limitsRequests_whileTheyStream() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO_LENGTH)) {
      ForwardLink link = ForwardLink.to(origin.url("/"));
      List<String> whole = chunks("x".repeat(MAX_REQUEST), 10_000);
      assertThat(client.sendChunks("POST", link, whole).text()).isEqualTo("" + MAX_REQUEST);

      List<String> more = new ArrayList<>(whole);
      more.add("y");
      RawAnswer answer = client.sendChunks("POST", link, more);
      assertThat(answer.status()).isEqualTo(413);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("request_too_large");
      Await.until("the origin's connection is gone", SOON, () -> origin.openConnections() == 0);
    }
  }

  private static final Script ECHO_LENGTH =
      exchange -> exchange.text(200, "" + exchange.requestBody().length);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void limitsAnswers(boolean isChunked) throws IOException {
    Script script =
        exchange -> {
          exchange.requestBody();
          int size = Integer.parseInt(exchange.request().path().substring(1));
          exchange.head(200, isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + size);
          if (isChunked) {
            exchange.chunk(new byte[size / 2]);
            exchange.pause(Duration.ofMillis(500));
            exchange.chunk(new byte[size - size / 2]);
            exchange.lastChunk();
          } else if (!exchange.isHead()) {
            exchange.write(new byte[size]);
          }
        };
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer whole = client.send("POST", ForwardLink.to(origin.url("/" + MAX_RESPONSE)), "x");
      assertThat(whole.status()).isEqualTo(200);
      assertThat(whole.bytes()).hasSize(MAX_RESPONSE);
      assertThat(whole.end()).isEqualTo(BodyEnd.COMPLETE);

      String tooLong = origin.url("/" + (MAX_RESPONSE + 1));
      RawAnswer answer = client.send("POST", ForwardLink.to(tooLong), "x");
      if (isChunked) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.end().isAbort()).isTrue();
      } else {
        assertThat(answer.status()).isEqualTo(502);
        assertThat(ErrorBody.of(answer).reason()).isEqualTo("response_too_large");
        assertThat(millrace.fetch("HEAD", ForwardLink.to(tooLong).toString()).status())
            .isEqualTo(200);
      }
      Await.until("the origin's connection is gone", SOON, () -> origin.requestsInProgress() == 0);
    }
  }

  @Test
  void answers502_whenAnAnswerOfUnknownLengthIsTooLongAtOnce() throws IOException {
    Script script = exchange -> // in one piece: a head that comes alone is passed on alone
        exchange.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    ForwardConfig narrow = new ForwardConfig(List.of(), List.of(), 10, 2);
    try (RunningMillrace strict =
            RunningMillrace.start(
                settings -> settings.password(ForwardLink.PASSWORD).forward(narrow));
        OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer = strict.fetch("GET", ForwardLink.to(origin.url("/")).toString());
      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("response_too_large");
    }
  }

  @Test
  void isASession_andBrokenOffWithTheServer() throws IOException {
    RunningMillrace stopping =
        RunningMillrace.start(
            settings ->
                settings.password(ForwardLink.PASSWORD).drainTimeout(Duration.ofMillis(100)));
    try (OriginServer origin = OriginServer.start(ECHO);
        RawHttp raw =
            new ForwardClient(stopping.port())
                .begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 30")) {
      raw.send("abc");
      Await.until("listed", SOON, () -> sessionsOf(stopping).contains("\"forward\""));
      stopping.close();
      assertThat(raw.isClosedAfterWhatIsSent(5_000)).isTrue();
    }
  }

  private static String sessionsOf(RunningMillrace server) {
    try {
      return server.fetch("GET", "/sessions?api_password=" + ForwardLink.PASSWORD).text();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void takesSlowUploads_whichTakeLongerThanAnAnswerMay() throws Exception {
    try (OriginServer origin = OriginServer.start(ECHO_LENGTH);
        RawHttp raw =
            client.begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 100000")) {
      for (int i = 0; i < 10; i++) {
        assertThat(raw.isClosedWithin(500)).isFalse();
        ForwardClient.sendOffsets(raw, i * 10_000L, (i + 1) * 10_000L);
      }
      assertThat(raw.answer("POST").text()).isEqualTo("100000");
    }
  }

  @Test
  void givesUp_whenTheClientSendsNothing() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO);
        RawHttp raw =
            client.begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 100000")) {
      raw.send("abc");
      RawAnswer answer = raw.answer("POST");
      assertThat(answer.status()).isEqualTo(408);
      Await.until("the origin's connection is gone", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void givesUp_whenTheOriginTakesNothing() throws IOException {
    AtomicBoolean isTold = new AtomicBoolean();
    ForwardConfig large = new ForwardConfig(List.of(), List.of(), 1L << 30, 10);
    try (RunningMillrace impatient =
            RunningMillrace.start(
                settings ->
                    settings
                        .password(ForwardLink.PASSWORD)
                        .idleTimeout(Duration.ofSeconds(2))
                        .forward(large));
        OriginServer origin =
            OriginServer.start(exchange -> Await.until("told", SOON, isTold::get));
        RawHttp raw =
            new ForwardClient(impatient.port())
                .begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 100000000")) {
      Upload.begin(raw, 100_000_000);
      RawAnswer answer = raw.answer("POST");
      isTold.set(true);
      assertThat(answer.status()).isEqualTo(504);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("upstream_stalled");
    }
  }

  @Test
  void givesUp_whenTheOriginDoesNotAnswer() throws IOException {
    Script script =
        exchange -> {
          exchange.requestBody();
          exchange.hold();
        };
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer = client.send("POST", ForwardLink.to(origin.url("/")), "x");
      assertThat(answer.status()).isEqualTo(504);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("upstream_timeout");
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void tellsTheClient_whenTheOriginDiesInMidUpload() throws IOException {
    Script dying =
        exchange -> {
          exchange.pause(Duration.ofSeconds(10));
          exchange.reset();
        };
    try (OriginServer origin = OriginServer.start(dying);
        RawHttp raw =
            client.begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 150000")) {
      ForwardClient.sendOffsets(raw, 0, 100_000);
      RawAnswer answer = raw.answer("POST");
      assertThat(answer.status()).isEqualTo(502);
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5\r\nab", "ZZ\r\nab\r\n", "3\r\nabcdef\r\n"})
  void answers400_whenTheBodyOfTheRequestIsBroken(String chunks) throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO);
        RawHttp raw =
            client.begin("POST", ForwardLink.to(origin.url("/")), "Transfer-Encoding: chunked")) {
      raw.send(chunks);
      raw.halfClose();

      assertThat(raw.head().status()).isEqualTo(400);
      Await.until("it is over", SOON, () -> !sessionsOf(millrace).contains("forward"));
    }
  }

  @Test
  void abortsTheOrigin_whenTheClientLeavesInMidUpload() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      RawHttp raw = client.begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 150000");
      ForwardClient.sendOffsets(raw, 0, 100_000);
      Await.until("asked", SOON, () -> origin.requests().size() == 1);
      raw.close();
      Await.until("the origin's connection is gone", SOON, () -> origin.openConnections() == 0);
      Await.until("it is over", SOON, () -> !sessionsOf(millrace).contains("forward"));
    }
  }

  @Test
  void abortsTheOrigin_whenTheClientLeavesWhileTheAnswerIsAwaited() throws IOException {
    Script script =
        exchange -> {
          exchange.requestBody();
          exchange.hold();
        };
    try (OriginServer origin = OriginServer.start(script)) {
      RawHttp raw = client.begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 3");
      raw.send("abc");
      Await.until("asked", SOON, () -> origin.requests().size() == 1);
      raw.close();
      Await.until(
          "the origin's connection is gone",
          Duration.ofSeconds(2),
          () -> origin.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 413})
  void passesEarlyAnswers_andStopsTheUpload(int status) throws IOException {
    Script early =
        exchange -> {
          exchange.text(status, "enough");
          exchange.pause(Duration.ofSeconds(10));
        };
    try (OriginServer origin = OriginServer.start(early);
        RawHttp raw =
            client.begin("POST", ForwardLink.to(origin.url("/")), "Content-Length: 150000")) {
      ForwardClient.sendOffsets(raw, 0, 70_000);
      RawAnswer answer = raw.answer("POST");
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.text()).isEqualTo("enough");
      assertThat(answer.field("Connection")).contains("close");
      Await.until("the origin's connection is gone", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void doesNotWaitForTheBody_toAnswerWith100Continue() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO);
        RawHttp raw =
            client.begin(
                "POST",
                ForwardLink.to(origin.url("/")),
                "Content-Length: 3",
                "Expect: 100-continue")) {
      assertThat(raw.head().status()).isEqualTo(100);
      raw.send("abc");
      assertThat(raw.answer("POST").text()).isEqualTo("abc");
      assertThat(origin.onlyRequest().fieldNames()).doesNotContain("expect");
    }
  }

  @Test
  void keepsConnections_afterForwards() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO);
        RawHttp raw = RawHttp.connect(millrace.port())) {
      for (String content : List.of("a", "bb", "")) {
        raw.request(
            "POST",
            ForwardLink.to(origin.url("/")).toString(),
            "Content-Length: " + content.length());
        raw.send(content);
        assertThat(raw.answer("POST").text()).isEqualTo(content);
      }
      for (String content : List.of("ccc", "dddd")) {
        raw.request(
            "POST", ForwardLink.to(origin.url("/")).toString(), "Transfer-Encoding: chunked");
        raw.send(ForwardClient.chunk(content) + "0\r\n\r\n");
        assertThat(raw.answer("POST").text()).isEqualTo(content);
      }
    }
  }
}
