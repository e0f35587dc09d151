package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LexicalTest {
  @ParameterizedTest
  @CsvSource({
    "PT10S, 10000",
    "PT0H9M56.458S, 596458",
    "P0Y0M0DT0H3M30S, 210000",
    "P1D, 86400000",
    "P1DT1H, 90000000",
    "PT0S, 0",
    "' PT1.5S ', 1500",
    "PT1.0009S, 1000",
    "PT1M, 60000",
  })
  void readsDurations(String text, long millis) {
    assertThat(Lexical.duration(text).orElseThrow().toMillis()).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PT",
        "P1DT",
        "-PT1S",
        "PT1",
        "1S",
        "PT-1S",
        "P1W",
        "P1Y",
        "P2M",
        "PT1.5M",
        "PT.5S",
        "PT1.S",
        "pt1s",
        "PT1S1M",
        "PT9999999999999S"
      })
  void refusesWhatIsNoDuration(String text) {
    assertThat(Lexical.duration(text)).isEmpty();
  }

  @Test
  void durationsHaveALimit() {
    assertThat(Lexical.duration("PT" + (Lexical.MAX_SECONDS - 1) + "S"))
        .contains(Duration.ofSeconds(Lexical.MAX_SECONDS - 1));
    assertThat(Lexical.duration("PT" + Lexical.MAX_SECONDS + "S")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T12:00:00Z, 2026-01-01T12:00:00Z",
    "2026-01-01T12:00:00, 2026-01-01T12:00:00Z",
    "2026-01-01T12:00:00.123456, 2026-01-01T12:00:00.123456Z",
    "2026-01-01T12:00:00+02:00, 2026-01-01T10:00:00Z",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
  })
  void readsTimes(String text, String instant) {
    assertThat(Lexical.dateTime(text)).contains(Instant.parse(instant));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-01-01",
        "2026-13-01T00:00:00Z",
        "1899-12-31T00:00:00Z",
        "+999999999-12-31T00:00:00Z"
      })
  void refusesWhatIsNoTime(String text) {
    assertThat(Lexical.dateTime(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "30000/1001, 29.97",
    "24000/1001, 23.976",
    "25, 25.0",
    "23.976, 23.976",
    "90000/3600, 25.0",
    "60/2, 30.0",
    "30000/22022, 1.362",
  })
  void readsFrameRates(String text, String decimal) {
    assertThat(Lexical.frameRate(text)).contains(decimal);
  }

  @ParameterizedTest
  @ValueSource(strings = {"25/0", "0", "0/1", "fast", "1/9999", "-25", "25/"})
  void refusesWhatIsNoFrameRate(String text) {
    assertThat(Lexical.frameRate(text)).isEmpty();
  }

  @Test
  void numbersHaveALimit() {
    assertThat(Lexical.unsigned("2305843009213693951")).hasValue(Lexical.MAX_TICKS - 1);
    assertThat(Lexical.unsigned("2305843009213693952")).isEmpty();
    assertThat(Lexical.unsigned("-1")).isEmpty();
    assertThat(Lexical.integerOf("-1")).hasValue(-1);
    assertThat(Lexical.integerOf("2147483647")).hasValue(2147483647);
    assertThat(Lexical.integerOf("2147483648")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5-4", "x-1", "-5", "1", "1-2,3-4", ""})
  void refusesWhatIsNoRange(String text) {
    assertThat(Lexical.range(text)).isEmpty();
  }

  @Test
  void readsKeyIds() {
    assertThat(Lexical.keyId("43215678-1234-1234-1234-1234567890AB"))
        .contains("432156781234123412341234567890ab");
    assertThat(Lexical.keyId("4321567812341234123412345678ZZZZ")).isEmpty();
  }
}
