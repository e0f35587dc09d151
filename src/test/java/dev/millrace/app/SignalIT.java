package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.MillraceProcess;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signals to the start script of the distribution. */
@Timeout(120)
class SignalIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int STREAMS = 50;
  private static final int SIZE = 300_000;

  private final CountDownLatch more = new CountDownLatch(1);
  private final List<RawHttp> clients = new ArrayList<>();

  @AutoClose private final OriginServer origin = OriginServer.start(this::answer);

  /** Half a body; the rest follows for even numbers once the test says so, for odd ones never. */
  private void answer(OriginExchange exchange) throws IOException {
    int number = Integer.parseInt(exchange.request().path().substring(1));
    boolean isChunked = number % 4 < 2;
    exchange.head(
        200,
        "Content-Type: video/mp4",
        isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + SIZE);
    send(exchange, isChunked, 0, SIZE / 2);
    if (number % 2 != 0) {
      exchange.hold();
    }
    awaitMore();
    send(exchange, isChunked, SIZE / 2, SIZE);
    if (isChunked) {
      exchange.lastChunk();
    }
  }

  private static void send(OriginExchange exchange, boolean isChunked, int from, int to)
      throws IOException {
    if (isChunked) {
      exchange.chunk(OffsetBytes.range(from, to));
    } else {
      exchange.body(from, to);
    }
  }

  private void awaitMore() {
    try {
      more.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void closeClients() throws IOException {
    for (RawHttp client : clients) {
      client.close();
    }
  }

  private List<RawBody> begin(MillraceProcess proxy, int count) throws IOException {
    List<RawBody> bodies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RawHttp client = RawHttp.connect(proxy.port());
      clients.add(client);
      client.request("GET", StreamLink.to(origin.url("/" + i)).toString());
      RawBody body = client.body("GET", client.head());
      assertThat(body.count(1_000).length()).isEqualTo(1_000);
      bodies.add(body);
    }
    return bodies;
  }

  @Test
  void fiftyStreamsEndWholeOrVisiblyBroken_andTheExitCodeIsZero() throws Exception {
    try (MillraceProcess proxy = MillraceProcess.start("DRAIN_TIMEOUT=3")) {
      List<RawBody> bodies = begin(proxy, STREAMS);
      proxy.terminate();
      Await.until("waiting", SOON, () -> proxy.log().contains("Stopping once 50 streams"));
      more.countDown();
      List<CountedBody> ends = bodies.stream().map(RawBody::countAll).toList();

      assertThat(ends).allMatch(body -> body.firstWrongAt() == -1);
      assertThat(even(ends)).hasSize(25).allMatch(SignalIT::isWhole);
      assertThat(odd(ends)).hasSize(25).allMatch(SignalIT::isBroken);
      assertThat(proxy.exitCode(SOON)).isZero();
      assertThat(proxy.log()).contains("Breaking off 25 streams").doesNotContain("\tat ");
      assertThat(proxy.log().lines().filter(line -> line.contains("WARN")))
          .singleElement() // of how this test starts it
          .asString()
          .contains("ALLOW_TARGETS opens internal targets and no API_PASSWORD is set");
    }
  }

  private static boolean isWhole(CountedBody body) {
    return body.end() == BodyEnd.COMPLETE && body.length() == SIZE - 1_000;
  }

  private static boolean isBroken(CountedBody body) {
    return body.end() == BodyEnd.RESET || body.end() == BodyEnd.TRUNCATED;
  }

  private static List<CountedBody> even(List<CountedBody> all) {
    return every(0, all);
  }

  private static List<CountedBody> odd(List<CountedBody> all) {
    return every(1, all);
  }

  private static List<CountedBody> every(int remainder, List<CountedBody> all) {
    List<CountedBody> chosen = new ArrayList<>();
    for (int i = remainder; i < all.size(); i += 2) {
      chosen.add(all.get(i));
    }
    return chosen;
  }

  @Test
  void stopsAtOnce_whenNothingRuns() throws Exception {
    try (MillraceProcess proxy = MillraceProcess.start("DRAIN_TIMEOUT=600")) {
      proxy.terminate();

      assertThat(proxy.exitCode(SOON)).isZero();
    }
  }

  @Test
  void breaksOffAtOnce_atTheSecondSignal() throws Exception {
    try (MillraceProcess proxy = MillraceProcess.start("DRAIN_TIMEOUT=600")) {
      List<RawBody> bodies = begin(proxy, 2);
      proxy.terminate();
      Await.until("waiting", SOON, () -> proxy.log().contains("Stopping once 2 streams"));
      proxy.terminate();

      assertThat(bodies.stream().map(RawBody::countAll)).allMatch(SignalIT::isBroken);
      assertThat(proxy.exitCode(SOON)).isZero();
    }
  }
}
