package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each directory is a case; {@code -Dgolden.update=true} writes what is expected. */
final class RewritingGoldenTest {
  private static final Path CASES = Path.of("src/test/resources/dev/millrace/hls/rewriting");
  private static final Rewriting REWRITING = Rewriting.at("http://up.test/m/a/b/x.m3u8?s=1");

  static List<Path> cases() throws IOException {
    try (Stream<Path> directories = Files.list(CASES)) {
      return directories.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rewrites(Path directory) throws IOException {
    String rewritten = REWRITING.ofBytes(read(directory.resolve("input.m3u8")));
    Path expected = directory.resolve("expected.m3u8");
    if (Boolean.getBoolean("golden.update")) {
      Files.write(expected, rewritten.getBytes(ISO_8859_1));
    }

    assertThat(rewritten).isEqualTo(read(expected));
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), ISO_8859_1);
  }
}
