package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.Deployment;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tomcat as it comes but for its time-out, which is scaled: what its operator sees without our
 * settings.
 */
@Timeout(120)
class PlainTomcatIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @AutoClose
  private static final Deployment PROXY =
      Deployment.plainTomcat()
          .add("--connector", "connectionTimeout=1000")
          .set("ALLOW_TARGETS=loopback")
          .set("BUFFER_MEMORY=1m")
          .set("TIMEOUT=3")
          .start();

  @Test
  void cutsPausedClients_butNeverEndsTheirBodies() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1L << 30));
        RawHttp client = PROXY.ask(16 << 10, StreamLink.to(origin.url("/v.mp4")))) {
      RawBody body = client.body("GET", client.head());
      body.count(1_000);
      Await.until("origin closed", SOON, () -> origin.openConnections() == 0);
      CountedBody rest = body.countAll();
      assertThat(rest.end().isAbort()).isTrue();
      assertThat(rest.firstWrongAt()).isEqualTo(-1);
    }
  }

  @Test
  void givesEverythingBack_whenPausedClientsAreCut() throws IOException {
    for (int round = 0; round < 30; round++) {
      try (OriginServer origin = OriginServer.start(ToyOrigins.endless());
          RawHttp client = PROXY.ask(16 << 10, StreamLink.to(origin.url("/v.ts")))) {
        assertThat(client.head().status()).isEqualTo(200);
        Await.until("origin closed", SOON, () -> origin.openConnections() == 0);
      }
    }
  }

  @Test
  void learnsOfClientsThatLeave_whenTheOriginIsSilentForTooLong() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        RawHttp client = PROXY.ask(0, StreamLink.to(origin.url("/v.ts")))) {
      client.body("GET", client.head()).count(1_000);
      client.reset();
      Await.until("origin closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void refusesEscapedSlashesItself() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", StreamLink.named("a%2Fb.mp4", "http://127.0.0.1:1/"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field("X-Request-Id")).isEmpty();
  }
}
