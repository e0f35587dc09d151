package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryRowTest {
  private static final ResumeConfig LIMITS =
      new ResumeConfig(true, 3, Duration.ofSeconds(2), Duration.ofSeconds(30));

  private long nowNanos = Duration.ofHours(7).toNanos();

  private Optional<Duration> next(RetryRow row) {
    return row.next(nowNanos, Optional.empty());
  }

  /** The waits of a row, each waited for. */
  private List<Long> waits(RetryRow row) {
    List<Long> seconds = new ArrayList<>();
    for (Optional<Duration> wait = next(row); wait.isPresent(); wait = next(row)) {
      nowNanos += wait.get().toNanos();
      seconds.add(wait.get().toSeconds());
    }
    return seconds;
  }

  @Test
  void triesAtOnceThenAfterTheDelay_asOftenAsAllowed() {
    assertThat(waits(RetryRow.ofCuts(LIMITS))).containsExactly(0L, 2L, 2L);
    assertThat(waits(RetryRow.ofCuts(LIMITS.withAttempts(1)))).containsExactly(0L);
    assertThat(waits(RetryRow.ofCuts(LIMITS.withAttempts(0)))).isEmpty();
  }

  @Test
  void beginsAnew_afterGoodData() {
    RetryRow row = RetryRow.ofCuts(LIMITS);
    waits(row);
    nowNanos += Duration.ofHours(1).toNanos();

    row.good(true);

    assertThat(row.isRunning()).isFalse();
    assertThat(waits(row)).containsExactly(0L, 2L, 2L);
  }

  @Test
  void doesNotTryAtOnce_whenTheLastAnswerBroughtLittle() {
    RetryRow row = RetryRow.ofCuts(LIMITS);
    waits(row);

    row.good(false);

    assertThat(waits(row)).containsExactly(2L, 2L, 2L);
  }

  @Test
  void givesUp_whenTheBudgetIsSpent() {
    RetryRow row = RetryRow.ofCuts(LIMITS);
    next(row);
    nowNanos += Duration.ofSeconds(28).toNanos();
    assertThat(next(row)).contains(Duration.ofSeconds(2));

    nowNanos += 1;

    assertThat(next(row)).isEmpty();
    assertThat(row.leftNanos(nowNanos)).isEqualTo(Duration.ofSeconds(2).toNanos() - 1);
  }

  @Test
  void waitsAsLongAsTheOriginAsks_ifThatFits() {
    RetryRow row = RetryRow.ofCuts(LIMITS);

    assertThat(row.next(nowNanos, Optional.of(Duration.ofSeconds(30))))
        .contains(Duration.ofSeconds(30));
    assertThat(row.next(nowNanos, Optional.of(Duration.ofSeconds(1))))
        .contains(Duration.ofSeconds(2));
    assertThat(row.next(nowNanos, Optional.of(Duration.ofSeconds(31)))).isEmpty();
  }

  @Test
  void backsOff_whenLive() {
    assertThat(waits(RetryRow.ofLive(LIMITS))).containsExactly(0L, 2L, 4L, 8L, 10L);
  }

  @Test
  void goesOnBackingOff_whileAnswersBringLittle() {
    RetryRow row = RetryRow.ofLive(LIMITS);
    List<Long> first = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      first.add(next(row).orElseThrow().toSeconds());
      row.good(false);
    }

    assertThat(first).containsExactly(0L, 2L, 4L, 8L, 10L, 10L);
    row.good(true);
    assertThat(next(row)).contains(Duration.ZERO);
  }

  @Test
  void tries_evenWithinASmallBudget() {
    ResumeConfig small = new ResumeConfig(true, 2, Duration.ofSeconds(9), Duration.ofSeconds(3));

    assertThat(waits(RetryRow.ofLive(small))).containsExactly(0L, 1L, 1L, 1L);
  }
}
