package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SegmentLink;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Segments whose only viewer leaves while they arrive: little is missing, but it does not come. */
@Timeout(60)
class AbandonedDownloadIT {
  private static final int LENGTH = 500_000;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  /** Asks, reads so much, and leaves after a while. */
  private static void leaves(String target, int bytes, Duration after) throws Exception {
    try (RawHttp viewer = RawHttp.connect(PROXY.port())) {
      viewer.request("GET", target);
      assertThat(viewer.body("GET", viewer.head()).count(bytes).firstWrongAt()).isNegative();
      TimeUnit.MILLISECONDS.sleep(after.toMillis());
      viewer.reset();
    }
  }

  @Test
  void originThatDripsIsClosed_within5Seconds() throws Exception {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> {
              exchange.head(200, "Content-Length: " + LENGTH, "Content-Type: video/mp2t");
              int at = 0;
              do {
                exchange.body(at, at + 1_000);
                at += 1_000;
              } while (at < LENGTH && exchange.pause(Duration.ofMillis(100)));
            })) {
      leaves(SegmentLink.to("ts", origin.url("/drip.ts")).toString(), 2_000, Duration.ZERO);
      Await.until(
          "the origin is closed", Duration.ofSeconds(5), () -> origin.openConnections() == 0);
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void originThatStalledIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (OriginServer origin =
        OriginServer.start(
            exchange -> {
              exchange.head(200, "Content-Length: " + LENGTH, "Content-Type: video/mp2t");
              if (asked.getAndIncrement() == 0) {
                exchange.body(0, 100_000);
                exchange.hold();
              } else {
                exchange.body(0, LENGTH);
              }
            })) {
      String target = SegmentLink.to("ts", origin.url("/stalled.ts")).toString();
      leaves(target, 100_000, Duration.ofSeconds(1));
      TimeUnit.SECONDS.sleep(4);
      assertThat(PROXY.fetch("GET", target).bytes()).isEqualTo(OffsetBytes.range(0, LENGTH));
      assertThat(origin.requests()).hasSize(2);
    }
  }

  @Test
  void whatArrivesWithinAMomentIsKept() throws Exception {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> {
              exchange.head(200, "Content-Length: " + LENGTH, "Content-Type: video/mp2t");
              exchange.body(0, 100_000);
              if (exchange.pause(Duration.ofSeconds(1))) {
                exchange.body(100_000, LENGTH);
              }
            })) {
      String target = SegmentLink.to("ts", origin.url("/late.ts")).toString();
      leaves(target, 100_000, Duration.ZERO);
      Await.until(
          "the origin has sent all", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 0);
      assertThat(PROXY.fetch("GET", target).bytes()).isEqualTo(OffsetBytes.range(0, LENGTH));
      assertThat(origin.requests()).hasSize(1);
    }
  }
}
