package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Corpus;
import dev.millrace.testing.CutMovie;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SampleReport;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Encrypted files of the corpus, cut into segments, through the routes; samples by another. */
@Timeout(120)
class MpdSegmentCorpusIT {
  private static final Map<String, Script> FILES = new ConcurrentHashMap<>();

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose
  private static final OriginServer ORIGIN =
      OriginServer.start(
          exchange ->
              FILES
                  .getOrDefault(exchange.request().path(), ToyOrigins.status(404))
                  .answer(exchange));

  /** File, keys, and the clear original, all in the corpus. */
  record Row(String file, String keys, Path golden) {
    @Override
    public String toString() {
      return file;
    }
  }

  private static Path root() {
    return Corpus.directory().resolve("cenc");
  }

  static List<Row> rows() throws IOException {
    return Files.readAllLines(root().resolve("SOURCES.tsv"), UTF_8).stream()
        .map(line -> line.split("\t", -1))
        .filter(row -> row[1].equals("mp4-encrypted") && row[8].matches("\\w{32}:\\w{32}"))
        .filter(row -> row[9].matches("samples equal made/clear/\\w+\\.mp4"))
        .map(row -> new Row(row[0], row[8], root().resolve(row[9].substring(14))))
        .toList();
  }

  @Test
  void hasEnoughRows() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(12);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void hasTheSamplesOfItsOriginal(Row row) throws IOException {
    CutMovie movie = CutMovie.of(Files.readAllBytes(root().resolve(row.file())));
    byte[] clear = clear(movie, row.keys());
    assertThat(SampleReport.of(clear).inOrder()).isEqualTo(SampleReport.of(row.golden()).inOrder());
  }

  private static byte[] clear(CutMovie movie, String keys) throws IOException {
    FILES.put("/init", ToyOrigins.content(movie.init(), "video/mp4"));
    List<byte[]> parts = new ArrayList<>();
    String nonce = "?" + System.nanoTime();
    parts.add(get(MpdLink.init(ORIGIN.url("/init" + nonce)), keys).bytes());
    for (int i = 0; i < movie.fragments().size(); i++) {
      FILES.put("/" + i, ToyOrigins.content(movie.fragments().get(i), "video/mp4"));
      RawAnswer answer =
          get(
              MpdLink.segment(ORIGIN.url("/" + i + nonce))
                  .with("init_url", ORIGIN.url("/init" + nonce))
                  .with("use_map", "true"),
              keys);
      assertThat(answer.bytes()).hasSameSizeAs(movie.fragments().get(i));
      parts.add(answer.bytes());
    }
    return CutMovie.joined(parts.toArray(byte[][]::new));
  }

  private static RawAnswer get(MpdLink link, String keys) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link.with("key", keys).toString());
    assertThat(answer.status()).isEqualTo(200);
    return answer;
  }

  /** Pictures and sound have keys of their own; the request has both. */
  @ParameterizedTest
  @MethodSource("twoKeys")
  void choosesAmongTwoKeys(String track) throws IOException {
    Path directory = root().resolve("made/hls-dash-2keys-cenc");
    List<byte[]> fragments = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      fragments.add(Files.readAllBytes(directory.resolve(track + "-" + i + ".m4s")));
    }
    byte[] init = Files.readAllBytes(directory.resolve(track + "-init.mp4"));
    String keys =
        "c0ffee00112233445566778899aabb0a:11223344556677889900aabbccddeeff,"
            + "c0ffee00112233445566778899aabb0b:ffeeddccbbaa99887766554433221100";
    byte[] clear = clear(new CutMovie(init, fragments), keys);
    Path golden = root().resolve("made/clear").resolve(track.equals("a") ? "aac.mp4" : "hevc.mp4");
    assertThat(SampleReport.of(clear).inOrder()).isEqualTo(SampleReport.of(golden).inOrder());
  }

  static Stream<String> twoKeys() {
    return Stream.of("a", "v");
  }
}
