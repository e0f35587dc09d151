package dev.millrace.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.Headers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreshnessTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no-store | 0",
        "No-Cache | 0",
        "private, max-age=60 | 0",
        "no-cache=\"set-cookie\" | 0",
        "max-age=0 | 0",
        "max-age=60 | 60",
        "max-age = \"60\" | 60",
        "public, max-age=60, s-maxage=5 | 5",
        "max-age=60, max-age=5 | 60",
        "max-age=soon | 0",
        "max-age=-1 | 0",
        "max-age=99999999999 | 0",
        "max-age | 0"
      })
  void readsCacheControl(String value, long seconds) {
    assertThat(Freshness.of(Headers.of("Cache-Control", value)))
        .contains(Duration.ofSeconds(seconds));
  }

  @Test
  void saysNothing_withoutFields() {
    assertThat(Freshness.of(Headers.EMPTY)).isEmpty();
    assertThat(Freshness.of(Headers.of("Cache-Control", "public"))).isEmpty();
  }

  @Test
  void takesTheAgeOff() {
    assertThat(Freshness.of(Headers.of("Cache-Control", "max-age=60", "Age", "20")))
        .contains(Duration.ofSeconds(40));
    assertThat(Freshness.of(Headers.of("Cache-Control", "max-age=60", "Age", "70")))
        .contains(Duration.ZERO);
  }

  @Test
  void readsExpires_byTheClockOfTheOrigin() {
    String date = "Mon, 30 Nov 2026 10:00:00 GMT";
    assertThat(Freshness.of(Headers.of("Expires", "Mon, 30 Nov 2026 10:01:00 GMT", "Date", date)))
        .contains(Duration.ofSeconds(60));
    assertThat(Freshness.of(Headers.of("Expires", "0", "Date", date))).contains(Duration.ZERO);
    assertThat(Freshness.of(Headers.of("Expires", date))).contains(Duration.ZERO);
  }
}
