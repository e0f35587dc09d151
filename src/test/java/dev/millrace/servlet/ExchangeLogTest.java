package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.DropwizardMetrics;
import dev.millrace.proxy.Arrival;
import dev.millrace.proxy.Caller;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.PublicAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExchangeLogTest {
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  @AutoClose private final DropwizardMetrics metrics = new DropwizardMetrics(Map.of());

  private final ExchangeLog log = new ExchangeLog(metrics, false, () -> 0);

  /** Without a front end. */
  static Arrival arrival(String client) {
    return new Arrival(new Caller(client, false), new PublicAddress("http://millrace.test", ""));
  }

  private static Exchange exchange(String client, String method) {
    return new Exchange(arrival(client), method, Instant.EPOCH, 0);
  }

  @Test
  void writesOneLine() {
    Exchange exchange = exchange("192.0.2.1", "GET");
    exchange.routed(Endpoint.STREAM);
    exchange.answered(206, 1_234);
    exchange.firstByteAt(12 * MILLI);
    exchange.endedAs("upstream_timeout");

    assertThat(ExchangeLog.line(exchange, 56 * MILLI))
        .isEqualTo(
            exchange.id()
                + " 192.0.2.1 GET stream origin=- status=206 bytes=1234 ms=56 first_ms=12"
                + " outcome=upstream_timeout");
  }

  @Test
  void writesHyphens_whereNothingIsKnown() {
    assertThat(ExchangeLog.line(exchange("", "HEAD"), 0))
        .endsWith(" - HEAD none origin=- status=- bytes=0 ms=0 first_ms=- outcome=complete");
  }

  @Test
  void letsNobodyWriteALineOfTheirOwn() {
    String line = ExchangeLog.line(exchange("::1\r\nfake \u2028", "G\u001b[2JT é"), 0);

    assertThat(line).contains(" ::1??fake?? G?[2JT?? ").matches("[ -~]+");
  }

  @Test
  void cutsWordsThatAreTooLong() {
    assertThat(ExchangeLog.line(exchange("::1", "X".repeat(300)), 0))
        .contains(" " + "X".repeat(300) + " ");
    assertThat(ExchangeLog.line(exchange("::1", "X".repeat(99_999)), 0)).hasSizeLessThan(500);
  }

  @Test
  void countsRequestsOnce() {
    Exchange exchange = exchange("::1", "GET");
    exchange.routed(Endpoint.STREAM);
    exchange.answered(206, 1);
    log.over(exchange);
    log.over(exchange);

    assertThat(metrics.prometheusText())
        .contains("millrace_requests_total{endpoint=\"stream\",method=\"GET\",status=\"2xx\"} 1\n");
  }

  @Test
  void namesNeitherUnknownMethodsNorUnknownPaths() {
    log.over(exchange("::1", "BREW"));

    assertThat(metrics.prometheusText())
        .contains("{endpoint=\"none\",method=\"other\",status=\"none\"} 1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "upstream_timeout,millrace_failures_total{reason=\"upstream_timeout\"} 1",
    "client_left,millrace_clients_left_total 1",
    "complete,millrace_clients_left_total 0"
  })
  void tellsFailuresFromClientsThatLeave(String outcome, String expected) {
    Exchange exchange = exchange("::1", "GET");
    exchange.endedAs(outcome);
    log.over(exchange);

    assertThat(metrics.prometheusText().lines()).contains(expected);
  }
}
