package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RareWarningTest {
  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);
  private final RareWarning warning = new RareWarning(nanoTime::get, Duration.ofNanos(10));

  @Test
  void isDueOnceInEachPause() {
    assertThat(warning.isDue()).isTrue();
    assertThat(warning.isDue()).isFalse();
    nanoTime.addAndGet(9);
    assertThat(warning.isDue()).isFalse();
    nanoTime.addAndGet(1);
    assertThat(warning.isDue()).isTrue();
    assertThat(warning.isDue()).isFalse();
  }
}
