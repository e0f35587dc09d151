package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SkippedRangesTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "6", "-", "a-b", "6-", "-6", "1e1-20", "-3-4", "1-2-3", "0x1-5", "1.2.3-4", "NaN-5"
      })
  void rejectsWhatIsNoRange(String text) {
    assertThatThrownBy(() -> SkippedRanges.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text)
        .hasMessageContaining("expected: start-end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"6-6", "7-6", "0-0", "0.5-0.25"})
  void rejectsRangesThatDoNotEndAfterTheirStart(String text) {
    assertThatThrownBy(() -> SkippedRanges.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not end after its start");
  }

  @Test
  void acceptsAsManyAsTheLimit_andNotOneMore() {
    String most = "0-1,".repeat(SkippedRanges.MAX_RANGES);

    assertThat(SkippedRanges.parse(most).overlap(0, SECOND)).isTrue();
    assertThatThrownBy(() -> SkippedRanges.parse(most + "0-1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("more than 100 ranges");
  }

  @Test
  void showsOnlyTheBeginningOfALongMistake() {
    assertThatThrownBy(() -> SkippedRanges.parse("x".repeat(10_000)))
        .hasMessageMatching("x{64}… is no range.{1,80}");
  }

  @Test
  void overlapsWhatBeginsBeforeTheEndAndEndsAfterTheStart() {
    SkippedRanges ranges = SkippedRanges.parse(" 20.5 - 30 , 6-11,");

    assertThat(ranges.overlap(0, 6 * SECOND)).isFalse();
    assertThat(ranges.overlap(0, 6 * SECOND + 1)).isTrue();
    assertThat(ranges.overlap(11 * SECOND, 12 * SECOND)).isFalse();
    assertThat(ranges.overlap(11 * SECOND - 1, 12 * SECOND)).isTrue();
    assertThat(ranges.overlap(20 * SECOND, 20 * SECOND + SECOND / 2)).isFalse();
    assertThat(ranges.overlap(0, 100 * SECOND)).isTrue();
  }

  @Test
  void hasNoRanges_whenNothingIsSaid() {
    assertThat(SkippedRanges.parse("").isEmpty()).isTrue();
    assertThat(SkippedRanges.parse(" , ").isEmpty()).isTrue();
    assertThat(SkippedRanges.parse("1-2").isEmpty()).isFalse();
  }
}
