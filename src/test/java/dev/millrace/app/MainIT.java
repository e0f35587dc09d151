package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the distribution that the build has just made, as a user does. */
@Timeout(60)
final class MainIT {
  private static final Path HOME = Path.of("target", "millrace").toAbsolutePath();
  private static final String SCRIPT = HOME.resolve("bin/millrace").toString();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path directory;

  private record Finished(int status, String out, String err) {}

  @Test
  void tellsItsVersion() throws Exception {
    assertThat(run(Map.of(), SCRIPT, "--version").out()).matches("millrace \\d+\\.\\d+\\S*\\R");
    assertThat(run(Map.of(), JAVA, "-jar", HOME.resolve("millrace.jar").toString(), "--version"))
        .isEqualTo(run(Map.of(), SCRIPT, "--version"));
  }

  @Test
  void explainsItself() throws Exception {
    Finished help = run(Map.of(), SCRIPT, "--help");

    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("serve", "demo", "--print-config", "--set");
    assertThat(help.err()).isEmpty();
  }

  @Test
  void runsThroughALink_fromAnyDirectory() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("proxy"), Path.of(SCRIPT));

    assertThat(run(Map.of(), link.toString(), "--version").status()).isZero();
    Files.delete(link);
  }

  @Test
  void showsWhereEverySettingComesFrom() throws Exception {
    Files.writeString(directory.resolve(".env"), "TIMEOUT=33\n");
    Map<String, String> environment =
        Map.of("API_PASSWORD", "hunter2", "MILLRACE_JAVA_OPTS", "-Dmillrace.origin_queue=7");

    Finished printed = run(environment, SCRIPT, "--print-config", "--port", "9999");

    assertThat(printed.status()).isZero();
    assertThat(printed.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "HOST default with a password 0.0.0.0",
            "PORT command line PORT 9999",
            "API_PASSWORD environment API_PASSWORD ***",
            "TIMEOUT .env TIMEOUT 33",
            "ORIGIN_QUEUE JVM property origin_queue 7");
    assertThat(printed.out() + printed.err()).doesNotContain("hunter2");
  }

  @Test
  void theConfigurationFileOfTheDistributionIsReadable() throws Exception {
    String file = HOME.resolve("conf/millrace.toml").toString();
    Path enabled = directory.resolve("enabled.toml");
    Files.writeString(
        enabled,
        Files.readString(Path.of(file))
            .replaceAll("(?m)^# (\\w+ = )", "$1")
            .replace("…", "one-of-my-own"));

    assertThat(run(Map.of(), SCRIPT, "--print-config", "--config", file).status()).isZero();
    assertThat(run(Map.of(), SCRIPT, "--print-config", "--config", enabled.toString()).err())
        .isEmpty();
  }

  @Test
  void refusesBadSettings_andTellsAllOfThem() throws Exception {
    Map<String, String> environment = Map.of("PORT", "http", "API_PASSWORD", "changeme");

    Finished refused = run(environment, SCRIPT, "serve", "--set", "TIMEOUT=soon");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("PORT", "API_PASSWORD", "TIMEOUT").doesNotContain("\tat ");
    assertThat(run(Map.of(), SCRIPT, "--prot", "1").status()).isEqualTo(2);
    assertThat(run(Map.of(), SCRIPT, "sevre").err())
        .contains("serve, demo, url, inspect or decrypt");
  }

  @Test
  void tellsThatThePortIsTaken() throws Exception {
    try (ServerSocket taken =
        new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      int port = taken.getLocalPort();

      Finished refused = run(Map.of(), SCRIPT, "--port", String.valueOf(port));

      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err())
          .contains("127.0.0.1 port " + port, "--port")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void theDemoServesItsClip_untilItIsToldToStop() throws Exception {
    Process demo = start(Map.of("API_PASSWORD", "not looked at"), SCRIPT, "demo", "--port", "0");
    try (BufferedReader out = demo.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = List.of(out.readLine(), out.readLine(), out.readLine());
      URI clip = URI.create(lines.get(2));
      HttpClient client = HttpClient.newHttpClient();

      HttpResponse<byte[]> whole =
          client.send(HttpRequest.newBuilder(clip).build(), BodyHandlers.ofByteArray());
      HttpResponse<byte[]> part =
          client.send(
              HttpRequest.newBuilder(clip).header("Range", "bytes=1000-1999").build(),
              BodyHandlers.ofByteArray());

      byte[] expected = clip();
      assertThat(lines.get(0)).startsWith("curl ").contains(clip.toString());
      assertThat(lines.get(1)).startsWith("ffplay ").contains(clip.toString());
      assertThat(whole.statusCode()).isEqualTo(200);
      assertThat(whole.headers().firstValue("Content-Type")).contains("video/mp4");
      assertThat(whole.body()).isEqualTo(expected);
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(Arrays.copyOfRange(expected, 1000, 2000));
      demo.toHandle().destroy(); // unlike Process.destroy this leaves the streams open
      assertThat(demo.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(demo.exitValue()).isZero();
      assertThat(demo.errorReader().lines()).isEmpty();
      assertThat(out.readLine()).isNull();
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void servesHttps_withACertificateOfItsOwn() throws Exception {
    Process server = start(Map.of(), SCRIPT, "serve", "--self-signed", "--port", "0");
    try (BufferedReader err = server.errorReader(StandardCharsets.UTF_8)) {
      String shown = lineWith("fingerprint", err);
      String uri = lineWith("listens at", err).replaceAll(".* ", "");

      Finished health =
          run(Map.of(), "curl", "-sSk", "--http2", "-w", "%{http_version}", uri + "/health");

      assertThat(shown).containsPattern("([0-9A-F]{2}:){31}[0-9A-F]{2}");
      assertThat(uri).startsWith("https://127.0.0.1:");
      assertThat(health.out()).as(health.err()).contains("healthy").endsWith("2");
    } finally {
      server.destroyForcibly();
    }
  }

  private static String lineWith(String text, BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(text)) {
      line = lines.readLine();
    }
    return line;
  }

  @Test
  void refusesACertificateItCannotUse() throws Exception {
    Files.writeString(directory.resolve("cert.pem"), "no certificate");
    Map<String, String> settings = Map.of("TLS_CERTIFICATE", "cert.pem", "TLS_KEY", "none.pem");

    Finished refused = run(settings, SCRIPT, "--port", "0");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("TLS_CERTIFICATE: cert.pem").doesNotContain("\tat ");
    assertThat(run(settings, SCRIPT, "--self-signed").status()).isEqualTo(2);
  }

  @Test
  void loadsNothingOfTls_whenItIsOff() throws Exception {
    Path log = directory.resolve("classes.log");
    Map<String, String> logging = Map.of("MILLRACE_JAVA_OPTS", "-Xlog:class+load=info:file=" + log);
    Process demo = start(logging, SCRIPT, "demo", "--port", "0");
    try (BufferedReader out = demo.inputReader(StandardCharsets.UTF_8)) {
      URI clip = URI.create(List.of(out.readLine(), out.readLine(), out.readLine()).get(2));
      HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(clip).build(), BodyHandlers.discarding());

      assertThat(Files.readString(log))
          .contains("dev.millrace.servlet.StreamExchange ")
          .doesNotContain(
              "org.bouncycastle", "jetty.http2.server", "jetty.http2.client", "jetty.alpn");
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void goesOnSilently_whenTheClassDataArchiveIsForAnotherJvm() throws Exception {
    Map<String, String> foreign =
        Map.of("MILLRACE_JAVA_OPTS", "-XX:SharedArchiveFile=" + HOME.resolve("millrace.jar"));

    Finished version = run(foreign, SCRIPT, "--version");

    assertThat(version.status()).isZero();
    assertThat(version.out()).startsWith("millrace ").hasLineCount(1);
    assertThat(version.err()).isEmpty();
  }

  @Test
  void usesTheClassDataArchiveOfTheBuild() throws Exception {
    Map<String, String> strict = Map.of("MILLRACE_JAVA_OPTS", "-Xshare:on");

    assertThat(run(strict, SCRIPT, "--version").status()).isZero();
  }

  private static byte[] clip() throws IOException {
    try (InputStream in = MainIT.class.getResourceAsStream("demo/clip.mp4")) {
      return in.readAllBytes();
    }
  }

  private Finished run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Process process = start(environment, command);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Finished(process.waitFor(), out, err);
  }

  /** In an empty directory, with nothing in the environment but what is named. */
  private Process start(Map<String, String> environment, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder.start();
  }
}
