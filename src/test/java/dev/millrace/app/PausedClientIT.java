package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A paused player may go on; only its own limit ends it, never a timer meant for others. */
@Timeout(60)
class PausedClientIT {
  private static final Duration UPSTREAM_IDLE = Duration.ofMillis(300);
  private static final Duration PAUSE = Duration.ofMillis(1_500);
  private static final Duration CLIENT_IDLE = Duration.ofMillis(700);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long SIZE = 100_000_000;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.idleTimeout(UPSTREAM_IDLE));

  @Test
  void goesOn_afterPauseLongerThanUpstreamIdleTime() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RawHttp client = PROXY.ask(16 << 10, origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      body.count(5_000_000);
      Await.stays("upstream open", PAUSE, () -> origin.openConnections() == 1);
      assertThat(body.countAll())
          .isEqualTo(new CountedBody(SIZE - 5_000_000, -1, BodyEnd.COMPLETE));
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void aborts_whenOriginIsSilentWhileBytesAreWanted() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      CountedBody body = client.body("GET", client.head()).countAll();
      assertThat(body.length()).isEqualTo(1_000);
      assertThat(body.end().isAbort()).isTrue();
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void goesOn_whenOriginTricklesForLongerThanIdleTime() throws IOException {
    try (OriginServer origin =
            OriginServer.start(ToyOrigins.trickle(1_000, Duration.ofMillis(100)));
        RawHttp client = PROXY.ask(origin.url("/v.ts"))) {
      assertThat(client.body("GET", client.head()).count(15_000).length()).isEqualTo(15_000);
    }
  }

  @Test
  void aborts_whenPauseIsLongerThanClientMayPause() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RunningMillrace strict =
            RunningMillrace.start(settings -> settings.clientIdleTimeout(CLIENT_IDLE));
        RawHttp client = strict.ask(16 << 10, origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000);
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
      assertThat(body.countAll().end().isAbort()).isTrue();
    }
  }

  @Test
  void aborts_whenPauseInsideTlsIsLongerThanClientMayPause() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.endless());
        RunningMillrace strict =
            RunningMillrace.start(
                settings -> settings.selfSigned().clientIdleTimeout(CLIENT_IDLE));
        RawHttp client = RawHttp.connectTls(strict.port())) {
      client.request("GET", StreamLink.to(origin.url("/v.ts")).toString());
      RawBody body = client.body("GET", client.head());
      body.count(1_000);
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
      assertThat(body.countAll().end().isAbort()).isTrue();
    }
  }

  @Test
  void goesOn_whenClientReadsSlowlyButSteadily() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(SIZE));
        RunningMillrace strict =
            RunningMillrace.start(settings -> settings.clientIdleTimeout(CLIENT_IDLE));
        RawHttp client = strict.ask(16 << 10, origin.url("/v.mp4"))) {
      RawBody body = client.body("GET", client.head());
      for (int i = 0; i < 10; i++) {
        assertThat(body.count(2_000_000).length()).isEqualTo(2_000_000);
        Await.stays("upstream open", CLIENT_IDLE.dividedBy(4), () -> origin.openConnections() == 1);
      }
    }
  }
}
