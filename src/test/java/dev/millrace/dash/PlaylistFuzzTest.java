package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Playlists of MPDs whose numbers and names were exchanged: written or refused, in bounded time.
 */
final class PlaylistFuzzTest {
  private static final Pattern VALUE = Pattern.compile("\"([^\"]*)\"");
  private static final int ROUNDS = 300;
  private static final Duration AT_MOST = Duration.ofSeconds(5);
  private static final String[] VALUES = {
    "0",
    "-1",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967295",
    "1e9",
    "NaN",
    "",
    "PT0S",
    "PT0.0000001S",
    "PT9999999999999H",
    "-PT1S",
    "P100000Y",
    "99999-01-01T00:00:00Z",
    "-99999-01-01T00:00:00Z",
    "dynamic",
    "static",
    "&quot;",
    "&#10;#EXT-X-ENDLIST",
    "text/vtt",
    "$Number%09d$",
    "0-",
    "9-1",
    "wvtt"
  };

  static List<Path> cases() throws IOException {
    return PlaylistGoldenTest.cases();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isWrittenOrRefused(Path directory) throws IOException {
    String xml = Files.readString(directory.resolve("input.mpd"), UTF_8);
    SequenceTracker tracker = new SequenceTracker();
    for (int seed = 0; seed < ROUNDS; seed++) {
      String mutated = mutated(xml, new Random(seed));
      long start = System.nanoTime();
      try {
        writeAll(Written.mpd(mutated), tracker);
      } catch (ExchangeException e) {
        assertThat(e.status()).isBetween(502, 503);
      } catch (RuntimeException e) {
        throw new AssertionError(seed + ": " + mutated, e);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).as(mutated).isLessThan(AT_MOST);
    }
  }

  private static void writeAll(Mpd mpd, SequenceTracker tracker) throws ExchangeException {
    List<String> multivariant = Written.multivariant(mpd);
    Presentation presentation = Written.presentation(mpd, mpd.publishTime().orElse(Written.EPOCH));
    for (String line : multivariant) {
      if (line.startsWith("playlist/")) {
        String id = line.substring("playlist/".length());
        List<String> lines = Written.media(presentation, id, Written.options("stream"), tracker);
        assertThat(lines.get(0)).isEqualTo("#EXTM3U");
      }
    }
  }

  /** One to three attributes have another value. */
  private static String mutated(String xml, Random random) {
    String mutated = xml;
    for (int i = random.nextInt(3); i >= 0; i--) {
      List<String> values = VALUE.matcher(mutated).results().map(result -> result.group()).toList();
      String before = values.get(2 + random.nextInt(values.size() - 2));
      String after = "\"" + VALUES[random.nextInt(VALUES.length)] + "\"";
      mutated = mutated.replaceFirst(Pattern.quote(before), Matcher.quoteReplacement(after));
    }
    return mutated;
  }
}
