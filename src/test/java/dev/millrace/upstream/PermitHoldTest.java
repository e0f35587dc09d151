package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ManualTimer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PermitHoldTest {
  private static final long SEGMENT = 64L << 20;

  private final ManualTimer timer = new ManualTimer();
  private final AtomicInteger releases = new AtomicInteger();
  private final AtomicLong clientNanos = new AtomicLong();
  private final PermitHold hold = new PermitHold(releases::incrementAndGet, timer);

  @Test
  void isKept_untilTheResponseIsOver() {
    hold.onHeaders(1_000, clientNanos::get);
    timer.advance(Duration.ofMillis(1_900));

    assertThat(releases).hasValue(0);

    hold.release();
    assertThat(releases).hasPositiveValue();
    assertThat(timer.pending()).isZero();
  }

  @Test
  void isGivenBack_twoSecondsAfterTheHeaders() {
    hold.onHeaders(SEGMENT, clientNanos::get);
    timer.advance(Duration.ofMillis(1_999));
    assertThat(releases).hasValue(0);

    timer.advance(Duration.ofMillis(1));

    assertThat(releases).hasValue(1);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void isGivenBackWhileADocumentIsWaitedFor() {
    hold.mayBeKeptBack();
    timer.advance(Duration.ofMillis(249));
    assertThat(releases).hasValue(0);

    timer.advance(Duration.ofMillis(1));

    assertThat(releases).hasValue(1);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void isGivenBackAtTheHeaders_whenTheBodyIsLong() {
    hold.onHeaders(SEGMENT + 1, clientNanos::get);

    assertThat(releases).hasValue(1);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void isGivenBackAtTheHeaders_whenTheLengthIsUnknown() {
    hold.onHeaders(-1, clientNanos::get);

    assertThat(releases).hasValue(1);
  }

  @Test
  void isGivenBack_whenTheClientMakesItWait() {
    hold.onHeaders(1_000, clientNanos::get);
    clientNanos.set(Duration.ofMillis(249).toNanos());
    timer.advance(Duration.ofMillis(250));
    assertThat(releases).hasValue(0);

    clientNanos.set(Duration.ofMillis(250).toNanos());
    timer.advance(Duration.ofMillis(250));

    assertThat(releases).hasValue(1);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void watchesNothing_whenTheResponseIsOverBeforeItsHeadersAreSeen() {
    hold.release();
    hold.onHeaders(1_000, clientNanos::get);

    assertThat(timer.pending()).isZero();
  }

  @Test
  void isKeptToTheEnd_whenTheTimerIsShutDown() {
    timer.shutdown();
    hold.onHeaders(1_000, clientNanos::get);
    assertThat(releases).hasValue(0);

    hold.release();
    assertThat(releases).hasValue(1);
  }
}
