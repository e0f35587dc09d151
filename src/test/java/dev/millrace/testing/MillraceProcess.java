package dev.millrace.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bin/millrace} of the build, as a process of its own on a free port. */
public final class MillraceProcess implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String SCRIPT =
      Path.of("target/millrace/bin/millrace").toAbsolutePath().toString();
  private static final Pattern LISTENS = Pattern.compile("listens at http://[^:]+:(\\d+)");

  private final Process process;
  private final Path log;
  private final int port;

  private MillraceProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    Await.until("a server", SOON, () -> LISTENS.matcher(log()).find());
    Matcher found = LISTENS.matcher(log());
    this.port = found.find() ? Integer.parseInt(found.group(1)) : -1;
  }

  /** Origins on loopback are allowed; {@code settings} are {@code NAME=VALUE}. */
  public static MillraceProcess start(String... settings) throws IOException {
    List<String> command = new ArrayList<>(List.of(SCRIPT, "--port", "0"));
    command.addAll(List.of("--allow-targets", "loopback"));
    for (String setting : settings) {
      command.addAll(List.of("--set", setting));
    }
    Path directory = Files.createTempDirectory("millrace-process");
    Path log = directory.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("XDG_STATE_HOME", directory.toString());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.redirectInput(new File("/dev/null"));
    Process process = builder.start();
    try {
      return new MillraceProcess(process, log);
    } catch (AssertionError e) {
      ExternalProgram.end(process);
      throw e;
    }
  }

  public int port() {
    return port;
  }

  /** The process that the start script has become. */
  public long pid() {
    return process.pid();
  }

  /** Everything it has printed so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** The exit code, once it has ended by itself. */
  public int exitCode(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("still running:\n" + log());
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    ExternalProgram.end(process);
    Path secret = log.resolveSibling("millrace").resolve("link-secret");
    for (Path left : List.of(secret, secret.getParent(), log, log.getParent())) {
      Files.deleteIfExists(left);
    }
  }
}
