package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeReadingTest {
  private static final Instant NOON = Instant.parse("2024-02-29T12:00:00Z");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-02-29T12:00:00Z",
        "2024-02-29T12:00:00.000Z",
        "2024-02-29T13:00:00+01:00",
        "2024-02-29T12:00:00",
        "2024-02-29T12:00Z"
      })
  void readsDates(String text) {
    assertThat(TimeReading.dateTime(text)).contains(NOON);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1709208000", "2024-02-30T12:00:00Z", "noon", "<html>"})
  void readsNothingElse(String text) {
    assertThat(TimeReading.dateTime(text)).isEmpty();
    assertThat(TimeReading.httpDate(text)).isEmpty();
  }

  @Test
  void readsDateFields() {
    assertThat(TimeReading.httpDate(" Thu, 29 Feb 2024 12:00:00 GMT ")).contains(NOON);
  }
}
