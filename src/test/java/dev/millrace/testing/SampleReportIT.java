package dev.millrace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.SampleReport.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader that judges ours is itself judged: by what another program finds in clear files. */
final class SampleReportIT {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

  private static Stream<Path> clearFiles() throws IOException {
    Path directory = Corpus.directory().resolve("cenc");
    return Files.readAllLines(directory.resolve("SOURCES.tsv"), UTF_8).stream()
        .map(line -> line.split("\t", -1))
        .filter(row -> row[1].equals("mp4-clear") && row[7].contains("entries="))
        .map(row -> directory.resolve(row[0]));
  }

  @ParameterizedTest
  @MethodSource("clearFiles")
  void findsTheSamplesThatFfprobeFinds(Path file) throws Exception {
    List<Sample> samples = SampleReport.of(file).inOrder().stream().flatMap(List::stream).toList();

    assertThat(samples).containsExactlyInAnyOrderElementsOf(packets(file));
  }

  private static List<Sample> packets(Path file) throws IOException {
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffprobe")
            .run(
                LONG_ENOUGH,
                "-v",
                "error",
                "-ignore_editlist",
                "1",
                "-show_packets",
                "-show_data_hash",
                "MD5",
                "-show_entries",
                "packet=size,data_hash",
                "-of",
                "csv=p=0",
                file.toString());
    return outcome
        .output()
        .lines()
        .map(line -> line.split(","))
        .filter(row -> row.length >= 2) // others are side data
        .map(row -> new Sample(Integer.parseInt(row[0]), row[1].replace("MD5:", "")))
        .toList();
  }
}
