package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names that lead elsewhere than they did (contract §19 F8), with the program as it is shipped and
 * a hosts file: what is checked is the address that is connected to, each time.
 */
@Timeout(60)
final class RebindingIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private OriginServer internal;
  private OriginServer allowed;
  private Path hosts;
  private int port;
  private Process millrace;

  @BeforeEach
  void start() throws Exception {
    internal = OriginServer.start(ToyOrigins.file(10_240));
    allowed =
        OriginServer.start(ToyOrigins.redirect("http://evil.test:" + internal.port() + "/v.mp4"));
    hosts = Files.writeString(directory.resolve("hosts"), "192.0.2.1 evil.test\n");
    port = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of("target", "millrace", "bin", "millrace").toAbsolutePath().toString(),
            "--port",
            String.valueOf(port),
            "--allow-targets",
            "127.0.0.1:" + allowed.port());
    builder.directory(directory.toFile()).redirectErrorStream(true);
    builder.redirectOutput(directory.resolve("log").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(
            "MILLRACE_JAVA_OPTS",
            "-Djdk.net.hosts.file=" + hosts + " -Dnetworkaddress.cache.ttl=0");
    millrace = builder.start();
    Await.until("the server answers", SOON, this::isUp);
  }

  @AfterEach
  void stop() throws InterruptedException {
    internal.close();
    allowed.close();
    millrace.toHandle().destroy();
    millrace.waitFor(10, TimeUnit.SECONDS);
    millrace.destroyForcibly();
  }

  private boolean isUp() {
    try {
      return RawHttp.fetch(port, "GET", "/health").status() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private RawAnswer ask(String d) throws IOException {
    return RawHttp.fetch(port, "GET", StreamLink.to(d).toString());
  }

  @Test
  void checksTheAddressEachTime_onEveryHop() throws Exception {
    String evil = "http://evil.test:" + internal.port() + "/v.mp4";
    for (String addresses : new String[] {"127.0.0.1 evil.test\n", "::1 evil.test\n"}) {
      Files.writeString(hosts, addresses);
      RawAnswer direct = ask(evil);
      assertThat(direct.status()).isEqualTo(403);
      assertThat(ErrorBody.of(direct).reason()).isEqualTo("target_refused");
      assertThat(ask(allowed.url("/a")).status()).isEqualTo(403);
    }
    assertThat(internal.acceptedConnections()).isZero();
  }

  @Test
  void connectsToTheAddressThatWasChecked_whenANameHasSeveral() throws Exception {
    Files.writeString(hosts, "192.0.2.1 evil.test\n127.0.0.1 evil.test\n10.0.0.1 evil.test\n");
    try (RawHttp client = RawHttp.connect(port)) {
      client.request("GET", StreamLink.to("http://evil.test:" + internal.port() + "/").toString());
      assertThat(client.isClosedWithin(3_000)).isFalse();
    }
    assertThat(internal.acceptedConnections()).isZero();
  }
}
