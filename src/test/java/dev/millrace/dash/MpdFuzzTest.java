package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.MediaFormatException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Mutated MPDs are read and planned, or refused by the one exception. Seconds: {@code
 * -Dfuzz.seconds=}, seed: {@code -Dfuzz.seed=}; a failure names the seed of its one document.
 */
class MpdFuzzTest {
  private static final List<String> WORDS =
      List.of(
          "-1",
          "0",
          "2305843009213693951",
          "99999999999999999999",
          "1e9",
          "INF",
          "",
          "$",
          "$$",
          "$Number$",
          "$Time%09d$",
          "PT",
          "PT0S",
          "PT1S",
          "P9999D",
          "-PT1S",
          "static",
          "dynamic",
          "?",
          "../",
          "//",
          "#",
          "&#0;",
          "&amp;",
          "&x;",
          "<",
          ">",
          "'",
          "]]>",
          "<!--",
          "<![CDATA[",
          "<S d='1' r='-1'/>",
          "<BaseURL>a</BaseURL>",
          "</Period>",
          "<Period>",
          "</SegmentTimeline>",
          "<SegmentTemplate/>",
          "<!DOCTYPE x>",
          "xmlns=''",
          "1-",
          "5-1",
          "\u0000",
          "ü");
  private static final String SEED_DOCUMENT =
      "<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011' type='dynamic'"
          + " availabilityStartTime='2026-01-01T00:00:00Z' timeShiftBufferDepth='PT60S'"
          + " mediaPresentationDuration='PT100S'><BaseURL>a/</BaseURL><Period id='1' start='PT0S'"
          + " duration='PT50S'><AdaptationSet id='1' mimeType='video/mp4' lang='en'><Role"
          + " schemeIdUri='urn:mpeg:dash:role:2011' value='main'/><ContentProtection"
          + " schemeIdUri='urn:x' cenc:default_KID='43215678-1234-1234-1234-123456789012'/>"
          + "<SegmentTemplate timescale='10' presentationTimeOffset='5' startNumber='1'"
          + " endNumber='90' initialization='$RepresentationID$.mp4' media='$Number%05d$-$Time$'"
          + " availabilityTimeOffset='1.5'><SegmentTimeline><S t='0' d='20' r='4' n='3' k='2'/>"
          + "<S d='30' r='-1'/></SegmentTimeline></SegmentTemplate><Representation id='v'"
          + " bandwidth='1000' frameRate='30000/1001' codecs='avc1.64001f' width='9' height='9'/>"
          + "<Representation id='w'><BaseURL>w.mp4</BaseURL><SegmentBase indexRange='9-99'>"
          + "<Initialization range='0-8'/></SegmentBase></Representation></AdaptationSet></Period>"
          + "<Period><AdaptationSet contentType='audio'><Representation id='l'><SegmentList"
          + " duration='4'><SegmentURL media='a' mediaRange='0-9'/><SegmentURL media='b'/>"
          + "</SegmentList></Representation><Representation id='t'><SegmentTemplate duration='2'"
          + " media='$Number$'/></Representation></AdaptationSet></Period></MPD>";

  @Test
  void refusesOrReads() {
    long seed = Long.getLong("fuzz.seed", 20_260_101L);
    long end = System.nanoTime() + Long.getLong("fuzz.seconds", 3) * 1_000_000_000;
    int read = 0;
    for (int i = 0; i < 300 || System.nanoTime() < end; i++) {
      read += tryOne(seed + i) ? 1 : 0;
    }
    assertThat(read).isPositive();
  }

  private static boolean tryOne(long seed) {
    String xml = mutated(new Random(seed));
    try {
      plan(MpdText.read(xml.getBytes(UTF_8)));
      return true;
    } catch (MediaFormatException e) {
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError("-Dfuzz.seed=" + seed + "\n" + xml, e);
    }
  }

  private static String mutated(Random random) {
    StringBuilder xml = new StringBuilder(SEED_DOCUMENT);
    for (int i = random.nextInt(6); i >= 0; i--) {
      int from = random.nextInt(xml.length());
      int to = Math.min(xml.length(), from + random.nextInt(random.nextInt(8) == 0 ? 200 : 12));
      switch (random.nextInt(4)) {
        case 0 -> xml.delete(from, to);
        case 1 -> xml.insert(from, xml.substring(from, to));
        case 2 -> xml.insert(from, WORDS.get(random.nextInt(WORDS.size())));
        default -> valueChanged(xml, from, random);
      }
    }
    return xml.toString();
  }

  /** What stands between two quotes. */
  private static void valueChanged(StringBuilder xml, int from, Random random) {
    int open = xml.indexOf("='", from);
    int close = open < 0 ? -1 : xml.indexOf("'", open + 2);
    if (close > 0) {
      xml.replace(open + 2, close, WORDS.get(random.nextInt(WORDS.size())));
    }
  }

  private static void plan(Mpd mpd) {
    for (Period period : mpd.periods()) {
      for (AdaptationSet set : period.adaptationSets()) {
        for (Representation one : set.representations()) {
          for (long second : new long[] {0, 1_767_225_650, 253_402_300_799L}) {
            Optional<Instant> now = Optional.of(Instant.ofEpochSecond(second));
            assertThat(SegmentPlan.of(mpd, period, one, List.of(), now, 50))
                .hasSizeLessThanOrEqualTo(50);
          }
          SegmentPlan.nominalDuration(one.addressing());
        }
      }
    }
  }
}
