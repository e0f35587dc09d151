package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
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

/** A name that does not resolve (N13), with the program as it is shipped and a hosts file. */
@Timeout(60)
final class NameRecoveryIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;

  private OriginServer origin;
  private Path hosts;
  private int port;
  private Process millrace;

  @BeforeEach
  void start() throws Exception {
    origin = OriginServer.start(ToyOrigins.file(10_240));
    hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n");
    port = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of("target", "millrace", "bin", "millrace").toAbsolutePath().toString(),
            "--port",
            String.valueOf(port),
            "--allow-targets",
            "loopback");
    builder.directory(directory.toFile()).redirectErrorStream(true);
    builder.redirectOutput(directory.resolve("log").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MILLRACE_JAVA_OPTS", "-Djdk.net.hosts.file=" + hosts);
    millrace = builder.start();
    Await.until("the server answers", SOON, () -> status("127.0.0.1") == 200);
  }

  @AfterEach
  void stop() throws InterruptedException {
    origin.close();
    millrace.toHandle().destroy();
    millrace.waitFor(10, TimeUnit.SECONDS);
    millrace.destroyForcibly();
  }

  @Test
  void recovers_whenTheNameResolvesLater() throws Exception {
    RawAnswer unknown = ask("nx.test");
    int ofAnother = status("127.0.0.1");
    Files.writeString(hosts, "127.0.0.1 localhost nx.test\n");

    assertThat(unknown.status()).isEqualTo(502);
    assertThat(unknown.text()).contains("dns_failed");
    assertThat(ofAnother).isEqualTo(200);
    Await.until("the name is asked for again", SOON, () -> status("nx.test") == 200);
  }

  private RawAnswer ask(String host) throws IOException {
    String d = "http://" + host + ":" + origin.port() + "/v.mp4";
    return RawHttp.fetch(port, "GET", StreamLink.to(d).toString());
  }

  /** 0 if nobody listens. */
  private int status(String host) {
    try {
      return ask(host).status();
    } catch (ConnectException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }
}
