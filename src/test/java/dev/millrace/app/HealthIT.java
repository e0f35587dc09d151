package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HealthIT {
  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password("s3cret"));

  @ParameterizedTest
  @CsvSource({"/health,healthy", "/health/live,live", "/health/ready,ready"})
  void saysThatAllIsWell_toEverybody(String target, String word) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", target);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(ErrorBody.json(answer).path("status").asString()).isEqualTo(word);
    assertThat(ErrorBody.json(answer).path("timestamp").asString()).matches("20\\d\\d-.*Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health", "/health/live", "/health/ready", "/", "/index.html"})
  void answersHead(String target) throws IOException {
    RawAnswer answer = PROXY.fetch("HEAD", target);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEmpty();
  }

  @Test
  void answersNothingElse() throws IOException {
    assertThat(PROXY.fetch("POST", "/health").status()).isEqualTo(405);
    assertThat(PROXY.fetch("GET", "/health/other").status()).isEqualTo(404);
  }

  @Test
  void isNotReady_whileThereIsNoMemoryForAStream() throws IOException {
    try (OriginServer silent = OriginServer.start(ToyOrigins.silentAfter(100));
        RunningMillrace small =
            RunningMillrace.start(settings -> settings.bufferMemory(200 << 10));
        RawHttp client = small.ask(silent.url("/"))) {
      client.head();
      RawAnswer answer = small.fetch("GET", "/health/ready");

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.text()).contains("\"status\":\"over_capacity\"");
      assertThat(small.fetch("GET", "/health/live").status()).isEqualTo(200);
    }
  }
}
