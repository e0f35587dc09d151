package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Corpus;
import dev.millrace.testing.ExternalProgram;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real media playlists with times left out. */
final class CorpusFiltersIT {
  private static final Filtered SKIPPING = Filtered.skipping("3-9,21.5-30");
  private static final Filtered AS_IT_IS = new Filtered(PlaylistFilters.NONE);

  /**
   * Segments of each playlist as it was and as it is. Of those that the parser refuses as they
   * were, or in which it finds other segments than players do, nothing is asked.
   */
  private static final String COUNT_SEGMENTS =
      """
      import sys, m3u8

      def count(name):
          with open(name, encoding="utf-8") as file:
              return len([segment for segment in m3u8.loads(file.read()).segments if segment.uri])

      for name in sys.argv[1:]:
          try:
              before = count(name + ".original")
          except Exception:
              print("refused")
              continue
          print(before, count(name))
      """;

  @Test
  void playsTheSame_butForWhatIsLeftOut() throws IOException {
    int compared = 0;
    for (Path path : Corpus.playlists()) {
      PlaylistText text = text(path);
      if (isFiltered(text)) {
        List<Played> before = Played.in(AS_IT_IS.of(text).toString());
        List<Played> after = Played.in(SKIPPING.of(text).toString());
        assertThat(after.stream().map(Played::atAnyTime))
            .as(path.toString())
            .containsExactlyElementsOf(
                before.stream().filter(s -> !isSkipped(s)).map(Played::atAnyTime).toList());
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(80);
  }

  @Test
  void isReadByOthers(@TempDir Path directory) throws IOException {
    ExternalProgram python = ExternalProgram.requiredPython("m3u8");
    List<String> arguments = new ArrayList<>(List.of("-c", COUNT_SEGMENTS));
    List<String> expected = new ArrayList<>();
    for (Path path : Corpus.playlists()) {
      PlaylistText text = text(path);
      if (isFiltered(text)) {
        String written = SKIPPING.of(text).toString();
        Path file = directory.resolve(arguments.size() + ".m3u8");
        Files.writeString(file, written);
        Files.copy(Corpus.directory().resolve(path), Path.of(file + ".original"));
        arguments.add(file.toString());
        int before = Played.in(AS_IT_IS.of(text).toString()).size();
        expected.add(before + " " + Played.in(written).size());
      }
    }
    ExternalProgram.Outcome outcome =
        python.run(Duration.ofMinutes(2), arguments.toArray(String[]::new));

    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    List<String> counts = outcome.output().lines().toList();
    assertThat(counts).hasSameSizeAs(expected);
    int judged = 0;
    for (int i = 0; i < counts.size(); i++) {
      String before = expected.get(i).split(" ", 2)[0];
      if (counts.get(i).startsWith(before + " ")) {
        assertThat(counts.get(i)).as(arguments.get(i + 2)).isEqualTo(expected.get(i));
        judged++;
      }
    }
    assertThat(judged).isGreaterThan(counts.size() - 8);
  }

  @Test
  void endsWithEveryFilter() throws IOException {
    for (Path path : Corpus.playlists()) {
      PlaylistText text = text(path);
      int plain = AS_IT_IS.of(text).length();

      assertThat(Filtered.clearedAndSkipping("3-9").of(text).length()).isLessThan(9 * plain + 500);
      assertThat(Filtered.choosing(VariantChoice.greatest()).of(text).length())
          .isLessThanOrEqualTo(plain + 50);
    }
  }

  private static boolean isSkipped(Played segment) {
    return segment.overlaps(new BigDecimal(3), new BigDecimal(9))
        || segment.overlaps(new BigDecimal("21.5"), new BigDecimal(30));
  }

  /** Only those whose clock begins somewhere; what is broken on purpose is not judged. */
  private static boolean isFiltered(PlaylistText text) {
    PlaylistOutline outline = PlaylistOutline.of(text);
    boolean isMedia = outline.isPlaylist() && !outline.isMultivariant();
    try {
      return isMedia
          && !outline.isChannelList()
          && !outline.isLive()
          && !AS_IT_IS.of(text).toString().contains("#EXT-X-SKIP")
          && !Played.in(AS_IT_IS.of(text).toString()).isEmpty();
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static PlaylistText text(Path path) throws IOException {
    PlaylistText.Collector collector = new PlaylistText.Collector();
    collector.append(ByteBuffer.wrap(Files.readAllBytes(Corpus.directory().resolve(path))));
    return collector.toText();
  }
}
