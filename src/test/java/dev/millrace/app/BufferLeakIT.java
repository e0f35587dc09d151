package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever goes wrong, buffers come back: direct memory returns to where it was. */
@Timeout(120)
class BufferLeakIT {
  private static final int REQUESTS = 9_500;
  private static final long TOLERANCE_BYTES = 16L << 20;
  private static final Duration SETTLE = Duration.ofSeconds(20);

  @Test
  void returnsDirectMemory_afterThousandsOfFaults() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start();
        OriginServer origin = OriginServer.start(BufferLeakIT::oftenResets)) {
      requestAndOftenLeave(proxy, origin, 500);
      Await.until("origin idle", SETTLE, () -> origin.requestsInProgress() == 0);
      collectWhatEarlierTestsDropped();
      long base = directBytes();
      requestAndOftenLeave(proxy, origin, REQUESTS);
      Await.until(
          "direct memory back at " + base,
          SETTLE,
          () -> directBytes() - base < TOLERANCE_BYTES, // less, if earlier tests let go late
          () -> "but " + directBytes());
      assertThat(proxy.get(origin.url("/calm")).status()).isEqualTo(200);
    }
  }

  /** Their direct memory is not to go away while this test measures its own. */
  private static void collectWhatEarlierTestsDropped() {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    PhantomReference<Object> last = new PhantomReference<>(new Object(), collected);
    System.gc();
    Await.until("the collector is through", SETTLE, () -> collected.poll() == last);
  }

  private static void requestAndOftenLeave(RunningMillrace proxy, OriginServer origin, int count)
      throws IOException {
    Random random = new Random(42);
    for (int i = 0; i < count; i++) {
      try (RawHttp client = proxy.ask(origin.url("/" + i))) {
        int fate = random.nextInt(10);
        if (fate == 0) {
          client.reset();
        } else if (fate < 3) {
          client.body("GET", client.head()).count(random.nextInt(60_000));
          client.reset();
        } else {
          assertIntact(client.body("GET", client.head()).countAll());
        }
      }
    }
  }

  /** Whole or visibly cut, but never the bytes of somebody else and never stuck. */
  private static void assertIntact(CountedBody body) {
    assertThat(body.firstWrongAt()).as(body.toString()).isEqualTo(-1);
    assertThat(body.end()).isIn(BodyEnd.COMPLETE, BodyEnd.TRUNCATED, BodyEnd.RESET);
  }

  /** A fifth of all requests is cut; a path decides, so that every run is the same. */
  private static void oftenResets(OriginExchange exchange) throws IOException {
    if (Math.floorMod(exchange.request().path().hashCode(), 5) == 0) {
      FaultyOrigins.cutChunked(20_000, true).answer(exchange);
    } else {
      ToyOrigins.sendFile(exchange, 100_000);
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
