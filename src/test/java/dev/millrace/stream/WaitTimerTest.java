package dev.millrace.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ManualTimer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitTimerTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ManualTimer timer = new ManualTimer();
  private final AtomicInteger actions = new AtomicInteger();
  private final WaitTimer wait =
      new WaitTimer(timer, timer::nanoTime, LIMIT, actions::incrementAndGet);

  @Test
  void acts_whenOneWaitIsTooLong() {
    wait.open();
    wait.start();

    timer.advance(LIMIT.minusMillis(1));
    assertThat(actions).hasValue(0);

    timer.advance(LIMIT);
    assertThat(actions).hasValue(1);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void neverActs_whileNothingIsAwaited() {
    wait.open();

    timer.advance(Duration.ofHours(1));

    assertThat(actions).hasValue(0);
    assertThat(timer.pending()).isEqualTo(1);
  }

  @Test
  void countsEachWaitByItself() {
    wait.open();
    for (int i = 0; i < 10; i++) {
      wait.start();
      timer.advance(LIMIT.minusSeconds(1));
      wait.stop();
    }

    assertThat(actions).hasValue(0);
  }

  @Test
  void actsAtMostOneLimitLate() {
    wait.open();
    timer.advance(Duration.ofMillis(1));
    wait.start();

    timer.advance(LIMIT.multipliedBy(2));

    assertThat(actions).hasValue(1);
  }

  @Test
  void actsOnce_howeverLongTheWait() {
    wait.open();
    wait.start();

    timer.advance(LIMIT.multipliedBy(10));

    assertThat(actions).hasValue(1);
  }

  @Test
  void leavesNothingBehind_afterClose() {
    wait.open();
    wait.start();
    wait.close();
    wait.open();

    timer.advance(LIMIT.multipliedBy(3));

    assertThat(actions).hasValue(0);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void isSilent_whenTheTimerIsShutDown() {
    timer.shutdown();

    wait.open();
    wait.start();
    wait.close();

    assertThat(actions).hasValue(0);
  }

  @Test
  void tellsHowLongItHasWaited() {
    assertThat(wait.waitedNanos()).isZero();
    wait.start();
    timer.advance(Duration.ofMillis(3));

    assertThat(wait.waitedNanos()).isEqualTo(3_000_000);
    wait.stop();
    assertThat(wait.waitedNanos()).isZero();
  }
}
