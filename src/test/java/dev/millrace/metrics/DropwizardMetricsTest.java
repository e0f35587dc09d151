package dev.millrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DropwizardMetricsTest {
  private static final MBeanServer JMX = ManagementFactory.getPlatformMBeanServer();

  @AutoClose
  private final DropwizardMetrics metrics =
      new DropwizardMetrics(Map.of("apples", "How many \\ \"apples\"\nthere are."));

  @Test
  void writesCounters() {
    metrics.counter("apples", "kind", "red", "size", "small").add(3);
    metrics.counter("apples", "kind", "green", "size", "large").increment();

    assertThat(metrics.prometheusText())
        .isEqualTo(
            """
            # HELP millrace_apples_total How many \\\\ "apples"\\nthere are.
            # TYPE millrace_apples_total counter
            millrace_apples_total{kind="green",size="large"} 1
            millrace_apples_total{kind="red",size="small"} 3
            """);
  }

  @Test
  void writesWhatOthersKeep_asItIsNow() {
    long[] bytes = {5};
    metrics.gauge("free_bytes", () -> bytes[0]);
    metrics.total("sent_bytes", () -> bytes[0] * 2);
    bytes[0] = 7;

    assertThat(metrics.prometheusText())
        .isEqualTo(
            """
            # TYPE millrace_free_bytes gauge
            millrace_free_bytes 7
            # TYPE millrace_sent_bytes_total counter
            millrace_sent_bytes_total 14
            """);
  }

  @Test
  void writesTimersAsHistograms_inSeconds() {
    Metrics.Timer wait = metrics.timer("wait", "kind", "long");
    wait.record(Duration.ofMillis(250).toNanos());
    wait.record(Duration.ofMillis(251).toNanos());
    wait.record(Duration.ofHours(1).toNanos());

    assertThat(metrics.prometheusText().lines())
        .startsWith("# TYPE millrace_wait_seconds histogram")
        .containsSubsequence(
            "millrace_wait_seconds_bucket{kind=\"long\",le=\"0.1\"} 0",
            "millrace_wait_seconds_bucket{kind=\"long\",le=\"0.25\"} 1",
            "millrace_wait_seconds_bucket{kind=\"long\",le=\"0.5\"} 2",
            "millrace_wait_seconds_bucket{kind=\"long\",le=\"60.0\"} 2",
            "millrace_wait_seconds_bucket{kind=\"long\",le=\"+Inf\"} 3",
            "millrace_wait_seconds_sum{kind=\"long\"} 3600.501",
            "millrace_wait_seconds_count{kind=\"long\"} 3");
  }

  @Test
  void escapesLabelValues() {
    metrics.counter("apples", "kind", "a\"b\\c\nd").increment();

    assertThat(metrics.prometheusText()).contains("{kind=\"a\\\"b\\\\c\\nd\"} 1\n");
  }

  @Test
  void givesTheSameInstrument_whenAskedAgain() {
    metrics.counter("apples", "kind", "red").increment();
    metrics.counter("apples", "kind", "red").increment();

    assertThat(metrics.prometheusText()).contains("millrace_apples_total{kind=\"red\"} 2\n");
  }

  @Test
  void countsUnderOther_whatComesAfterTheLastSeries() {
    for (int i = 0; i < DropwizardMetrics.MAX_SERIES + 10; i++) {
      metrics.counter("apples", "kind", "k" + i, "size", "s").increment();
    }

    assertThat(metrics.prometheusText().lines().filter(line -> !line.startsWith("#")))
        .hasSize(DropwizardMetrics.MAX_SERIES)
        .contains(
            "millrace_apples_total{kind=\"k126\",size=\"s\"} 1",
            "millrace_apples_total{kind=\"other\",size=\"other\"} 11");
  }

  @Test
  void refusesANameWithTwoMeanings() {
    metrics.counter("apples", "kind", "red").increment();

    assertThatIllegalArgumentException().isThrownBy(() -> metrics.timer("apples", "kind", "red"));
    assertThatIllegalArgumentException().isThrownBy(() -> metrics.counter("apples"));
    assertThatIllegalArgumentException().isThrownBy(() -> metrics.counter("Apples"));
    assertThatIllegalArgumentException().isThrownBy(() -> metrics.counter("apples", "kind"));
  }

  @Test
  void showsEverythingOverJmx_andNothingOnceClosed() throws Exception {
    ObjectName early = new ObjectName("dev.millrace:name=plums,kind=blue");
    ObjectName late = new ObjectName("dev.millrace:name=plums,kind=\"a,b\"");
    metrics.counter("plums", "kind", "blue").add(4);
    metrics.publishToJmx();
    metrics.counter("plums", "kind", "a,b").add(5);

    assertThat(JMX.getAttribute(early, "Count")).isEqualTo(4L);
    assertThat(JMX.getAttribute(late, "Count")).isEqualTo(5L);

    metrics.close();
    assertThat(JMX.isRegistered(early)).isFalse();
  }

  @Test
  void showsPercentilesOverJmx_inMilliseconds() throws Exception {
    metrics.publishToJmx();
    metrics.timer("ripening").record(Duration.ofMillis(40).toNanos());

    assertThat(JMX.getAttribute(new ObjectName("dev.millrace:name=ripening"), "99thPercentile"))
        .isEqualTo(40.0);
  }

  @Test
  void publishesNothing_onceClosed() throws Exception {
    metrics.counter("pears").increment();
    metrics.close();
    metrics.publishToJmx();

    assertThat(JMX.isRegistered(new ObjectName("dev.millrace:name=pears"))).isFalse();
  }
}
