package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.millrace.testing.Await;
import dev.millrace.testing.MillraceProcess;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators see of the distribution as it runs: its log, and JMX from another process. */
@Timeout(60)
class WatchedProcessIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String REQUESTS =
      "dev.millrace:name=requests,endpoint=stream,method=GET,status=2xx";

  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(10_000));

  private void play(MillraceProcess proxy) throws IOException {
    RawHttp.fetch(
        proxy.port(),
        "GET",
        StreamLink.to(origin.url("/path?signature=x")).with("api_password", "s3cret").toString());
  }

  private static List<String> accessLog(MillraceProcess proxy) {
    return proxy
        .log()
        .lines()
        .filter(line -> line.contains("dm.access"))
        .map(line -> line.replaceFirst(".*: ([0-9a-f]{16}) ", ""))
        .map(line -> line.replaceAll("ms=\\d+", "ms=#"))
        .toList();
  }

  @Test
  @SuppressWarnings("BanJNDI") // the address is of our own process
  void jmxShowsWhatIsCounted() throws Exception {
    try (MillraceProcess proxy = MillraceProcess.start()) {
      play(proxy);
      VirtualMachine machine = VirtualMachine.attach(Long.toString(proxy.pid()));
      String address = machine.startLocalManagementAgent();
      machine.detach();
      try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
        MBeanServerConnection jmx = connector.getMBeanServerConnection();
        Await.until("one request", SOON, () -> isOne(jmx));

        assertThat(jmx.getAttribute(new ObjectName("dev.millrace:name=response_bytes"), "Value"))
            .isEqualTo(10_000L);
        assertThat(
                jmx.getAttribute(new ObjectName("dev.millrace:name=response_first_byte"), "Count"))
            .isEqualTo(1L);
      }
    }
  }

  private static boolean isOne(MBeanServerConnection jmx) {
    try {
      return jmx.getAttribute(new ObjectName(REQUESTS), "Count").equals(1L);
    } catch (JMException | IOException notYet) {
      return false;
    }
  }

  @Test
  void logsALineForEveryRequest_withoutSecrets() throws Exception {
    try (MillraceProcess proxy = MillraceProcess.start("API_PASSWORD=s3cret", "HOST=127.0.0.1")) {
      play(proxy);
      RawHttp.fetch(proxy.port(), "GET", "/proxy/stream?d=http://u:hidden@h/%0d%0afake");
      RawHttp.fetch(proxy.port(), "GET", "/hidden/path%0d%0afake?hidden");
      RawHttp.fetch(proxy.port(), "POST", "/health");
      RawHttp.fetch(proxy.port(), "HEAD", "/");
      Await.until("all lines", SOON, () -> accessLog(proxy).size() == 5);

      assertThat(accessLog(proxy))
          .containsExactlyInAnyOrder(
              "127.0.0.1 GET stream origin=http://127.0.0.1:"
                  + origin.port()
                  + " status=200 bytes=10000 ms=# first_ms=# outcome=complete",
              "127.0.0.1 GET stream origin=- status=403 bytes=111 ms=# first_ms=- outcome=forbidden",
              "127.0.0.1 GET none origin=- status=404 bytes=22 ms=# first_ms=- outcome=complete",
              "127.0.0.1 POST health origin=- status=405 bytes=31 ms=# first_ms=- outcome=complete",
              "127.0.0.1 HEAD home origin=- status=200 bytes=0 ms=# first_ms=- outcome=complete");
      assertThat(proxy.log()).doesNotContain("s3cret", "hidden", "signature", "fake");
    }
  }

  @Test
  void logsNoRequests_whenToldNotTo() throws Exception {
    try (MillraceProcess proxy = MillraceProcess.start("ACCESS_LOG=off")) {
      play(proxy);
      proxy.terminate();

      assertThat(proxy.exitCode(SOON)).isZero();
      assertThat(accessLog(proxy)).isEmpty();
    }
  }
}
