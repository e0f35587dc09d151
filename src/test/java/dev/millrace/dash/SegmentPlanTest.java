package dev.millrace.dash;

import static dev.millrace.dash.MpdText.afterNoon;
import static dev.millrace.dash.MpdText.first;
import static dev.millrace.dash.MpdText.live;
import static dev.millrace.dash.MpdText.mpd;
import static dev.millrace.dash.MpdText.onDemand;
import static dev.millrace.dash.MpdText.plan;
import static dev.millrace.dash.MpdText.read;
import static dev.millrace.dash.MpdText.urls;
import static dev.millrace.dash.MpdText.video;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentPlanTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String LIVE_TEMPLATE = "<SegmentTemplate duration='2' media='$Number$'/>";

  private static String template(String attributes, String entries) {
    return "<SegmentTemplate media='$Number$-$Time$' "
        + attributes
        + "><SegmentTimeline>"
        + entries
        + "</SegmentTimeline></SegmentTemplate>";
  }

  private static String times(List<Segment> segments) {
    return segments.stream()
        .map(
            one ->
                (one.followsGap() ? "gap " : "")
                    + one.number()
                    + "@"
                    + one.time()
                    + "+"
                    + one.duration())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "PT10S, 1@0+4 2@4+4 3@8+2",
    "PT8S, 1@0+4 2@4+4",
    "PT8.0005S, 1@0+4 2@4+4",
    "PT8.5S, 1@0+4 2@4+4 3@8+1",
    "PT1S, 1@0+1",
  })
  void countsByTheDurationOfThePeriod(String duration, String expected) throws Exception {
    Mpd mpd = read(onDemand(duration, video("<SegmentTemplate duration='4' media='$Number$'/>")));
    assertThat(times(plan(mpd))).isEqualTo(expected);
  }

  @Test
  void keepsNumberZeroAndEndNumber() throws Exception {
    String template =
        "<SegmentTemplate startNumber='0' endNumber='1' duration='4' media='$Number$'/>";
    assertThat(urls(plan(read(onDemand("PT100S", video(template)))))).containsExactly("0", "1");
  }

  @Test
  void listsNothing_whenNothingSaysHowMany() throws Exception {
    assertThat(plan(read(mpd("", "<Period>" + video(LIVE_TEMPLATE) + "</Period>")))).isEmpty();
  }

  @Test
  void addsThePresentationTimeOffsetToCountedTimes() throws Exception {
    String template =
        "<SegmentTemplate timescale='10' presentationTimeOffset='900' duration='40' media='$Time$'/>";
    assertThat(urls(plan(read(onDemand("PT8S", video(template)))))).containsExactly("900", "940");
  }

  @Test
  void isOneSegment_whenATemplateHasNeitherDurationNorTimeline() throws Exception {
    Mpd mpd = read(onDemand("PT8S", video("<SegmentTemplate media='all.m4s'/>")));
    assertThat(times(plan(mpd))).isEqualTo("1@0+8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<S d='4'/><S d='6'/>|1@0+4 2@4+6",
        "<S t='0' d='4' r='2'/>|1@0+4 2@4+4 3@8+4",
        "<S t='0' d='4' r='-1'/>|1@0+4 2@4+4 3@8+4 4@12+4 5@16+4",
        "<S t='0' d='4' r='-1'/><S t='12' d='5'/>|1@0+4 2@4+4 3@8+4 4@12+5",
        "<S t='0' d='4' r='-1'/><S d='5'/>|1@0+4 2@4+5",
        "<S t='0' d='4'/><S t='10' d='4'/>|1@0+4 gap 2@10+4",
        "<S t='0' d='4'/><S t='5' d='4'/>|1@0+5 2@5+4",
        "<S t='0' d='4'/><S t='3' d='4'/>|1@0+3 2@3+4",
        "<S t='0' d='4'/><S d='0' r='1'/><S d='4'/>|1@0+4 4@4+4",
        "<S t='0' d='4'/><S n='9' d='4'/>|1@0+4 9@4+4",
        "<S d='4'/><S/><S d='x'/><S d='4' r='x'/>|1@0+4 2@4+4",
        "<S t='16' d='4' r='3'/>|1@16+4",
        "<S t='0' d='4' r='9'/>|1@0+4 2@4+4 3@8+4 4@12+4 5@16+4",
        "<S t='9000' d='4' r='1'/>|1@9000+4 2@9004+4",
        "<S t='0' d='4' r='9'/><S t='12' d='5'/>|1@0+4 2@4+4 3@8+4 11@12+5",
        "<S t='0' d='4' r='1'/><S t='0' d='4'/>|1@0+4 2@4+4 gap 3@0+4",
      })
  void unrollsTimelines(String entries, String expected) throws Exception {
    assertThat(times(plan(read(onDemand("PT20S", video(template("", entries)))))))
        .isEqualTo(expected);
  }

  @Test
  void cutsTimelinesAtThePeriodAndAtEndNumber() throws Exception {
    String timeline =
        template(
            "presentationTimeOffset='8' startNumber='5' endNumber='8'", "<S t='0' d='4' r='9'/>");
    assertThat(urls(plan(read(onDemand("PT8S", video(timeline)))))).containsExactly("7-8", "8-12");
    assertThat(urls(plan(read(onDemand("PT99S", video(timeline)))))).containsExactly("7-8", "8-12");
  }

  @Test
  void listsPartsOfSegments() throws Exception {
    String timeline =
        "<SegmentTemplate media='$Number$.$SubNumber$'><SegmentTimeline><S d='5' k='2' r='1'/>"
            + "</SegmentTimeline></SegmentTemplate>";
    List<Segment> segments = plan(read(onDemand("PT10S", video(timeline))));
    assertThat(urls(segments)).containsExactly("1.1", "1.2", "2.1", "2.2");
    assertThat(times(segments)).isEqualTo("1@0+2 1@2+3 2@5+2 2@7+3");
  }

  @Test
  void readsLists() throws Exception {
    String list =
        "<BaseURL>v.mp4</BaseURL><SegmentList duration='4' startNumber='3'>"
            + "<Initialization range='0-9'/><SegmentURL mediaRange='10-19'/>"
            + "<SegmentURL media='b.mp4' mediaRange='0-5'/><SegmentURL media='c.mp4'/></SegmentList>";
    Mpd mpd = read(onDemand("PT10S", video(list)));
    assertThat(urls(plan(mpd))).containsExactly("v.mp4 10-19", "b.mp4 0-5", "c.mp4");
    assertThat(times(plan(mpd))).isEqualTo("3@0+4 4@4+4 5@8+2");
  }

  @Test
  void readsListsWithTimelinesOfPeriods() throws Exception {
    String list =
        "<SegmentList><SegmentTimeline><S t='7' d='3'/><S d='2' r='5'/></SegmentTimeline>"
            + "<SegmentURL media='a'/><SegmentURL media='b'/></SegmentList>";
    Mpd mpd = read(onDemand("PT20S", list + video("")));
    assertThat(times(plan(mpd))).isEqualTo("1@7+3 2@10+2");
  }

  @Test
  void sharesThePeriod_whenAListHasNoDurations() throws Exception {
    String list = "<SegmentList><SegmentURL media='a'/><SegmentURL media='b'/></SegmentList>";
    assertThat(times(plan(read(onDemand("PT10S", video(list)))))).isEqualTo("1@0+5 2@5+5");
  }

  @Test
  void readsIndexesInTheirOwnTimescale() throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT4S",
                video(
                    "<BaseURL>v.mp4</BaseURL>"
                        + "<SegmentBase presentationTimeOffset='1' indexRange='10-19'/>")));
    List<IndexEntry> index =
        IntStream.range(0, 4)
            .mapToObj(i -> new IndexEntry(100L * i, 100L * i + 99, 1_500L * i, 1_500, 1_000))
            .toList();
    List<Segment> segments =
        SegmentPlan.of(mpd, mpd.periods().get(0), first(mpd), index, Optional.empty(), MpdText.ALL);
    assertThat(urls(segments))
        .containsExactly("v.mp4 0-99", "v.mp4 100-199", "v.mp4 200-299", "v.mp4 300-399");
    assertThat(segments.get(1).timescale()).isEqualTo(1_000);
    assertThat(times(segments)).startsWith("1@0+1500 2@1500+1500");
  }

  @Test
  void isOneSegment_whenAFileHasNoIndex() throws Exception {
    String base =
        "<BaseURL>v.mp4</BaseURL><SegmentBase><Initialization range='0-99'/></SegmentBase>";
    assertThat(urls(plan(read(onDemand("PT4S", video(base)))))).containsExactly("v.mp4 100-");
    assertThat(urls(plan(read(onDemand("PT4S", video("<BaseURL>v.vtt</BaseURL>"))))))
        .containsExactly("v.vtt");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, ''",
    "0, ''",
    "1.9, ''",
    "2, 1@0+2",
    "7, 1@0+2 2@2+2 3@4+2",
    "13, 2@2+2 3@4+2 4@6+2 5@8+2 6@10+2",
    "86400, 43196@86390+2 43197@86392+2 43198@86394+2 43199@86396+2 43200@86398+2",
  })
  void countsByTheClock(double seconds, String expected) throws Exception {
    Mpd mpd =
        read(
            live(
                "timeShiftBufferDepth='PT10S'",
                "<Period start='PT0S'>" + video(LIVE_TEMPLATE) + "</Period>"));
    assertThat(times(plan(mpd, afterNoon(seconds)))).isEqualTo(expected);
  }

  @Test
  void countsFromThePeriodsStart() throws Exception {
    Mpd mpd = read(live("", "<Period start='PT1H'>" + video(LIVE_TEMPLATE) + "</Period>"));
    assertThat(plan(mpd, afterNoon(3_601))).isEmpty();
    assertThat(urls(plan(mpd, afterNoon(3_604)))).containsExactly("1", "2");
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1", "1.5, 2", "2, 2", "7, 2", "INF, 2"})
  void listsEarlier_butNotBeforeASegmentBegins(String offset, int count) throws Exception {
    String template =
        "<SegmentTemplate duration='2' media='$Number$' availabilityTimeOffset='" + offset + "'/>";
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(template) + "</Period>"));
    assertThat(plan(mpd, afterNoon(2.5))).hasSize(count);
  }

  @Test
  void addsTheOffsetOfBaseUrls() throws Exception {
    String base = "<BaseURL availabilityTimeOffset='1.5'>./</BaseURL>";
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(base + LIVE_TEMPLATE) + "</Period>"));
    assertThat(plan(mpd, afterNoon(2.5))).hasSize(2);
  }

  @Test
  void repeatsOpenTimelinesUntilNow() throws Exception {
    String timeline = template("", "<S t='0' d='4' r='-1'/>");
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(timeline) + "</Period>"));
    assertThat(plan(mpd, afterNoon(3))).isEmpty();
    assertThat(urls(plan(mpd, afterNoon(9)))).containsExactly("1-0", "2-4");
  }

  @Test
  void listsNothingOfTheFuture() throws Exception {
    String timeline = template("", "<S t='0' d='4' r='9'/>");
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(timeline) + "</Period>"));
    assertThat(plan(mpd, afterNoon(-100))).isEmpty();
    assertThat(urls(plan(mpd, afterNoon(11.9)))).containsExactly("1-0", "2-4");
  }

  @Test
  void keepsTheLastWindow_whenATimelineStalls() throws Exception {
    String timeline = template("", "<S t='0' d='4' r='9'/>");
    Mpd mpd =
        read(
            live(
                "timeShiftBufferDepth='PT8S'",
                "<Period start='PT0S'>" + video(timeline) + "</Period>"));
    assertThat(urls(plan(mpd, afterNoon(40)))).containsExactly("9-32", "10-36");
    assertThat(urls(plan(mpd, afterNoon(4_000)))).containsExactly("9-32", "10-36");
  }

  @Test
  void believesTimelinesOfAnotherClock() throws Exception {
    String timeline = template("", "<S t='1000000' d='4' r='1'/>");
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(timeline) + "</Period>"));
    assertThat(plan(mpd, afterNoon(40))).hasSize(2);
    String open = template("", "<S t='1000000' d='4' r='-1'/>");
    assertThat(plan(read(live("", "<Period>" + video(open) + "</Period>")), afterNoon(40)))
        .hasSize(1);
  }

  @Test
  void forgetsEarlierPeriodsByTheClock() throws Exception {
    String timeline = template("", "<S t='0' d='4' r='4'/>");
    Mpd mpd =
        read(
            live(
                "timeShiftBufferDepth='PT8S'",
                "<Period start='PT0S'>"
                    + video(timeline)
                    + "</Period>"
                    + "<Period start='PT20S'>"
                    + video(timeline)
                    + "</Period>"));
    assertThat(urls(plan(mpd, 0, Optional.of(afterNoon(24))))).containsExactly("5-16");
    assertThat(urls(plan(mpd, 1, Optional.of(afterNoon(24))))).containsExactly("1-0");
    assertThat(plan(mpd, 0, Optional.of(afterNoon(30)))).isEmpty();
  }

  @Test
  void movesLists() throws Exception {
    String list =
        "<SegmentList duration='4' startNumber='11'><SegmentURL media='k'/><SegmentURL media='l'/>"
            + "</SegmentList>";
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(list) + "</Period>"));
    assertThat(times(plan(mpd, afterNoon(1)))).isEqualTo("11@40+4 12@44+4");
  }

  @Test
  void countsFrom1970_whenThereIsNoAvailabilityStartTime() throws Exception {
    Mpd mpd =
        read(
            mpd(
                "type='dynamic' timeShiftBufferDepth='PT2S'",
                "<Period>" + video(LIVE_TEMPLATE) + "</Period>"));
    assertThat(urls(plan(mpd, Instant.ofEpochSecond(1_000)))).containsExactly("500");
  }

  @Test
  void givesTheLastOnesOfALivePresentation() throws Exception {
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(LIVE_TEMPLATE) + "</Period>"));
    Period period = mpd.periods().get(0);
    Optional<Instant> now = Optional.of(afterNoon(1_000_000_000));
    assertThat(urls(SegmentPlan.of(mpd, period, first(mpd), List.of(), now, 2)))
        .containsExactly("499999999", "500000000");
  }

  @Test
  void givesTheFirstOnesOfAStaticPresentation() throws Exception {
    Mpd mpd = read(onDemand("P1000D", video(LIVE_TEMPLATE)));
    assertThat(
            urls(
                SegmentPlan.of(
                    mpd, mpd.periods().get(0), first(mpd), List.of(), Optional.empty(), 2)))
        .containsExactly("1", "2");
  }

  @Test
  void demandsTheTime_whenThePresentationIsDynamic() throws Exception {
    Mpd mpd = read(live("", "<Period start='PT0S'>" + video(LIVE_TEMPLATE) + "</Period>"));
    assertThatThrownBy(() -> plan(mpd)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void survivesTheGreatestNumbers() throws Exception {
    String t = Long.toString(Lexical.MAX_TICKS - 1);
    String entry = "<S t='" + t + "' d='" + t + "' r='2147483647' n='" + t + "'/>";
    String attributes = "startNumber='" + t + "' presentationTimeOffset='" + t + "' timescale='1'";
    Mpd mpd = read(onDemand("PT1S", video(template(attributes, entry.repeat(3)))));
    Period period = mpd.periods().get(0);
    assertThat(SegmentPlan.of(mpd, period, first(mpd), List.of(), Optional.empty(), 10))
        .hasSizeLessThanOrEqualTo(10);
  }

  /**
   * A day of two-second segments, and 1,800 entries: no more than 500 bytes for each that is given
   * back.
   */
  @Test
  void costsWhatItGivesBack() throws Exception {
    Mpd day =
        read(
            live(
                "timeShiftBufferDepth='P1D'",
                "<Period start='PT0S'>" + video(LIVE_TEMPLATE) + "</Period>"));
    String entries =
        IntStream.range(0, 1_800)
            .mapToObj(i -> "<S d='" + (2 + i % 2) + "'/>")
            .collect(Collectors.joining());
    Mpd listed =
        read(live("", "<Period start='PT0S'>" + video(template("", entries)) + "</Period>"));
    assertThat(allocated(day)).isLessThan(1_800 * 500);
    assertThat(allocated(listed)).isLessThan(1_800 * 2_000);
  }

  /** In bytes, to list the last 1,800 segments, when all classes are there. */
  private static long allocated(Mpd mpd) {
    long before = 0;
    for (int i = 0; i < 2; i++) {
      before = THREADS.getCurrentThreadAllocatedBytes();
      List<Segment> segments =
          SegmentPlan.of(
              mpd,
              mpd.periods().get(0),
              first(mpd),
              List.of(),
              Optional.of(afterNoon(900_000)),
              1_800);
      assertThat(segments.size()).isEqualTo(1_800);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void knowsTheNominalDuration() throws Exception {
    String timeline = template("", "<S d='9'/><S d='4' r='2'/><S d='5' r='1'/><S d='0'/>");
    assertThat(
            SegmentPlan.nominalDuration(
                first(read(onDemand("PT9S", video(timeline)))).addressing()))
        .hasValue(4);
    assertThat(
            SegmentPlan.nominalDuration(
                first(read(onDemand("PT9S", video(LIVE_TEMPLATE)))).addressing()))
        .hasValue(2);
    assertThat(
            SegmentPlan.nominalDuration(
                first(read(onDemand("PT9S", video("<BaseURL>v</BaseURL>")))).addressing()))
        .isEmpty();
  }
}
