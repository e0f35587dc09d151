package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * In real time, side by side: the container's own idle time (30 s) is a constant that no setting
 * scales, so a test has to outlast it once.
 */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD)
class LongSilenceIT {
  private static final Duration LONGER_THAN_CONTAINER = Duration.ofSeconds(33);
  private static final long SIZE = 60_000_000;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void goesOn_whenClientPausesForLong() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RawHttp client = PROXY.ask(16 << 10, origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000_000);
      Await.stays("open", LONGER_THAN_CONTAINER, () -> origin.openConnections() == 1);
      assertThat(body.countAll())
          .isEqualTo(new CountedBody(SIZE - 1_000_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void goesOn_whenOriginPausesForLong() throws IOException {
    try (OriginServer origin = OriginServer.start(LongSilenceIT::pauseInside);
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000);
      Await.stays("open", LONGER_THAN_CONTAINER, () -> origin.openConnections() == 1);
      assertThat(body.countAll()).isEqualTo(new CountedBody(1_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void waits_whenHeadersComeLate() throws IOException {
    try (OriginServer origin = OriginServer.start(LongSilenceIT::lateHeaders);
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      Await.until("asked", Duration.ofSeconds(5), () -> origin.requests().size() == 1);
      Await.stays("open", LONGER_THAN_CONTAINER, () -> origin.openConnections() == 1);
      assertThat(client.head().status()).isEqualTo(200);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void closesHalfSentRequests_atContainersIdleTime() throws IOException {
    List<RawHttp> halves = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      RawHttp half = RawHttp.connect(PROXY.port());
      half.send("GET /proxy/stream?d=http");
      halves.add(half);
    }
    Await.holds(LONGER_THAN_CONTAINER, () -> false);
    for (RawHttp half : halves) {
      assertThat(half.isClosedAfterWhatIsSent(8_000)).isTrue();
      half.close();
    }
  }

  private static void pauseInside(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Type: video/mp4", "Content-Length: 2000");
    exchange.body(0, 1_000);
    exchange.pause(LONGER_THAN_CONTAINER.plusMillis(200));
    exchange.body(1_000, 2_000);
  }

  private static void lateHeaders(OriginExchange exchange) throws IOException {
    exchange.pause(LONGER_THAN_CONTAINER.plusSeconds(1));
    FaultyOrigins.surplus(10, 10).answer(exchange);
  }
}
