package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.stream.ExchangeException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dynamic presentations. */
final class LivePlaylistTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String ID = "1_v_9";
  private static final String UPDATED = "minimumUpdatePeriod='PT2S'";

  private final SequenceTracker tracker = new SequenceTracker();

  @Test
  void listsWhatIsThereByNow() throws ExchangeException {
    Mpd mpd = live("timeShiftBufferDepth='PT10S'", counted("duration='4' startNumber='1'"));

    assertThat(at(mpd, 22.5))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-START:TIME-OFFSET=-18.0,PRECISE=YES",
            "#EXT-X-TARGETDURATION:4",
            "#EXT-X-MEDIA-SEQUENCE:4",
            "#EXT-X-MAP:URI=\"v.mp4 live\"",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:12.000Z",
            "#EXTINF:4.000,",
            "v4 live",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:16.000Z",
            "#EXTINF:4.000,",
            "v5 live");
  }

  @Test
  void isNotYetAvailable_whenNoSegmentIsComplete() throws ExchangeException {
    Mpd mpd = live("", counted("duration='4'"));

    assertThatThrownBy(() -> at(mpd, 3.9))
        .isInstanceOfSatisfying(
            NotYetAvailableException.class,
            e -> {
              assertThat(e.status()).isEqualTo(503);
              assertThat(e.retryAfter()).contains(Duration.ofSeconds(4));
            });
    assertThat(segments(at(mpd, 4))).containsExactly("v1 live");
  }

  @ParameterizedTest
  @CsvSource({"900, 60", "0.5, 1", "7.9, 7"})
  void saysWhenToAskAgain(double duration, long seconds) throws ExchangeException {
    Mpd mpd = live("", counted("timescale='10' duration='" + (long) (10 * duration) + "'"));

    assertThatThrownBy(() -> at(mpd, -1))
        .isInstanceOfSatisfying(
            NotYetAvailableException.class,
            e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(seconds)));
  }

  @Test
  void countsFromTheClock_afterADay() throws ExchangeException {
    Mpd mpd = live("", counted("duration='2' startNumber='10'"));

    List<String> lines = at(mpd, 86_400);

    assertThat(segments(lines)).hasSize(21).endsWith("v43209 live");
    assertThat(lines).contains("#EXT-X-MEDIA-SEQUENCE:43189");
  }

  @ParameterizedTest
  @CsvSource({"4, 17, 18", "2, 21, 18", "1, 30, 18", "10, 15, 30", "0.5, 48, 18"})
  void listsEnoughForPlayersToBegin(double duration, int depth, int start)
      throws ExchangeException {
    Mpd mpd = live("", counted("timescale='10' duration='" + (long) (10 * duration) + "'"));

    List<String> lines = at(mpd, 3600);

    assertThat(segments(lines)).hasSize(depth);
    assertThat(lines).contains("#EXT-X-START:TIME-OFFSET=-" + start + ".0,PRECISE=YES");
  }

  @ParameterizedTest
  @CsvSource({"-120, 42", "-10, 15", "30, 15", "-1e7, 10000"})
  void listsEnoughForTheOffsetThatIsAsked(double offset, int depth) throws ExchangeException {
    Mpd mpd = live("", counted("duration='4'"));

    List<String> lines =
        Written.media(presentation(mpd, 90_000), ID, Written.startingAt(offset), tracker);

    assertThat(segments(lines)).hasSize(depth);
  }

  @Test
  void endsWithTheOthers() throws ExchangeException {
    String audio = audio("<S t='0' d='2' r='19'/>"); // until 40
    Mpd mpd = live(UPDATED, timeline("<S t='0' d='4' r='11'/>") + audio); // until 48

    assertThat(segments(at(mpd, 100))).endsWith("v10-36 live");
    assertThat(segments(media(mpd, 100, "2_a_1"))).endsWith("a38 live");
  }

  @Test
  void doesNotWaitForWhatHasStopped() throws ExchangeException {
    String audio = audio("<S t='0' d='2' r='15'/>"); // until 32
    Mpd mpd = live(UPDATED, timeline("<S t='0' d='4' r='11'/>") + audio); // until 48

    assertThat(segments(at(mpd, 100))).endsWith("v12-44 live");
  }

  @Test
  void waitsForTheFirstAudioOfAPeriod() throws ExchangeException {
    String first = "<Period start='PT0S' duration='PT40S'>" + timeline("<S t='0' d='4' r='9'/>");
    String second =
        "</Period><Period start='PT40S'>"
            + timeline("<S t='0' d='4'/>")
            + audio("<S t='0' d='9'/>");
    Mpd mpd = Written.live(UPDATED, first + audio("<S t='0' d='4' r='9'/>") + second + "</Period>");

    assertThat(segments(at(mpd, 44))).endsWith("v10-36 live");
    assertThat(segments(at(mpd, 49))).endsWith("v1-0 live 40/1");
  }

  @Test
  void keepsItsTime_whereAPeriodHasNothingOfItsKind() throws ExchangeException {
    String video = timeline("<S t='0' d='4' r='4'/>");
    String audio = audio("<S t='0' d='4' r='4'/>");
    Mpd mpd =
        Written.live(
            UPDATED,
            "<Period start='PT0S' duration='PT20S'>"
                + (video + audio + "</Period><Period start='PT20S' duration='PT20S'>" + video)
                + ("</Period><Period start='PT40S'>" + video + audio + "</Period>"));

    List<String> lines = media(mpd, 100, "2_a_1");

    assertThat(segments(lines)).hasSize(15);
    assertThat(lines).filteredOn("#EXT-X-GAP"::equals).hasSize(5);
    assertThat(lines).filteredOn("#EXT-X-DISCONTINUITY"::equals).hasSize(2);
  }

  @Test
  void movesCorrectly_overTwentyRefreshes() throws ExchangeException {
    Following following = new Following();
    for (int refresh = 0; refresh < 20; refresh++) {
      following.read(at(live(refresh), 300));
    }

    assertThat(following.segments()).hasSize(15 + 19);
    assertThat(following.discontinuities()).isEqualTo(1);
  }

  /** Uneven durations; at segment 25 a new period begins, and numbers from 1 on. */
  private static Mpd live(int refresh) throws ExchangeException {
    long[] time = {0};
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    long border = 0;
    for (int i = 0; i < 15 + refresh; i++) {
      long duration = 2 + (i * 7L) % 5;
      boolean isSecond = i >= 25;
      border = i == 25 ? time[0] : border;
      if (i >= refresh) {
        String entry = "<S t='" + (time[0] - border) + "' d='" + duration + "'/>";
        (isSecond ? second : first).append(entry);
      }
      time[0] += duration;
    }
    String later =
        second.isEmpty()
            ? ""
            : "<Period start='PT" + border + "S'>" + unnumbered("b", second) + "</Period>";
    String earlier =
        first.isEmpty() ? "" : "<Period start='PT0S'>" + unnumbered("a", first) + "</Period>";
    return Written.live(UPDATED, earlier + later);
  }

  private static String unnumbered(String name, CharSequence entries) {
    return timeline(entries).replace("v$Number$", name);
  }

  @Test
  void keepsItsTargetDuration() throws ExchangeException {
    Mpd early = live(UPDATED, timeline("<S t='0' d='6'/><S d='2' r='3'/>"));
    Mpd late = live(UPDATED, timeline("<S t='6' d='2' r='4'/>"));

    assertThat(at(early, 100)).contains("#EXT-X-TARGETDURATION:6");
    assertThat(at(late, 100)).contains("#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:1");
  }

  @ParameterizedTest
  @CsvSource({"PT3.5S, 4", "PT4S, 4", "PT4.1S, 2", "PT1S, 2", "PT1H, 2"})
  void coversWhatIsAnnounced_ifThatIsPlausible(String announced, int target)
      throws ExchangeException {
    Mpd mpd = live("maxSegmentDuration='" + announced + "'", timeline("<S t='0' d='2' r='3'/>"));

    assertThat(at(mpd, 100)).contains("#EXT-X-TARGETDURATION:" + target);
  }

  @ParameterizedTest
  @CsvSource({"<S t='12' d='4' r='3'/>, '', 3", "<S t='12' d='4' r='3'/>, startNumber='70', 70"})
  void beginsItsSequenceByTimeOrNumber(String entries, String startNumber, long sequence)
      throws ExchangeException {
    String set = timeline(entries).replace("initialization", startNumber + " initialization");

    assertThat(at(live(UPDATED, set), 100)).contains("#EXT-X-MEDIA-SEQUENCE:" + sequence);
  }

  @Test
  void countsBordersThatAreGone_beforeItsFirstSegment() throws ExchangeException {
    String periods =
        "<Period start='PT0S'>"
            + timeline("<S t='0' d='4'/>")
            + "</Period><Period start='PT4S'>"
            + timeline("<S t='0' d='4' r='19'/>")
            + "</Period>";

    assertThat(at(Written.live(UPDATED, periods), 100))
        .contains("#EXT-X-DISCONTINUITY-SEQUENCE:1")
        .doesNotContain("#EXT-X-DISCONTINUITY");
  }

  @Test
  void skipsByTheTimeOfThePresentation() throws ExchangeException {
    Mpd mpd = live(UPDATED, counted("duration='4'"));

    List<String> lines =
        Written.media(presentation(mpd, 100), ID, Written.skipping("0-5,84-88"), tracker);

    assertThat(segments(lines)).contains("v21 live", "v23 live").doesNotContain("v22 live");
    assertThat(lines).containsOnlyOnce("#EXT-X-DISCONTINUITY");
  }

  @Test
  void isNotYetAvailable_whenAllIsSkipped() throws ExchangeException {
    Mpd mpd = live(UPDATED, counted("duration='4'"));

    assertThatThrownBy(
            () -> Written.media(presentation(mpd, 100), ID, Written.skipping("0-999"), tracker))
        .isInstanceOf(NotYetAvailableException.class);
  }

  @Test
  void ends_whenTheMpdWillNotChangeAndAllIsThere() throws ExchangeException {
    String period = "<Period start='PT0S' duration='PT20S'>" + counted("duration='4'");
    Mpd over = Written.live("", period + "</Period>");
    Mpd updated = Written.live(UPDATED, period + "</Period>");

    assertThat(at(over, 19)).doesNotContain("#EXT-X-ENDLIST");
    assertThat(at(over, 21)).endsWith("#EXT-X-ENDLIST");
    assertThat(at(updated, 21)).doesNotContain("#EXT-X-ENDLIST");
  }

  @Test
  void writesTimesWithMilliseconds() throws ExchangeException {
    String set = timeline("<S t='4' d='4'/>").replace("timescale='1'", "timescale='3'");

    assertThat(at(live(UPDATED, set), 100))
        .contains("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:01.333Z");
  }

  @Test
  void hasNoTimes_whenItsBeginningIsNotSaid() throws ExchangeException {
    Mpd mpd =
        Written.mpd(
            "<MPD type='dynamic' minimumUpdatePeriod='PT0S'><Period start='PT0S'>"
                + timeline("<S t='0' d='4' r='9'/>")
                + "</Period></MPD>");

    assertThat(at(mpd, 100)).noneMatch(line -> line.contains("DATE-TIME")).contains("v10-36 live");
  }

  @Test
  void allocatesLittle_ofALongTimeline() throws ExchangeException {
    StringBuilder entries = new StringBuilder();
    for (int i = 0; i < 1800; i++) {
      entries.append("<S t='" + 4 * i + "' d='4'/>");
    }
    Mpd mpd = live("timeShiftBufferDepth='PT2H'", timeline(entries) + audio(entries.toString()));
    assertThat(segments(at(mpd, 7200))).hasSize(17);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    assertThat(at(mpd, 7200)).isNotEmpty();
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
  }

  /** A player that joins playlists by their numbers. */
  private static final class Following {
    private final List<String> segments = new ArrayList<>();
    private final List<Long> discontinuities = new ArrayList<>();
    private long first = -1;

    void read(List<String> lines) {
      long sequence = number(lines, "#EXT-X-MEDIA-SEQUENCE:");
      long discontinuity = number(lines, "#EXT-X-DISCONTINUITY-SEQUENCE:");
      first = first < 0 ? sequence : first;
      for (String line : lines) {
        discontinuity += line.equals("#EXT-X-DISCONTINUITY") ? 1 : 0;
        if (!line.startsWith("#")) {
          add((int) (sequence++ - first), line, discontinuity);
        }
      }
    }

    private void add(int place, String line, long discontinuity) {
      if (place == segments.size()) {
        segments.add(line);
        discontinuities.add(discontinuity);
      }
      assertThat(line).isEqualTo(segments.get(place));
      assertThat(discontinuity).as(line).isEqualTo(discontinuities.get(place));
    }

    List<String> segments() {
      return segments;
    }

    long discontinuities() {
      return discontinuities.get(discontinuities.size() - 1);
    }

    private static long number(List<String> lines, String tag) {
      return lines.stream()
          .filter(line -> line.startsWith(tag))
          .mapToLong(line -> Long.parseLong(line.substring(tag.length())))
          .findFirst()
          .orElse(0);
    }
  }

  private List<String> at(Mpd mpd, double seconds) throws ExchangeException {
    return media(mpd, seconds, ID);
  }

  private List<String> media(Mpd mpd, double seconds, String id) throws ExchangeException {
    return Written.media(presentation(mpd, seconds), id, Written.options("stream"), tracker);
  }

  private static Presentation presentation(Mpd mpd, double seconds) {
    Instant now = Written.EPOCH.plusMillis(Math.round(seconds * 1000));
    return Written.presentation(mpd, now);
  }

  private static List<String> segments(List<String> lines) {
    return lines.stream().filter(line -> !line.startsWith("#")).toList();
  }

  private static Mpd live(String attributes, String sets) throws ExchangeException {
    return Written.live(attributes, "<Period start='PT0S'>" + sets + "</Period>");
  }

  private static String counted(String template) {
    return "<AdaptationSet id='1' mimeType='video/mp4'><SegmentTemplate "
        + template
        + " initialization='v.mp4' media='v$Number$'/><Representation id='v' bandwidth='9'/>"
        + "</AdaptationSet>";
  }

  private static String timeline(CharSequence entries) {
    return "<AdaptationSet id='1' mimeType='video/mp4'><SegmentTemplate timescale='1'"
        + " initialization='v.mp4' media='v$Number$-$Time$'><SegmentTimeline>"
        + entries
        + "</SegmentTimeline></SegmentTemplate><Representation id='v' bandwidth='9'/>"
        + "</AdaptationSet>";
  }

  private static String audio(String entries) {
    return "<AdaptationSet id='2' mimeType='audio/mp4'><SegmentTemplate timescale='1'"
        + " initialization='a.mp4' media='a$Time$'><SegmentTimeline>"
        + entries
        + "</SegmentTimeline></SegmentTemplate><Representation id='a' bandwidth='1'/>"
        + "</AdaptationSet>";
  }
}
