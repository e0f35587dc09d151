package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /metrics} says, and to whom. */
@Timeout(60)
class MetricsIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Prints what the official client library makes of a file: kind, name, labels, value. */
  private static final String PARSER =
      """
      import sys
      from prometheus_client.parser import text_fd_to_metric_families
      with open(sys.argv[1]) as text:
          for family in text_fd_to_metric_families(text):
              print('family', family.type, family.name, 'documented' if family.documentation else '')
              for s in family.samples:
                  print('sample', s.name, sorted(s.labels.items()), float(s.value))
      """;

  @AutoClose private final RunningMillrace proxy = RunningMillrace.start();
  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(10_000));

  private List<String> scrape() {
    return scrape(proxy);
  }

  private static List<String> scrape(RunningMillrace server) {
    try {
      return server.fetch("GET", "/metrics").text().lines().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitLine(String line) {
    awaitLine(proxy, line);
  }

  private static void awaitLine(RunningMillrace server, String line) {
    Await.until(line, SOON, () -> scrape(server).contains(line));
  }

  @Test
  void isReadByTheOfficialParser(@TempDir Path directory) throws IOException {
    proxy.get(origin.url("/v.mp4"));
    awaitLine("millrace_requests_total{endpoint=\"stream\",method=\"GET\",status=\"2xx\"} 1");
    Path text = directory.resolve("metrics");
    Files.write(text, scrape());
    Outcome parsed =
        ExternalProgram.requiredPython("prometheus_client")
            .run(SOON, "-c", PARSER, text.toString());

    assertThat(parsed.exit()).as(parsed.errors()).isZero();
    assertThat(parsed.output().lines())
        .contains(
            "family counter millrace_requests documented",
            "family histogram millrace_response_first_byte_seconds documented",
            "family gauge millrace_active_streams documented",
            "sample millrace_response_bytes_total [] 10000.0")
        .allMatch(line -> !line.startsWith("family") || line.endsWith(" documented"));
  }

  @Test
  void saysWhatFormatItIs_andIsNeverCached() throws IOException {
    RawAnswer answer = proxy.fetch("GET", "/metrics");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type"))
        .hasValueSatisfying(
            type ->
                assertThat(type.replace(" ", ""))
                    .isEqualToIgnoringCase("text/plain;version=0.0.4;charset=utf-8"));
    assertThat(answer.field("Cache-Control")).contains("no-store");
    assertThat(answer.fields("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void answersHead() throws IOException {
    RawAnswer answer = proxy.fetch("HEAD", "/metrics");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEmpty();
  }

  @Test
  void countsRequestsByRouteMethodAndStatus() throws IOException {
    proxy.get(origin.url("/v.mp4"));
    proxy.head(origin.url("/v.mp4"));
    proxy.fetch("POST", "/proxy/stream");
    proxy.fetch("GET", "/nothing/here/at-all");

    awaitLine("millrace_requests_total{endpoint=\"stream\",method=\"GET\",status=\"2xx\"} 1");
    awaitLine("millrace_requests_total{endpoint=\"stream\",method=\"HEAD\",status=\"2xx\"} 1");
    awaitLine("millrace_requests_total{endpoint=\"stream\",method=\"POST\",status=\"4xx\"} 1");
    awaitLine("millrace_requests_total{endpoint=\"none\",method=\"GET\",status=\"4xx\"} 1");
    awaitLine("millrace_response_first_byte_seconds_count 1");
  }

  @Test
  void countsFailuresByReason() throws IOException {
    proxy.get("http://127.0.0.1:1/");
    proxy.get("ftp://example.com/");

    awaitLine("millrace_failures_total{reason=\"connect_failed\"} 1");
    awaitLine("millrace_failures_total{reason=\"bad_parameter\"} 1");
  }

  @Test
  void countsBodiesThatAreCut_asFailuresOfTheOrigin() throws IOException {
    try (OriginServer cut = OriginServer.start(FaultyOrigins.cutChunked(20_000, true))) {
      proxy.get(cut.url("/"));

      awaitLine("millrace_failures_total{reason=\"upstream_closed\"} 1");
      awaitLine("millrace_clients_left_total 0");
    }
  }

  @Test
  void countsClientsThatTakeNothing_apartFromThoseThatLeave() throws IOException {
    try (OriginServer endless = OriginServer.start(ToyOrigins.endless());
        RunningMillrace strict =
            RunningMillrace.start(settings -> settings.clientIdleTimeout(Duration.ofMillis(300)));
        RawHttp client = strict.ask(8 << 10, endless.url("/"))) {
      client.head();

      awaitLine(strict, "millrace_failures_total{reason=\"client_stalled\"} 1");
      awaitLine(strict, "millrace_clients_left_total 0");
    }
  }

  @Test
  void countsBytesWhileAStreamRuns() throws IOException {
    try (OriginServer silent = OriginServer.start(ToyOrigins.silentAfter(4_321));
        RawHttp client = proxy.ask(silent.url("/"))) {
      client.body("GET", client.head()).count(4_321);

      awaitLine("millrace_response_bytes_total 4321");
      awaitLine("millrace_active_streams 1");
      awaitLine("millrace_upstream_connections{state=\"active\"} 1");
      client.reset();
      awaitLine("millrace_clients_left_total 1");
      awaitLine("millrace_active_streams 0");
      awaitLine("millrace_response_bytes_total 4321");
      awaitLine("millrace_buffer_memory_reserved_bytes 0");
    }
  }

  @Test
  void hasNoMoreLinesAfterThousandAddresses_thanAfterOne() throws IOException {
    proxy.get(origin.url("/0?v=0"), "User-Agent: player0");
    awaitLine("millrace_requests_total{endpoint=\"stream\",method=\"GET\",status=\"2xx\"} 1");
    Await.until("scrapes are counted too", SOON, () -> scrape().toString().contains("\"metrics\""));
    int lines = scrape().size();
    for (int i = 1; i <= 1_000; i++) {
      proxy.get(origin.url("/" + i + "?v=" + i), "User-Agent: player" + i);
    }
    awaitLine("millrace_requests_total{endpoint=\"stream\",method=\"GET\",status=\"2xx\"} 1001");

    assertThat(scrape()).hasSize(lines);
  }

  @Test
  void isForThoseWhoNameThePassword_onceThereIsOne() throws IOException {
    try (RunningMillrace closed = RunningMillrace.start(settings -> settings.password("s3cret"))) {
      RawAnswer refused = closed.fetch("GET", "/metrics");

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.text()).contains("\"detail\":\"Could not validate credentials\"");
      assertThat(closed.fetch("GET", "/sessions").status()).isEqualTo(403);
      assertThat(closed.fetch("GET", "/metrics?api_password=s3cret").status()).isEqualTo(200);
      assertThat(closed.fetch("GET", "/sessions", "api_password: s3cret").status()).isEqualTo(200);
      assertThat(closed.fetch("GET", "/health/ready").status()).isEqualTo(200);
      assertThat(closed.fetch("GET", "/metrics?api_password=s3cret").text())
          .doesNotContain("s3cret");
    }
  }

  @Test
  void countsNothing_whenSwitchedOff() throws IOException {
    try (RunningMillrace silent = RunningMillrace.start(settings -> settings.withoutMetrics())) {
      assertThat(silent.count(origin.url("/v.mp4")).status()).isEqualTo(200);
      assertThat(silent.fetch("GET", "/metrics").status()).isEqualTo(501);
      assertThat(silent.fetch("GET", "/health").status()).isEqualTo(200);
    }
  }
}
