package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each directory is a case: an MPD, and all of its playlists, each after a line with its address;
 * {@code -Dgolden.update=true} writes what is expected. Single files have an index of two entries.
 */
final class PlaylistGoldenTest {
  private static final Path CASES = Path.of("src/test/resources/dev/millrace/dash/playlists");
  private static final List<IndexEntry> INDEX =
      List.of(
          new IndexEntry(800, 4799, 0, 264_600, 44_100),
          new IndexEntry(4800, 6999, 264_600, 176_400, 44_100));

  static List<Path> cases() throws IOException {
    try (Stream<Path> directories = Files.list(CASES)) {
      return directories.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writes(Path directory) throws IOException {
    String written = written(Written.mpd(Files.readString(directory.resolve("input.mpd"), UTF_8)));
    Path expected = directory.resolve("expected.txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(expected, written, UTF_8);
    }

    assertThat(written).isEqualTo(Files.readString(expected, UTF_8));
  }

  private static String written(Mpd mpd) throws ExchangeException {
    List<String> multivariant = Written.multivariant(mpd);
    StringBuilder all = new StringBuilder(String.join("\n", multivariant)).append('\n');
    Instant now = mpd.publishTime().orElse(Written.EPOCH);
    Presentation presentation = new Presentation(mpd, now, PlaylistGoldenTest::index);
    List<String> ids =
        multivariant.stream()
            .filter(line -> line.contains("playlist/"))
            .map(line -> line.replaceAll(".*playlist/([^\"]*)\"?", "$1"))
            .toList();
    for (String id : ids) {
      List<String> lines = Written.media(presentation, id, Written.options("stream"));
      all.append("\nplaylist/").append(id).append('\n');
      all.append(String.join("\n", lines)).append('\n');
    }
    return all.toString();
  }

  private static List<IndexEntry> index(Representation representation) {
    Addressing.SegmentBase base = (Addressing.SegmentBase) representation.addressing();
    return base.indexRange().isPresent() ? INDEX : List.of();
  }
}
