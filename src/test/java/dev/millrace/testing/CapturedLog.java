package dev.millrace.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What this process writes to standard error, where the log goes, until it is closed. */
public final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private CapturedLog() {}

  public static CapturedLog start() {
    CapturedLog captured = new CapturedLog();
    System.setErr(new PrintStream(captured.log, true, StandardCharsets.UTF_8));
    return captured;
  }

  public String text() {
    return log.toString(StandardCharsets.UTF_8);
  }

  public List<String> lines() {
    return text().lines().toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
