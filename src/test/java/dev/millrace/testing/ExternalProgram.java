package dev.millrace.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real client found on the PATH. A test whose program is missing is reported as aborted on a
 * developer's machine and fails where {@code CI=true}.
 */
public final class ExternalProgram {
  private final Path program;

  private ExternalProgram(Path program) {
    this.program = program;
  }

  public static ExternalProgram required(String name) {
    Optional<Path> found = find(name);
    if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new AssertionError(name + " is not installed, and CI=true demands it");
    }
    Assumptions.assumeTrue(found.isPresent(), () -> name + " is not installed");
    return new ExternalProgram(found.orElseThrow());
  }

  /**
   * One that the build has unpacked into {@code target/players}; it is for one kind of machine
   * only.
   */
  public static ExternalProgram unpacked(String name) {
    boolean fits = System.getProperty("os.name").equals("Linux");
    boolean isAmd64 = System.getProperty("os.arch").equals("amd64");
    Assumptions.assumeTrue(fits && isAmd64, () -> name + " is unpacked for linux-x86_64 only");
    Path program = Path.of("target/players/org/bytedeco/ffmpeg/linux-x86_64", name);
    if (!program.toFile().setExecutable(true)) {
      throw new AssertionError(program.toAbsolutePath() + " is not there: mvn verify unpacks it");
    }
    return new ExternalProgram(program.toAbsolutePath());
  }

  /**
   * One that npm has installed.
   *
   * @param path below {@code node_modules}
   */
  public static ExternalProgram requiredModule(String path) {
    Path program = nodeModules().resolve(path);
    boolean isThere = Files.exists(program);
    if (!isThere && "true".equals(System.getenv("CI"))) {
      throw new AssertionError(program + " is not installed, and CI=true demands it");
    }
    Assumptions.assumeTrue(isThere, () -> path + " is not installed");
    if (!program.toFile().setExecutable(true)) {
      throw new AssertionError(program + " cannot be made executable");
    }
    return new ExternalProgram(program);
  }

  /** {@code NODE_MODULES} of the environment, else where {@code .ci/run} installs them. */
  public static Path nodeModules() {
    String home = System.getProperty("user.home");
    return Path.of(
        Objects.requireNonNullElse(
            System.getenv("NODE_MODULES"), home + "/.cache/millrace/node_modules"));
  }

  /** A Python that has {@code module}: of several on the PATH the first that has. */
  public static ExternalProgram requiredPython(String module) {
    Optional<Path> found = all("python3").filter(python -> imports(python, module)).findFirst();
    if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new AssertionError("no python3 has " + module + ", and CI=true demands it");
    }
    Assumptions.assumeTrue(found.isPresent(), () -> "no python3 has " + module);
    return new ExternalProgram(found.orElseThrow());
  }

  private static boolean imports(Path python, String module) {
    try {
      Outcome outcome =
          new ExternalProgram(python).run(Duration.ofSeconds(30), "-c", "import " + module);
      return outcome.exit() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs to the end.
   *
   * @throws AssertionError if it takes longer than {@code atMost}; it is killed then
   */
  public Outcome run(Duration atMost, String... arguments) throws IOException {
    Path output = Files.createTempFile("program", ".out");
    Path errors = Files.createTempFile("program", ".err");
    try {
      Process process = start(output, errors, arguments);
      int exit = await(process, atMost, errors);
      return new Outcome(exit, text(output), text(errors));
    } finally {
      Files.deleteIfExists(output);
      Files.deleteIfExists(errors);
    }
  }

  /** Starts it in the background; the caller ends it. */
  public Process start(Path output, Path errors, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectInput(new File("/dev/null"));
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    return builder.start();
  }

  /** Ends a process and those it has started. */
  public static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private int await(Process process, Duration atMost, Path errors) throws IOException {
    try {
      if (process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      throw new AssertionError(program + " runs for more than " + atMost + ": " + text(errors));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(program + " was interrupted", e);
    } finally {
      end(process);
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static Optional<Path> find(String name) {
    return all(name).findFirst();
  }

  private static Stream<Path> all(String name) {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable);
  }

  /**
   * How a run ended.
   *
   * @param exit exit status
   * @param output standard output, UTF-8
   * @param errors standard error, UTF-8
   */
  public record Outcome(int exit, String output, String errors) {}
}
