package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShiftTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 900000, 90000, -10/1",
    "PT0S, 44100, 48000, -147/160",
    "PT30.03S, 0, 1, 3003/100",
    "PT10S, 900001, 90000, -1/90000",
    "PT1700000000S, 1, 10000000, 16999999999999999/10000000",
  })
  void isTheFractionInLowestTerms(Duration start, long offset, long timescale, String shift) {
    assertThat(shift(start, offset, timescale).orElseThrow()).hasToString(shift);
  }

  @ParameterizedTest
  @CsvSource({"PT0S, 0, 90000", "PT10S, 900000, 90000", "PT0.1S, 4410, 44100"})
  void isAbsent_whenItIsZero(Duration start, long offset, long timescale) {
    assertThat(shift(start, offset, timescale)).isEmpty();
  }

  @Test
  void isRounded_whenNoClockCouldTell() {
    assertThat(shift(Duration.ofNanos(1_234_567_891), 0, 90_000).orElseThrow())
        .isEqualTo(new Shift(12_345_679, Shift.MAX_TIMESCALE));
  }

  @Test
  void isAbsent_whenItRoundsToZero() {
    assertThat(shift(Duration.ofNanos(1), 0, 90_000)).isEmpty();
  }

  @Test
  void staysWithinLimits() {
    assertThat(shift(Duration.ofSeconds(Long.MAX_VALUE), 0, 90_000).orElseThrow().units())
        .isEqualTo(Long.MAX_VALUE);
  }

  private static Optional<Shift> shift(Duration start, long offset, long timescale) {
    Period period = new Period("", start, Optional.empty(), List.of());
    return Shift.of(
        period,
        new Addressing.SegmentBase(
            timescale, offset, Optional.empty(), "http://o.test/a.mp4", Optional.empty()));
  }
}
