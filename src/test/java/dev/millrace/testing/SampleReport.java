package dev.millrace.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which samples are in an MP4 file, as {@code samples.py} sees it: a reader that shares nothing
 * with ours.
 *
 * @param tracks the samples of each track in their order
 */
public record SampleReport(Map<Long, List<Sample>> tracks) {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

  public SampleReport {
    tracks = new TreeMap<>(tracks);
  }

  /**
   * Of a file that is in memory.
   *
   * @param file initialization segment and media, or a progressive file
   */
  public static SampleReport of(byte[] file) throws IOException {
    Path copy = Files.createTempFile("samples", ".mp4");
    try {
      Files.write(copy, file);
      return of(copy);
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /**
   * Of files.
   *
   * @param files read as one, in their order
   */
  public static SampleReport of(Path... files) throws IOException {
    Path script = Files.createTempFile("samples", ".py");
    try (InputStream text = SampleReport.class.getResourceAsStream("samples.py")) {
      Files.write(script, text.readAllBytes());
      String[] arguments =
          Stream.concat(Stream.of(script), Arrays.stream(files))
              .map(Path::toString)
              .toArray(String[]::new);
      ExternalProgram.Outcome outcome =
          ExternalProgram.required("python3").run(LONG_ENOUGH, arguments);
      if (outcome.exit() != 0) {
        throw new AssertionError(outcome.errors());
      }
      return parse(outcome.output());
    } finally {
      Files.deleteIfExists(script);
    }
  }

  /** Of all tracks, whatever their ids: those of a copy may differ. */
  public List<List<Sample>> inOrder() {
    return List.copyOf(tracks.values());
  }

  /** How many samples there are. */
  public int size() {
    return tracks.values().stream().mapToInt(List::size).sum();
  }

  private static SampleReport parse(String output) {
    return new SampleReport(
        output
            .lines()
            .map(line -> line.split("\t"))
            .collect(
                Collectors.groupingBy(
                    row -> Long.valueOf(row[0]),
                    Collectors.mapping(
                        row -> new Sample(Integer.parseInt(row[1]), row[2]),
                        Collectors.toList()))));
  }

  /**
   * One sample.
   *
   * @param size in bytes
   * @param md5 of its bytes, 32 hexadecimal digits
   */
  public record Sample(int size, String md5) {}
}
