package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The list of sessions, and what is left of those that are over. */
@Timeout(120)
class SessionsIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @AutoClose private final RunningMillrace proxy = RunningMillrace.start();

  private JsonNode sessions() {
    try {
      return ErrorBody.json(proxy.fetch("GET", "/sessions"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long bytesOfMetrics() throws IOException {
    return proxy
        .fetch("GET", "/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("millrace_response_bytes_total "))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  private RawHttp clientThatHas(OriginServer origin, int bytes) throws IOException {
    RawHttp client = proxy.ask(origin.url("/secret/path?signature=x"));
    client.body("GET", client.head()).count(bytes);
    return client;
  }

  @Test
  void tellsTheBytesOfEachClient_asMetricsDoesOfAll() throws IOException {
    try (OriginServer one = OriginServer.start(ToyOrigins.silentAfter(100_000));
        OriginServer two = OriginServer.start(ToyOrigins.silentAfter(20_000));
        OriginServer three = OriginServer.start(ToyOrigins.silentAfter(3_000));
        RawHttp first = clientThatHas(one, 100_000);
        RawHttp second = clientThatHas(two, 20_000);
        RawHttp third = clientThatHas(three, 3_000)) {
      Await.until("all bytes", SOON, () -> sessions().path("total_bytes").asLong() == 123_000);

      assertThat(sessions().path("total").asInt()).isEqualTo(3);
      assertThat(sessions().path("sessions").findValuesAsString("bytes"))
          .containsExactly("100000", "20000", "3000");
      assertThat(sessions().path("sessions").findValuesAsString("origin"))
          .containsExactly(one.url(""), two.url(""), three.url(""));
      assertThat(bytesOfMetrics()).isEqualTo(123_000);
      assertThat(List.of(first, second, third)).noneMatch(SessionsIT::isClosed);
    }
  }

  @Test
  void tellsWhoAndHowFast_andNoSecrets() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(5_000));
        RawHttp client = clientThatHas(origin, 5_000)) {
      JsonNode session = sessions().path("sessions").path(0);

      assertThat(session.path("client").asString()).isEqualTo("127.0.0.1");
      assertThat(session.path("route").asString()).isEqualTo("stream");
      assertThat(session.path("state").asString()).isEqualTo("streaming");
      assertThat(session.path("start").asString()).matches("20\\d\\d-.*Z");
      assertThat(session.path("bytes_per_second").asLong()).isPositive();
      assertThat(sessions().toString()).doesNotContain("secret", "signature");
      assertThat(isClosed(client)).isFalse();
    }
  }

  @Test
  void nothingIsLeftOfTwoThousandShortSessions() throws Exception {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_000))) {
      play(origin, 200);
      long files = openFiles();
      int threads = Thread.activeCount();
      play(origin, 2_000);
      Await.until("no session", SOON, () -> sessions().path("total").asInt() == 0);

      assertThat(sessions().path("total_bytes").asLong()).isEqualTo(2_200L * 10_000);
      Await.until("files back at " + files, SOON, () -> openFiles() <= files + 20);
      Await.until("threads back at " + threads, SOON, () -> Thread.activeCount() <= threads + 8);
      assertThat(proxy.fetch("GET", "/metrics").text())
          .contains("millrace_buffer_memory_reserved_bytes 0\n", "millrace_gate_origins 0\n");
    }
  }

  private void play(OriginServer origin, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      RawAnswer answer = proxy.fetch("GET", StreamLink.to(origin.url("/" + i)));
      assertThat(answer.bytes()).hasSize(10_000);
    }
  }

  private static boolean isClosed(RawHttp client) {
    try {
      return client.isClosedWithin(1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long openFiles() {
    try {
      Object count =
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(
                  new ObjectName("java.lang:type=OperatingSystem"), "OpenFileDescriptorCount");
      return (Long) count;
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }
}
