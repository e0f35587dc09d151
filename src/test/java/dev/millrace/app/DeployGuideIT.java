package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.Guide;
import dev.millrace.testing.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/deploy.md says of jetty-home is typed, as it stands there but for places and ports. */
@Timeout(120)
class DeployGuideIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String METRICS = "/millrace/metrics";
  private static final String PASSWORD_OPTION = "-Dmillrace.API_PASSWORD=choose-one ";

  @TempDir private Path directory;

  private Process shell;
  private int port;

  private Path base() {
    return directory.resolve("base");
  }

  @AfterEach
  void stop() throws InterruptedException {
    if (shell != null) {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }
  }

  @Test
  void theCommandsForJettyHomeWork() throws IOException {
    start(commands());

    assertThat(status(METRICS)).isEqualTo(403);
    assertThat(status(METRICS, "api_password: choose-one")).isEqualTo(200);
  }

  @Test
  void contextParametersAreSetAsShown() throws IOException {
    String editing =
        "sed -i 's|</Configure>|" + parameter() + "</Configure>|' webapps/millrace.xml\n";
    start(commands().replace(PASSWORD_OPTION, "").replace("java ", editing + "java "));

    assertThat(status(METRICS)).isEqualTo(403);
    assertThat(status(METRICS, "api_password: choose-one")).isEqualTo(200);
  }

  private static String parameter() throws IOException {
    return Guide.example("deploy.md", "xml", "setInitParameter").strip();
  }

  private String commands() throws IOException {
    return Guide.example("deploy.md", "sh", "start.jar")
        .replace("/srv/millrace", base().toString())
        .replace("http.port=8080", "http.port=0");
  }

  private void start(String script) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script);
    builder.redirectErrorStream(true).redirectOutput(log().toFile());
    builder.environment().put("JETTY_HOME", jettyHome());
    builder.environment().put("XDG_STATE_HOME", directory.toString());
    shell = builder.start();
    Await.until("listening", SOON, this::isListening, this::logged);
    Await.until("served", SOON, () -> status("/millrace/health") == 200, this::logged);
  }

  private boolean isListening() {
    Matcher started = Pattern.compile("Started \\S*ServerConnector.*:(\\d+)}").matcher(logged());
    port = started.find() ? Integer.parseInt(started.group(1)) : 0;
    return port > 0;
  }

  private Path log() {
    return directory.resolve("log");
  }

  private String logged() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String jettyHome() throws IOException {
    try (Stream<Path> containers = Files.list(Path.of("target", "containers"))) {
      return containers
          .filter(container -> container.getFileName().toString().startsWith("jetty-home-"))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath()
          .toString();
    }
  }

  /** 0 if nobody listens. */
  private int status(String target, String... fields) {
    try {
      return RawHttp.fetch(port, "GET", target, fields).status();
    } catch (ConnectException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
