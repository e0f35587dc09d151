package dev.millrace.cenc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.SampleEntry;
import dev.millrace.mp4.TopLevel;
import dev.millrace.mp4.TrackEncryption;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.Corpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The initialization segments of real files (or the files that begin with one). */
final class InitCorpusTest {
  private static final Pattern CLAIM =
      Pattern.compile("(entries|scheme|default_KID|iv_size)=([^;(]+)");
  private static final List<String> PROTECTION =
      List.of("pssh", "sinf", "encv", "enca", "tenc", "schm");

  private record Row(String file, String type, String exercises) {
    @Override
    public String toString() {
      return file;
    }
  }

  private static Stream<Row> rows(String type) throws IOException {
    return Files.readAllLines(Corpus.directory().resolve("cenc/SOURCES.tsv"), UTF_8).stream()
        .map(line -> line.split("\t", -1))
        .map(row -> new Row(row[0], row[1], row[7]))
        .filter(row -> row.type().equals(type))
        .filter(row -> row.exercises().contains("entries="));
  }

  private static Stream<Row> clear() throws IOException {
    return rows("mp4-clear");
  }

  /** Beside DASH manifests and playlists; none of them is encrypted. */
  private static List<Path> others() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String part : List.of("dash", "hls")) {
      try (Stream<Path> files = Files.walk(Corpus.directory().resolve(part))) {
        files.filter(file -> file.toString().matches(".*\\.(mp4|m4s)")).forEach(found::add);
      }
    }
    found.removeIf(file -> !hasMovie(file));
    return found;
  }

  private static boolean hasMovie(Path file) {
    try {
      return TopLevel.boxes(Files.readAllBytes(file)).size() > 1;
    } catch (MediaFormatException e) {
      return false; // a segment
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Row> encrypted() throws IOException {
    return rows("mp4-encrypted");
  }

  private static byte[] bytes(Row row) throws IOException {
    Path file = Corpus.directory().resolve("cenc").resolve(row.file());
    return Files.readAllBytes(file);
  }

  /** A movie box as text; types can be looked for in it. */
  private static String movie(byte[] file) throws Exception {
    int at = 0;
    while (true) {
      Box box = Box.at(file, at, file.length);
      if (box.type() == FourCc.of("moov")) {
        return new String(file, at, box.end() - at, ISO_8859_1);
      }
      at = box.end();
    }
  }

  @ParameterizedTest
  @MethodSource("clear")
  void leavesClearOnes_bitByBit(Row row) throws Exception {
    byte[] file = bytes(row);

    assertThat(InitSegmentReader.read(file).isProtected()).isFalse();
    assertThat(InitSegmentCleaner.clean(file, false)).isEqualTo(file);
    assertThat(InitSegmentCleaner.clean(file, true)).isEqualTo(file);
  }

  @ParameterizedTest
  @MethodSource("others")
  void leavesClearOnes_besideManifests(Path path) throws Exception {
    byte[] file = Files.readAllBytes(path);

    assertThat(InitSegmentReader.read(file).tracks()).isNotEmpty();
    assertThat(InitSegmentCleaner.clean(file, false)).isEqualTo(file);
  }

  @ParameterizedTest
  @MethodSource("encrypted")
  void readsEncryptedOnes(Row row) throws Exception {
    InitSegment init = InitSegmentReader.read(bytes(row));

    Matcher claims = CLAIM.matcher(row.exercises());
    while (claims.find()) {
      String found =
          switch (claims.group(1)) {
            case "entries" -> joined(init, entry -> FourCc.text(entry.type()));
            case "scheme" -> protections(init, e -> FourCc.text(e.scheme()));
            case "default_KID" ->
                protections(init, e -> HexFormat.of().formatHex(e.protection().kid()));
            default -> protections(init, e -> Integer.toString(e.protection().ivSize()));
          };
      assertThat(found).as(claims.group(1)).isEqualTo(claims.group(2).strip());
    }
  }

  @ParameterizedTest
  @MethodSource("encrypted")
  void cleansEncryptedOnes_inBothLayouts(Row row) throws Exception {
    byte[] file = bytes(row);
    byte[] inPlace = InitSegmentCleaner.clean(file, false);
    byte[] compact = InitSegmentCleaner.clean(file, true);

    assertThat(inPlace).hasSameSizeAs(file);
    assertThat(compact).hasSameSizeAs(file);
    for (byte[] clean : List.of(inPlace, compact)) {
      assertThat(movie(clean)).doesNotContain(PROTECTION);
      assertThat(InitSegmentReader.read(clean).isProtected()).isFalse();
      assertThat(formats(clean)).isEqualTo(formats(file));
    }
  }

  private static String formats(byte[] file) throws Exception {
    return joined(InitSegmentReader.read(file), entry -> FourCc.text(entry.format()));
  }

  private static String joined(InitSegment init, Function<SampleEntry, String> text) {
    return init.tracks().stream()
        .flatMap(track -> track.entries().stream())
        .map(text)
        .collect(Collectors.joining("+"));
  }

  private static String protections(InitSegment init, Function<TrackEncryption, String> text) {
    return init.tracks().stream()
        .flatMap(track -> track.entries().stream())
        .flatMap(entry -> entry.encryption().stream())
        .map(text)
        .distinct()
        .collect(Collectors.joining("+"));
  }
}
