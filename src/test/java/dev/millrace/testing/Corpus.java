package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Real playlists and MPDs, collected beside the project and not part of it. A test that needs them
 * is reported as aborted on a machine that lacks them, and fails where {@code CI=true}.
 */
public final class Corpus {
  /** System property: the directory, {@code ../shared/corpus} without it. */
  public static final String DIRECTORY = "corpus.directory";

  private Corpus() {}

  public static Path directory() {
    Path directory = Path.of(System.getProperty(DIRECTORY, "../shared/corpus"));
    boolean exists = Files.isDirectory(directory);
    if (!exists && "true".equals(System.getenv("CI"))) {
      throw new AssertionError("-D" + DIRECTORY + " is no directory, and CI=true demands it");
    }
    Assumptions.assumeTrue(exists, "the corpus is not there: -D" + DIRECTORY);
    return directory;
  }

  /** All HLS playlists and channel lists, relative to the directory, in the order of names. */
  public static List<Path> playlists() {
    return Stream.of("cenc", "dash", "hls", "iptv")
        .flatMap(part -> files(part, Set.of("hls-playlist", "iptv")))
        .sorted()
        .toList();
  }

  /** All MPDs, in the same manner. */
  public static List<Path> presentations() {
    return Stream.of("cenc", "dash", "hls", "iptv")
        .flatMap(part -> files(part, Set.of("mpd")))
        .sorted()
        .toList();
  }

  private static Stream<Path> files(String part, Set<String> classes) {
    try {
      return Files.readAllLines(directory().resolve(part).resolve("SOURCES.tsv"), UTF_8).stream()
          .map(line -> line.split("\t", 3))
          .filter(row -> classes.contains(row[1]))
          .map(row -> Path.of(part, row[0]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
