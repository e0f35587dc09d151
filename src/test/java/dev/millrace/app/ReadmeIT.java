package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What README says can be typed is typed, as it stands there. */
@Timeout(120)
class ReadmeIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;

  static List<String> examples() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("README.md"))) {
      return lines
          .filter(line -> line.matches("([A-Z_]+=\\S+ )?bin/millrace.*"))
          .map(line -> line.replaceFirst("\\s+#.*", ""))
          .toList();
    }
  }

  private Process type(String line) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec env " + line);
    builder.directory(Path.of("target", "millrace").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("XDG_STATE_HOME", directory.toString());
    if (!line.contains("--port")) {
      builder.environment().put("PORT", "0"); // another server may hold the usual one
    }
    builder.redirectErrorStream(true);
    builder.redirectOutput(directory.resolve("output").toFile());
    return builder.start();
  }

  private String output() {
    try {
      return Files.readString(directory.resolve("output"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void hasExamples() throws IOException {
    assertThat(examples()).hasSizeGreaterThan(3);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void worksAsWritten(String line) throws IOException, InterruptedException {
    Process process = type(line);
    try {
      Await.until(
          "an end or a server", SOON, () -> !process.isAlive() || output().contains("listens at"));
      if (process.isAlive()) {
        process.destroy();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(process.exitValue()).as(output()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
