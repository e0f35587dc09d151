package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * At the limit of buffer memory requests are refused at once, and none of those running suffers.
 */
@Timeout(30)
class BufferMemoryIT {
  private static final long MEMORY_OF_TWO = 2L * (128 << 10);
  private static final Duration SOON = Duration.ofSeconds(5);

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.bufferMemory(MEMORY_OF_TWO));

  @Test
  void refusesAtTheLimit_andServesAgainWhenOneLeaves() throws IOException {
    try (OriginServer films = OriginServer.start(ToyOrigins.silentAfter(1_000));
        OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        RawHttp first = PROXY.ask(films.url("/1.ts"));
        RawHttp second = PROXY.ask(films.url("/2.ts"))) {
      assertThat(first.head().status()).isEqualTo(200);
      assertThat(second.head().status()).isEqualTo(200);

      RawAnswer refused = PROXY.get(origin.url("/v.mp4"));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.field("Retry-After")).isPresent();
      assertThat(ErrorBody.of(refused).detail()).contains("memory");
      assertThat(origin.requests()).isEmpty();

      first.reset();
      Await.until("films down to one", SOON, () -> films.openConnections() == 1);
      Await.until("served again", SOON, () -> served(origin));
    }
  }

  private static boolean served(OriginServer origin) {
    try {
      return PROXY.get(origin.url("/v.mp4")).status() == 200;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
