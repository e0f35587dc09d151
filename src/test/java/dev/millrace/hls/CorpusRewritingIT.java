package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteBuilder;
import dev.millrace.testing.Corpus;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every playlist of the corpus, original and rewritten, as parsers of others read them. What is
 * unusable or read differently is listed with the right answer in {@code answers.tsv}.
 */
final class CorpusRewritingIT {
  private static final Duration AT_MOST = Duration.ofMinutes(2);
  private static final String PARSER =
      "/META-INF/resources/webjars/m3u8-parser/4.7.0/dist/m3u8-parser.js";
  private static final String HEX = "0123456789ABCDEF";

  @TempDir private Path directory;
  private final List<Path> playlists = Corpus.playlists();

  @BeforeEach
  void rewrite() throws IOException {
    List<String> bases = new ArrayList<>();
    for (Path path : playlists) {
      String base =
          "http://origin.invalid/a%2Fb/" + path + "?token=" + URLEncoder.encode("a/b", UTF_8);
      PlaylistRewriter rewriter =
          new PlaylistRewriter(text(path), base, Map.of(), List.of(), CorpusRewritingIT::link);
      ByteBuilder out = new ByteBuilder(1 << 16);
      while (rewriter.write(out, 1000)) {}
      Path file = directory.resolve("rewritten").resolve(path);
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(file, out.toByteArray());
      bases.add(path + "\t" + base);
    }
    Files.write(directory.resolve("list"), bases, UTF_8);
  }

  @Test
  void isComplete() {
    assertThat(playlists).hasSize(260);
  }

  @Test
  void tellsWhatIsNoPlaylist() throws IOException {
    Map<String, String> unusable = new TreeMap<>();
    for (Path path : playlists) {
      if (!PlaylistOutline.of(text(path)).isPlaylist()) {
        unusable.put(path.toString(), "no playlist");
      }
    }

    assertThat(unusable).isEqualTo(answers("outline"));
  }

  @Test
  void isReadByPythonAsBefore() throws IOException {
    ExternalProgram python = ExternalProgram.requiredPython("m3u8");

    assertSame("python", run(python, resource("compare.py").toString()));
  }

  @Test
  void isReadByM3u8ParserAsBefore() throws IOException {
    ExternalProgram node = ExternalProgram.required("node");

    assertSame("node", run(node, resource("compare.js").toString(), resource(PARSER).toString()));
  }

  private static void assertSame(String parser, Map<String, String> problems) throws IOException {
    String addresses = Objects.requireNonNull(problems.remove("addresses"));
    assertThat(problems).isEqualTo(answers(parser));
    assertThat(Integer.parseInt(addresses)).isGreaterThan(10_000);
  }

  private Map<String, String> run(ExternalProgram program, String... script) throws IOException {
    List<String> arguments = new ArrayList<>(Arrays.asList(script));
    arguments.add(Corpus.directory().toString());
    arguments.add(directory.resolve("rewritten").toString());
    arguments.add(directory.resolve("list").toString());
    Outcome outcome = program.run(AT_MOST, arguments.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    Map<String, String> problems = new TreeMap<>();
    outcome
        .output()
        .lines()
        .map(line -> line.split("\t", 2))
        .forEach(row -> problems.put(row[0], row[1]));
    return problems;
  }

  /** Of a row: who sees it, playlist, what it sees; then why that is right. */
  private static Map<String, String> answers(String reader) throws IOException {
    Map<String, String> answers = new TreeMap<>();
    Files.readAllLines(Path.of("src/test/resources/dev/millrace/hls/corpus/answers.tsv"), UTF_8)
        .stream()
        .map(line -> line.split("\t", 4))
        .filter(row -> row[0].equals(reader))
        .forEach(row -> answers.put(row[1], row[2]));
    return answers;
  }

  private Path resource(String name) throws IOException {
    Path file = directory.resolve(Path.of(name).getFileName().toString());
    String path = name.startsWith("/") ? name : "/dev/millrace/hls/corpus/" + name;
    try (InputStream in = CorpusRewritingIT.class.getResourceAsStream(path)) {
      Files.copy(Objects.requireNonNull(in, path), file);
    }
    return file;
  }

  private static PlaylistText text(Path path) throws IOException {
    PlaylistText.Collector collector = new PlaylistText.Collector();
    collector.append(ByteBuffer.wrap(Files.readAllBytes(Corpus.directory().resolve(path))));
    return collector.toText();
  }

  private static void link(
      UriKind kind, ByteBuilder uri, Map<String, String> carried, ByteBuilder out) {
    out.append("http://proxy.test/?kind=" + kind + "&d=");
    for (byte value : uri.toByteArray()) {
      if (Character.isLetterOrDigit(value) || "-._~".indexOf(value) >= 0) {
        out.append(value);
      } else {
        out.append((byte) '%');
        out.append((byte) HEX.charAt((value & 0xff) >> 4)).append((byte) HEX.charAt(value & 15));
      }
    }
  }
}
