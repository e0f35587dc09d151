package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.MillraceProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The secret in the state directory, as the distribution keeps it. */
@Timeout(120)
final class LinkSecretIT {
  private static final String SCRIPT =
      Path.of("target/millrace/bin/millrace").toAbsolutePath().toString();

  @TempDir private Path directory;

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(SCRIPT));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--set", "API_PASSWORD=a long password"));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("XDG_STATE_HOME", directory.resolve("home").toString());
    return builder.start();
  }

  private static String output(Process process) throws Exception {
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  @Test
  void isMadeAtTheFirstStart_andSealsTheSameAfterwards() throws Exception {
    Path state = directory.resolve("state");
    String setting = "STATE_DIR=" + state;
    try (MillraceProcess server = MillraceProcess.start("API_PASSWORD=a long password", setting)) {
      String secret = Files.readString(state.resolve("link-secret")).strip();

      assertThat(secret).hasSize(43);
      assertThat(server.log()).doesNotContain(secret, "a long password");
    }
    String link = output(start("url", "--set", setting, "http://h/"));
    assertThat(link).contains("/_token_v2.");
    assertThat(output(start("url", "--set", setting, "http://h/"))).isEqualTo(link);
  }

  @Test
  void isKeptAtHome_unlessToldOtherwise() throws Exception {
    assertThat(output(start("url", "http://h/"))).contains("/_token_v2.");

    assertThat(directory.resolve("home/millrace/link-secret")).isRegularFile();
  }

  @Test
  void isNotTouched_withoutAPassword() throws Exception {
    Path state = directory.resolve("state");

    MillraceProcess.start("STATE_DIR=" + state).close();

    assertThat(state).doesNotExist();
  }

  @Test
  void isTheSameForAllWhoStartAtOnce() throws Exception {
    List<Process> processes = new ArrayList<>();
    String setting = "STATE_DIR=" + directory.resolve("state");
    while (processes.size() < 4) {
      processes.add(start("url", "--set", setting, "http://h/"));
    }
    List<String> links = new ArrayList<>();
    for (Process process : processes) {
      links.add(output(process));
    }

    assertThat(links).allMatch(link -> link.contains("/_token_v2.")).containsOnly(links.get(0));
  }

  @Test
  void keepsTheServerFromStarting_ifItsChosenPlaceCannotBeUsed() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");

    Process server = start("serve", "--port", "0", "--set", "STATE_DIR=" + file);

    String problem = new String(server.getErrorStream().readAllBytes(), UTF_8);
    assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).isEqualTo(Main.BAD_USAGE);
    assertThat(problem)
        .contains(
            "Millrace cannot start with these settings:\n  STATE_DIR: " + file + " cannot be used");
  }

  @Test
  void isOfOneRun_ifNobodyChoseThePlaceAndItCannotBeUsed() throws Exception {
    Files.writeString(directory.resolve("home"), "a file");

    Process server = start("serve", "--port", "0", "--host", "127.0.0.1");
    try (BufferedReader log = server.errorReader(UTF_8)) {
      List<String> warnings = new ArrayList<>();
      String line = log.readLine();
      while (line != null && !line.contains("listens at")) {
        warnings.add(line);
        line = log.readLine();
      }

      assertThat(line).contains("listens at");
      assertThat(warnings)
          .filteredOn(warning -> warning.contains("Links that are made now end with this run"))
          .singleElement()
          .asString()
          .contains("cannot be used", "STATE_DIR", "LINK_SECRET");
    } finally {
      ExternalProgram.end(server);
    }
  }

  @Test
  void makesNoLinkWithASecretOfOneRun() throws Exception {
    Files.writeString(directory.resolve("home"), "a file");

    Process link = start("url", "http://h/");

    String problem = new String(link.getErrorStream().readAllBytes(), UTF_8);
    assertThat(output(link)).isEmpty();
    assertThat(problem).contains("cannot be used", "STATE_DIR", "LINK_SECRET");
  }
}
