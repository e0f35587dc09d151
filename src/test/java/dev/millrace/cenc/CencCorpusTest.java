package dev.millrace.cenc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mp4.InitSegment;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.SampleReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every encrypted file of the corpus that there is a key for. */
class CencCorpusTest {
  private static final int ROWS = 96;

  static Stream<CencCorpus.Film> films() {
    return CencCorpus.films();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("films")
  void hasTheSamplesOfItsOriginal(CencCorpus.Film film) throws IOException {
    byte[] coded = film.bytes();
    byte[] clear = decrypted(film, coded).clear();
    assertThat(clear).hasSameSizeAs(coded);
    SampleReport report = SampleReport.of(clear);
    assertThat(report.size()).isEqualTo(SampleReport.of(coded).size());
    if (film.golden().isPresent()) {
      assertThat(report.inOrder()).isEqualTo(SampleReport.of(film.goldenBytes()).inOrder());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("films")
  void isTheSame_whateverTheChunks(CencCorpus.Film film) throws IOException {
    byte[] coded = film.bytes();
    DecryptionOptions options = DecryptionOptions.of(film.keys());
    byte[] clear = decrypted(film, coded).clear();
    int mostAllowed = largestMovieBox(coded) + (64 << 10);
    Random random = new Random(film.name().hashCode());
    Stream.of(
            Decryption.of(options, InitSegment.EMPTY, coded, at -> 1),
            Decryption.of(options, InitSegment.EMPTY, coded, at -> 16_384),
            Decryption.of(options, InitSegment.EMPTY, coded, at -> 1 + random.nextInt(70_000)))
        .forEach(
            other -> {
              assertThat(other.failure()).isNull();
              assertThat(other.bytes()).isEqualTo(clear);
              assertThat(other.mostHeld()).isLessThanOrEqualTo(mostAllowed);
            });
  }

  /** Where there is no original, a decoder must find no fault. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("films")
  void isDecodedWithoutErrors(CencCorpus.Film film, @TempDir Path directory) throws IOException {
    if (film.golden().isPresent()) {
      return;
    }
    Path clear = directory.resolve("clear.mp4");
    Files.write(clear, decrypted(film, film.bytes()).clear());
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg")
            .run(
                Duration.ofSeconds(60),
                ("-v error -xerror -i " + clear + " -map 0 -f null -").split(" "));
    assertThat(outcome.errors()).isEmpty();
    assertThat(outcome.exit()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("films")
  void isAsLong_whenCompact(CencCorpus.Film film) throws IOException {
    byte[] coded = film.bytes();
    DecryptionOptions compact =
        new DecryptionOptions(
            film.keys(), 0, false, true, false, false, java.util.Optional.empty());
    byte[] clear = Decryption.whole(compact, InitSegment.EMPTY, coded).clear();
    assertThat(clear).hasSameSizeAs(coded);
    assertThat(SampleReport.of(clear)).isEqualTo(SampleReport.of(decrypted(film, coded).clear()));
  }

  @Test
  void isOfAllRowsWithAKey() {
    assertThat(CencCorpus.rowsWithKeys()).isEqualTo(ROWS);
    long covered = CencCorpus.films().mapToLong(film -> film.files().size()).sum();
    assertThat(covered).isGreaterThanOrEqualTo(ROWS);
  }

  private static Decryption decrypted(CencCorpus.Film film, byte[] coded) {
    return Decryption.whole(DecryptionOptions.of(film.keys()), InitSegment.EMPTY, coded);
  }

  private static int largestMovieBox(byte[] file) {
    int largest = 0;
    ByteBuffer boxes = ByteBuffer.wrap(file);
    for (int at = 0; at + 8 <= file.length; at += boxes.getInt(at)) {
      String type = new String(file, at + 4, 4, java.nio.charset.StandardCharsets.ISO_8859_1);
      if (type.equals("moov") || type.equals("moof")) {
        largest = Math.max(largest, boxes.getInt(at));
      }
    }
    return largest;
  }
}
