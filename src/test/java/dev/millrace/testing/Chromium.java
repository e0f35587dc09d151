package dev.millrace.testing;

import dev.millrace.testing.ExternalProgram.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A browser without a window, in which media may play without a click. */
public final class Chromium {
  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--disable-dev-shm-usage");

  private Chromium() {}

  /**
   * Shows a page until something is done.
   *
   * @param directory for its profile
   * @param log for what it writes
   */
  public static void show(Path directory, Path log, String url, Runnable meanwhile)
      throws IOException {
    String[] arguments =
        arguments(
            directory,
            "--autoplay-policy=no-user-gesture-required",
            "--remote-debugging-port=0", // else a headless one ends with the page's loading
            url);
    Process process = ExternalProgram.required("chromium").start(log, log, arguments);
    try {
      meanwhile.run();
    } finally {
      ExternalProgram.end(process);
    }
  }

  /** The document that a page has become after five seconds of its own time. */
  public static Outcome dom(Path directory, Duration atMost, String url) throws IOException {
    return ExternalProgram.required("chromium")
        .run(atMost, arguments(directory, "--virtual-time-budget=5000", "--dump-dom", url));
  }

  private static String[] arguments(Path directory, String... further) throws IOException {
    List<String> arguments = new ArrayList<>(FLAGS);
    arguments.add("--user-data-dir=" + Files.createTempDirectory(directory, "profile"));
    arguments.addAll(List.of(further));
    return arguments.toArray(String[]::new);
  }
}
