package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is told to stop: what runs may end, what is new goes elsewhere. */
@Timeout(60)
class DrainIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final CountDownLatch more = new CountDownLatch(1);

  /** Sends the second half once the test says so. */
  @AutoClose
  private final OriginServer halves =
      OriginServer.start(
          exchange -> {
            exchange.head(200, "Content-Type: video/mp4", "Content-Length: 2000");
            exchange.body(0, 1_000);
            awaitMore();
            exchange.body(1_000, 2_000);
          });

  private void awaitMore() {
    try {
      more.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static RunningMillrace start(Duration drainTimeout) {
    return RunningMillrace.start(settings -> settings.drainTimeout(drainTimeout));
  }

  private static CompletableFuture<Void> drain(RunningMillrace proxy) throws IOException {
    CompletableFuture<Void> isDone = CompletableFuture.runAsync(proxy::drain);
    Await.until("draining", SOON, () -> status(proxy, "/health/ready") == 503);
    return isDone;
  }

  private static int status(RunningMillrace proxy, String target) {
    try {
      return proxy.fetch("GET", target).status();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static RawBody begin(RawHttp client) throws IOException {
    RawBody body = client.body("GET", client.head());
    assertThat(body.count(100).length()).isEqualTo(100);
    return body;
  }

  @Test
  void letsARunningStreamEnd_thenIsDone() throws IOException {
    try (RunningMillrace proxy = start(SOON);
        RawHttp client = proxy.ask(halves.url("/"))) {
      RawBody body = begin(client);
      CompletableFuture<Void> isDone = drain(proxy);
      assertThat(isDone).isNotDone();
      more.countDown();

      assertThat(body.countAll()).isEqualTo(new CountedBody(1_900, -1, BodyEnd.COMPLETE));
      assertThat(isDone).succeedsWithin(SOON);
    }
  }

  @Test
  void refusesNewStreams_withAWordForBalancers() throws IOException {
    try (RunningMillrace proxy = start(SOON);
        RawHttp client = proxy.ask(halves.url("/"))) {
      begin(client);
      var unused = drain(proxy);

      RawAnswer refused = proxy.get(halves.url("/"));

      assertThat(refused.status()).isEqualTo(503);
      assertThat(ErrorBody.of(refused).reason()).isEqualTo("draining");
      assertThat(refused.field("Retry-After")).contains("10");
      assertThat(refused.field("Connection")).contains("close");
      assertThat(halves.requests()).hasSize(1);
    }
  }

  @Test
  void goesOnAnsweringWhatWatchersAsk() throws IOException {
    try (RunningMillrace proxy = start(SOON);
        RawHttp client = proxy.ask(halves.url("/"))) {
      begin(client);
      var unused = drain(proxy);

      assertThat(status(proxy, "/health")).isEqualTo(200);
      assertThat(status(proxy, "/health/live")).isEqualTo(200);
      assertThat(proxy.fetch("GET", "/sessions").text()).contains("\"total\":1");
      assertThat(proxy.fetch("GET", "/metrics").text())
          .contains("millrace_draining 1\n", "millrace_active_streams 1\n");
    }
  }

  @Test
  void isDoneAtOnce_whenNothingRuns() {
    try (RunningMillrace proxy = start(Duration.ofDays(1))) {
      assertThat(CompletableFuture.runAsync(proxy::drain)).succeedsWithin(SOON);
    }
  }

  @Test
  void breaksOffWhatStillRuns_atTheDeadline() throws IOException {
    assertBroken(halves);
  }

  @Test
  void breaksOffChunkedBodies_atTheDeadline() throws IOException {
    try (OriginServer silent = OriginServer.start(ToyOrigins.silentAfter(1_000))) {
      assertBroken(silent);
    }
  }

  private static void assertBroken(OriginServer origin) throws IOException {
    try (RunningMillrace proxy = start(Duration.ZERO);
        RawHttp client = proxy.ask(origin.url("/"))) {
      RawBody body = begin(client);
      assertThat(CompletableFuture.runAsync(proxy::drain)).succeedsWithin(SOON);

      assertThat(sessions(proxy)).contains("\"total\":0");
      assertThat(body.countAll().end()).isIn(BodyEnd.RESET, BodyEnd.TRUNCATED);
    }
  }

  @Test
  void breaksOffPausedClients_atTheDeadline() throws IOException {
    try (OriginServer endless = OriginServer.start(ToyOrigins.endless());
        RunningMillrace proxy = start(Duration.ZERO);
        RawHttp client = proxy.ask(8 << 10, endless.url("/"))) {
      RawBody body = begin(client);
      Await.until("paused", SOON, () -> sessions(proxy).contains("\"state\":\"paused\""));
      assertThat(CompletableFuture.runAsync(proxy::drain)).succeedsWithin(SOON);

      assertThat(sessions(proxy)).contains("\"total\":0");
      assertThat(body.countAll().end()).isIn(BodyEnd.RESET, BodyEnd.TRUNCATED);
    }
  }

  private static String sessions(RunningMillrace proxy) {
    try {
      return proxy.fetch("GET", "/sessions").text();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void answersWithAnError_whoeverWaitsForAnOrigin_atTheDeadline() throws IOException {
    Script mute = exchange -> exchange.hold();
    try (OriginServer origin = OriginServer.start(mute);
        RunningMillrace proxy = start(Duration.ZERO);
        RawHttp client = proxy.ask(origin.url("/"))) {
      Await.until("asked", SOON, () -> origin.requestsInProgress() == 1);
      assertThat(CompletableFuture.runAsync(proxy::drain)).succeedsWithin(SOON);

      assertThat(client.head().status()).isEqualTo(503);
    }
  }

  @Test
  void breaksOffAtOnce_whenToldASecondTime() throws IOException {
    try (RunningMillrace proxy = start(Duration.ofDays(1));
        RawHttp client = proxy.ask(halves.url("/"))) {
      RawBody body = begin(client);
      CompletableFuture<Void> isDone = drain(proxy);
      proxy.hurry();

      assertThat(isDone).succeedsWithin(SOON);
      assertThat(body.countAll().end()).isIn(BodyEnd.RESET, BodyEnd.TRUNCATED);
    }
  }
}
