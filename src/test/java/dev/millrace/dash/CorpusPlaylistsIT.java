package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hls.PlaylistOutline;
import dev.millrace.hls.PlaylistText;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.Corpus;
import dev.millrace.testing.ExternalProgram;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All MPDs of the corpus as HLS, read by our own reader and by python3-m3u8. Dynamic ones are read
 * when they were published, or else when all that they list is there.
 */
final class CorpusPlaylistsIT {
  private static final Path ANSWERS =
      Path.of("src/test/resources/dev/millrace/dash/corpus/playlists.tsv");
  private static final Instant LATER = Instant.parse("2040-01-01T00:00:00Z");
  private static final BigDecimal ROUNDING = new BigDecimal("-0.002");

  @TempDir private Path directory;
  private final Map<String, String> playlists = new TreeMap<>();
  private final Map<String, String> problems = new TreeMap<>();

  @BeforeEach
  void writeAll() throws IOException {
    for (Path path : mpds()) {
      String name = path.toString().replace('/', '_');
      try (InputStream xml = Files.newInputStream(Corpus.directory().resolve(path))) {
        writeAll(name, MpdReader.read(xml, "http://o.test/" + path));
      } catch (MediaFormatException e) {
        problems.put(name, e.getMessage());
      }
    }
    for (Map.Entry<String, String> playlist : playlists.entrySet()) {
      Files.writeString(directory.resolve(playlist.getKey()), playlist.getValue(), UTF_8);
    }
  }

  private void writeAll(String name, Mpd mpd) throws MediaFormatException {
    if (mpd.periods().isEmpty()) {
      problems.put(name, "no period");
      return;
    }
    String multivariant =
        MultivariantPlaylist.text(mpd, OptionalInt.empty(), false, new Written.ShownLinks());
    playlists.put(name + ".m3u8", multivariant);
    for (String id : profileIds(multivariant)) {
      String playlist = name + "." + id.replaceAll("[^A-Za-z0-9]", "_") + ".m3u8";
      try {
        playlists.put(playlist, media(mpd, Profile.find(mpd, id).orElseThrow()));
      } catch (ExchangeException e) {
        problems.put(playlist, e.getMessage());
      }
    }
  }

  private static List<String> profileIds(String multivariant) {
    List<String> ids = new ArrayList<>();
    multivariant
        .lines()
        .filter(line -> line.startsWith("playlist/") || line.contains("URI=\"playlist/"))
        .map(line -> line.replaceAll(".*playlist/([^\"]*)\"?$", "$1"))
        .forEach(ids::add);
    return ids;
  }

  private static String media(Mpd mpd, Profile profile) throws ExchangeException {
    Instant then =
        mpd.publishTime().or(mpd::availabilityStartTime).orElse(LATER).plus(Duration.ofMinutes(1));
    try {
      return media(mpd, profile, then);
    } catch (NotYetAvailableException e) {
      return media(mpd, profile, LATER);
    }
  }

  private static String media(Mpd mpd, Profile profile, Instant now) throws ExchangeException {
    return Written.text(
        MediaPlaylist.of(
            Written.presentation(mpd, now),
            profile,
            Written.options("stream"),
            new Written.ShownLinks(),
            new SequenceTracker()));
  }

  @Test
  void refusesOnlyWhatHasAReason() throws IOException {
    assertThat(problems).isEqualTo(answers("written"));
    assertThat(playlists).hasSizeGreaterThan(600);
  }

  @Test
  void isReadByOurOwnReader() {
    for (Map.Entry<String, String> playlist : playlists.entrySet()) {
      PlaylistText.Collector collector = new PlaylistText.Collector();
      collector.append(ByteBuffer.wrap(playlist.getValue().getBytes(UTF_8)));
      PlaylistOutline outline = PlaylistOutline.of(collector.toText());
      boolean isMultivariant = playlist.getValue().contains("#EXT-X-STREAM-INF");

      assertThat(outline.isPlaylist()).isTrue();
      assertThat(outline.isMultivariant()).as(playlist.getKey()).isEqualTo(isMultivariant);
      assertThat(outline.targetDurationSeconds().isPresent()).isNotEqualTo(isMultivariant);
    }
  }

  @Test
  void isReadByPython() throws IOException {
    ExternalProgram python = ExternalProgram.requiredPython("m3u8");
    String script = "src/test/resources/dev/millrace/dash/corpus/read.py";
    ExternalProgram.Outcome outcome =
        python.run(Duration.ofMinutes(2), script, directory.toString());
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    Map<String, String> seen = new TreeMap<>();
    outcome
        .output()
        .lines()
        .map(line -> line.split("\t", 2))
        .forEach(row -> seen.put(row[0], row[1]));

    assertThat(Integer.parseInt(Objects.requireNonNull(seen.remove("segments"))))
        .isGreaterThan(10_000);
    assertThat(seen).isEqualTo(answers("python"));
  }

  /** But for the last segment, which may be short; never longer. */
  @Test
  void lastsAsLongAsItsPeriods() throws IOException {
    Map<String, String> differences = new TreeMap<>();
    for (Path path : mpds()) {
      String name = path.toString().replace('/', '_');
      Optional<Duration> length = problems.containsKey(name) ? Optional.empty() : length(path);
      for (String playlist : length.isEmpty() ? List.<String>of() : ofMpd(name)) {
        List<BigDecimal> durations = durations(Objects.requireNonNull(playlists.get(playlist)));
        BigDecimal sum = durations.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal longest = durations.stream().reduce(BigDecimal.ZERO, BigDecimal::max);
        BigDecimal missing = seconds(length.get()).subtract(sum);
        if (missing.compareTo(longest) >= 0 || missing.compareTo(ROUNDING) < 0) {
          differences.put(playlist, sum + " of " + seconds(length.get()));
        }
      }
    }

    assertThat(differences).isEqualTo(answers("length"));
  }

  private List<String> ofMpd(String name) {
    return playlists.keySet().stream()
        .filter(key -> key.startsWith(name + ".") && !key.equals(name + ".m3u8"))
        .toList();
  }

  /** Of all periods; empty if one does not say it, or the presentation is dynamic. */
  private static Optional<Duration> length(Path path) throws IOException {
    try (InputStream xml = Files.newInputStream(Corpus.directory().resolve(path))) {
      Mpd mpd = MpdReader.read(xml, "http://o.test/" + path);
      boolean isKnown = mpd.periods().stream().allMatch(period -> period.duration().isPresent());
      return mpd.isDynamic() || !isKnown
          ? Optional.empty()
          : mpd.periods().stream().flatMap(p -> p.duration().stream()).reduce(Duration::plus);
    }
  }

  private static List<BigDecimal> durations(String playlist) {
    return playlist
        .lines()
        .filter(line -> line.startsWith("#EXTINF:"))
        .map(line -> new BigDecimal(line.substring(8, line.length() - 1)))
        .toList();
  }

  private static BigDecimal seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3);
  }

  /** Of a row: who sees it, playlist, what it sees; then why that is right. */
  private static Map<String, String> answers(String reader) throws IOException {
    Map<String, String> answers = new TreeMap<>();
    Files.readAllLines(ANSWERS, UTF_8).stream()
        .map(line -> line.split("\t", 4))
        .filter(row -> row[0].equals(reader))
        .forEach(row -> answers.put(row[1], row[2]));
    return answers;
  }

  private static List<Path> mpds() throws IOException {
    try (Stream<String> rows =
        Files.lines(Corpus.directory().resolve("dash").resolve("SOURCES.tsv"), UTF_8)) {
      return rows.map(line -> line.split("\t", 3))
          .filter(row -> row[1].equals("mpd"))
          .map(row -> Path.of("dash", row[0]))
          .toList();
    }
  }
}
