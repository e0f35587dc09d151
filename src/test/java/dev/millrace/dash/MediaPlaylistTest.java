package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ByteBuilder;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Static presentations. */
final class MediaPlaylistTest {
  private static final String ID = "1_v_9";
  private static final MediaPlaylistOptions STREAM = Written.transportStream();
  private static final String ADDRESSES =
      " initialization='$RepresentationID$.mp4' media='$RepresentationID$-$Number$.m4s'";

  @Test
  void listsAllOfATemplate() throws ExchangeException {
    Mpd mpd = film("PT10S", "timescale='1000' duration='4000' startNumber='7'" + ADDRESSES, "");

    assertThat(Written.media(mpd, ID))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-TARGETDURATION:4",
            "#EXT-X-MEDIA-SEQUENCE:7",
            "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXT-X-MAP:URI=\"v.mp4\"",
            "#EXTINF:4.000,",
            "v-7.m4s",
            "#EXTINF:4.000,",
            "v-8.m4s",
            "#EXTINF:2.000,",
            "v-9.m4s",
            "#EXT-X-ENDLIST");
  }

  @Test
  void leadsToTransportStreams_ifThatIsWanted() throws ExchangeException {
    Mpd mpd = film("PT6S", "duration='4' startNumber='7'" + ADDRESSES, "", "avc1.4d401f");

    assertThat(Written.media(Written.presentation(mpd, Written.EPOCH), ID, STREAM))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:3",
            "#EXT-X-TARGETDURATION:4",
            "#EXT-X-MEDIA-SEQUENCE:7",
            "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXTINF:4.000,",
            "v-7.m4s stream",
            "#EXTINF:2.000,",
            "v-8.m4s stream",
            "#EXT-X-ENDLIST");
  }

  /** What nobody can say in MPEG-TS, and what is not said. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "vp09.00.10.08",
        "av01.0.04M.08",
        "avc1.4d401f,Opus",
        "mp4a.40.34",
        "mp4a.40.42",
        "mp4a.6b",
        ""
      })
  void staysFragmentedMp4_whereCodecsHaveNoPlace(String codecs) throws ExchangeException {
    Mpd mpd = film("PT4S", "duration='4'" + ADDRESSES, "", codecs);

    assertThat(Written.media(Written.presentation(mpd, Written.EPOCH), ID, STREAM))
        .contains("#EXT-X-VERSION:6", "#EXT-X-MAP:URI=\"v.mp4\"", "v-1.m4s");
  }

  /** Players of MPEG-TS begin further from the end, and take the time from the media. */
  @Test
  void listsMoreOfALiveTransportStream() throws ExchangeException {
    Mpd mpd =
        Written.live(
            "minimumUpdatePeriod='PT2S' timeShiftBufferDepth='PT5M'",
            "<Period start='PT0S'>"
                + representation("avc1.4d401f", "<SegmentTemplate duration='2'" + ADDRESSES + "/>")
                + "</Period>");

    assertThat(Written.media(Written.presentation(mpd, Written.EPOCH.plusSeconds(600)), ID, STREAM))
        .contains("#EXT-X-START:TIME-OFFSET=-30.0,PRECISE=NO")
        .noneMatch(line -> line.startsWith("#EXT-X-PROGRAM-DATE-TIME"))
        .filteredOn(line -> line.startsWith("#EXTINF"))
        .hasSize(25);
  }

  @Test
  void endsWithoutALineEnd() throws ExchangeException {
    Presentation presentation =
        Written.presentation(film("PT4S", "duration='4'" + ADDRESSES, ""), Written.EPOCH);

    assertThat(
            Written.text(
                MediaPlaylist.of(
                    presentation,
                    Profile.find(presentation.mpd(), ID).orElseThrow(),
                    Written.options(""),
                    new Written.ShownLinks(),
                    new SequenceTracker())))
        .endsWith("#EXT-X-ENDLIST");
  }

  @Test
  void doesNotDrift() throws ExchangeException {
    String timeline = timeline("<S t='0' d='1001' r='8999'/>");
    Mpd mpd = film("PT300.3S", "timescale='30000'" + ADDRESSES, timeline);

    List<BigDecimal> durations = durations(Written.media(mpd, ID));

    assertThat(durations).hasSize(9000).allMatch(d -> d.scale() == 3);
    assertThat(sum(durations)).isEqualByComparingTo("300.300");
  }

  @Test
  void marksGaps_andLetsOverlapsEndEarly() throws ExchangeException {
    String timeline = timeline("<S d='4'/><S d='4'/><S t='20' d='4'/><S t='23' d='4'/>");
    Mpd mpd = film("PT27S", ADDRESSES, timeline);

    assertThat(withoutHead(Written.media(mpd, ID)))
        .containsExactly(
            "#EXTINF:4.000,",
            "v-1.m4s",
            "#EXTINF:4.000,",
            "v-2.m4s",
            "#EXT-X-DISCONTINUITY",
            "#EXTINF:3.000,",
            "v-3.m4s",
            "#EXTINF:4.000,",
            "v-4.m4s",
            "#EXT-X-ENDLIST");
  }

  @Test
  void subtractsThePresentationTimeOffsetOnce() throws ExchangeException {
    Mpd mpd =
        film(
            "PT8S",
            "timescale='90000' presentationTimeOffset='900000'"
                + " initialization='i' media='$Time$'",
            timeline("<S t='900000' d='360000' r='1'/>"));

    assertThat(withoutHead(Written.media(mpd, ID)))
        .containsExactly(
            "#EXTINF:4.000,", "900000 -10/1", "#EXTINF:4.000,", "1260000 -10/1", "#EXT-X-ENDLIST");
  }

  @Test
  void cutsSegmentsToTheirPeriod() throws ExchangeException {
    Mpd mpd =
        film(
            "PT8S",
            "presentationTimeOffset='10' initialization='i' media='$Time$'",
            timeline("<S t='8' d='4' r='2'/>"));

    assertThat(durations(Written.media(mpd, ID)).stream().map(BigDecimal::toString))
        .containsExactly("2.000", "4.000", "2.000");
  }

  @Test
  void joinsPeriods_eachWithItsMapAndItsTime() throws ExchangeException {
    Mpd mpd =
        Written.fixed(
            "",
            period("PT8S", "1", video("v", "duration='4' presentationTimeOffset='100'"))
                + period("PT4S", "2", video("v", "duration='4'"))
                + period("PT4.5S", "3", video("w", "duration='4'")));

    assertThat(Written.media(mpd, ID))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-TARGETDURATION:4",
            "#EXT-X-MEDIA-SEQUENCE:1",
            "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXT-X-MAP:URI=\"1/v.mp4\"",
            "#EXTINF:4.000,",
            "1/v-1.m4s -100/1",
            "#EXTINF:4.000,",
            "1/v-2.m4s -100/1",
            "#EXT-X-DISCONTINUITY",
            "#EXT-X-MAP:URI=\"2/v.mp4\"",
            "#EXTINF:4.000,",
            "2/v-1.m4s 8/1",
            "#EXT-X-DISCONTINUITY",
            "#EXT-X-MAP:URI=\"3/w.mp4\"",
            "#EXTINF:4.000,",
            "3/w-1.m4s 12/1",
            "#EXTINF:0.500,",
            "3/w-2.m4s 12/1",
            "#EXT-X-ENDLIST");
  }

  @Test
  void goesOn_whereAPeriodOnlyContinues() throws ExchangeException {
    Mpd mpd =
        Written.fixed(
            "",
            period("PT8S", "a", video("v", "duration='4'"))
                + period("PT4S", "a", video("v", "duration='4' presentationTimeOffset='8'")));

    assertThat(withoutHead(Written.media(mpd, ID)))
        .doesNotContain("#EXT-X-DISCONTINUITY")
        .filteredOn(line -> line.startsWith("#EXT-X-MAP"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"v, presentationTimeOffset='9'", "v, timescale='1'", "w, presentationTimeOffset='8'"})
  void beginsAnew_whereAnythingElseHasChanged(String id, String change) throws ExchangeException {
    Mpd mpd =
        Written.fixed(
            "",
            period("PT8S", "a", video("v", "duration='4'"))
                + period("PT4S", "a", video(id, "duration='4' " + change)));

    assertThat(Written.media(mpd, ID)).containsOnlyOnce("#EXT-X-DISCONTINUITY");
  }

  @Test
  void beginsAnewInAllProfiles_whereOneHasChanged() throws ExchangeException {
    String audio = "<AdaptationSet id='2' mimeType='audio/mp4'><SegmentTemplate duration='4'";
    String first = audio + " initialization='x' media='x$Number$'/>";
    String second = audio + " initialization='y' media='y$Number$'/>";
    String end = "<Representation id='a' bandwidth='1'/></AdaptationSet>";
    Mpd mpd =
        Written.fixed(
            "",
            period("PT8S", "a", video("v", "duration='4'") + first + end)
                + period(
                    "PT4S",
                    "a",
                    video("v", "duration='4' presentationTimeOffset='8'") + second + end));

    assertThat(Written.media(mpd, ID)).containsOnlyOnce("#EXT-X-DISCONTINUITY");
    assertThat(Written.media(mpd, "2_a_1")).containsOnlyOnce("#EXT-X-DISCONTINUITY");
  }

  @Test
  void takesTheNearest_whereAPeriodLacksTheProfile() throws ExchangeException {
    Mpd mpd =
        Written.fixed(
            "",
            period("PT4S", "1", ladder("a", 360, 720, 1080))
                + period("PT4S", "2", ladder("b", 240, 800))
                + period("PT4S", "3", ladder("a", 360, 720, 1080)));

    assertThat(Written.media(mpd, "a_a720_720"))
        .filteredOn(line -> line.endsWith("mp4\"") || line.contains("m4s"))
        .containsExactly(
            "#EXT-X-MAP:URI=\"1/a720.mp4\"",
            "1/a720-1.m4s",
            "#EXT-X-MAP:URI=\"2/b800.mp4\"",
            "2/b800-1.m4s 4/1",
            "#EXT-X-MAP:URI=\"3/a720.mp4\"",
            "3/a720-1.m4s 8/1");
  }

  @Test
  void keepsItsTime_whereAPeriodHasNothingOfItsKind() throws ExchangeException {
    String audio =
        "<AdaptationSet id='2' mimeType='audio/mp4'><SegmentTemplate duration='4'"
            + ADDRESSES
            + "/><Representation id='a' bandwidth='1'/></AdaptationSet>";
    Mpd mpd =
        Written.fixed(
            "",
            period("PT4S", "1", video("v", "duration='4'") + audio)
                + period("PT5S", "2", video("v", "duration='4'"))
                + period("PT4S", "3", video("v", "duration='4'") + audio));

    assertThat(Written.media(mpd, ID)).contains("#EXT-X-VERSION:6");
    assertThat(Written.media(mpd, "2_a_1"))
        .contains("#EXT-X-VERSION:8", "#EXT-X-MEDIA-SEQUENCE:1")
        .endsWith(
            "#EXT-X-MAP:URI=\"1/a.mp4\"",
            "#EXTINF:4.000,",
            "1/a-1.m4s",
            "#EXT-X-DISCONTINUITY",
            "#EXT-X-GAP",
            "#EXTINF:4.000,",
            "gap",
            "#EXT-X-GAP",
            "#EXTINF:1.000,",
            "gap",
            "#EXT-X-DISCONTINUITY",
            "#EXT-X-MAP:URI=\"3/a.mp4\"",
            "#EXTINF:4.000,",
            "3/a-1.m4s 9/1",
            "#EXT-X-ENDLIST");
  }

  @Test
  void isNotFound_whenNoPeriodHasIt() throws ExchangeException {
    Mpd mpd = film("PT8S", "duration='4'" + ADDRESSES, "");

    assertThat(Profile.find(mpd, "1_v_8")).isEmpty();
    assertThat(Profile.find(mpd, "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0-10, 2, 1",
    "0-4, 4, 1",
    "4-8, 4, 1",
    "0.5-0.6, 4, 1",
    "4-8 8-12, 3, 1",
    "3.9-4, 4, 1",
    "0-4 8-12, 3, 2",
    "18-20, 4, 0",
    "100-200, 5, 0"
  })
  void skips(String ranges, int segments, int discontinuities) throws ExchangeException {
    Mpd mpd = film("PT20S", "duration='4'" + ADDRESSES, "");

    List<String> lines =
        Written.media(
            Written.presentation(mpd, Written.EPOCH),
            ID,
            Written.skipping(ranges.replace(' ', ',')));

    assertThat(lines).filteredOn(line -> line.startsWith("#EXTINF")).hasSize(segments);
    assertThat(lines).filteredOn("#EXT-X-DISCONTINUITY"::equals).hasSize(discontinuities);
    assertThat(lines).endsWith("#EXT-X-ENDLIST").contains("#EXT-X-MEDIA-SEQUENCE:1");
  }

  @Test
  void isEmpty_whenAllIsSkipped() throws ExchangeException {
    Mpd mpd = film("PT20S", "duration='4'" + ADDRESSES, "");

    assertThat(
            Written.media(Written.presentation(mpd, Written.EPOCH), ID, Written.skipping("0-99")))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-TARGETDURATION:3",
            "#EXT-X-MEDIA-SEQUENCE:1",
            "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXT-X-ENDLIST");
  }

  @ParameterizedTest
  @CsvSource({"12, 12.0", "-7.25, -7.3", "0, 0.0", "1e300, 1000000000.0"})
  void beginsWhereItIsAsked(double seconds, String written) throws ExchangeException {
    Mpd mpd = film("PT20S", "duration='4'" + ADDRESSES, "");

    assertThat(
            Written.media(
                Written.presentation(mpd, Written.EPOCH), ID, Written.startingAt(seconds)))
        .element(2)
        .isEqualTo("#EXT-X-START:TIME-OFFSET=" + written + ",PRECISE=YES");
  }

  @Test
  void listsTheRangesOfAList() throws ExchangeException {
    String list =
        "<SegmentList duration='4'><Initialization sourceURL='i.mp4' range='0-99'/>"
            + "<SegmentURL media='m.mp4' mediaRange='100-199'/><SegmentURL media='m.mp4'"
            + " mediaRange='200-299'/></SegmentList>";

    assertThat(Written.media(filmOf("PT8S", list), ID))
        .contains("#EXT-X-MAP:URI=\"i.mp4 @0-99\"", "m.mp4 @100-199", "m.mp4 @200-299");
  }

  @ParameterizedTest
  @CsvSource({
    "indexRange='800-899'><Initialization range='0-799'/>, 0-799",
    "indexRange='800-899'>, 0-799",
    ">, 0-999",
  })
  void listsWhatAnIndexSays(String base, String initialization) throws ExchangeException {
    Mpd mpd =
        filmOf(
            "PT8S",
            "<BaseURL>m.mp4</BaseURL><SegmentBase timescale='44100'"
                + " presentationTimeOffset='44100' "
                + base
                + "</SegmentBase>");
    List<IndexEntry> index =
        List.of(
            new IndexEntry(1000, 1999, 1000, 4000, 1000),
            new IndexEntry(2000, 2999, 5000, 4000, 1000));
    Presentation presentation = new Presentation(mpd, Written.EPOCH, representation -> index);

    assertThat(Profile.find(mpd, ID).orElseThrow().indexed()).hasSize(1);
    assertThat(Written.media(presentation, ID, Written.options("")))
        .contains("#EXT-X-MAP:URI=\"m.mp4 @" + initialization + "\"")
        .endsWith(
            "#EXTINF:4.000,",
            "m.mp4 @1000-1999 -1/1",
            "#EXTINF:4.000,",
            "m.mp4 @2000-2999 -1/1",
            "#EXT-X-ENDLIST");
  }

  @Test
  void hasNoMap_whereSegmentsInitializeThemselves() throws ExchangeException {
    Mpd mpd = film("PT8S", "duration='4' media='s$Number$.mp4'", "");

    assertThat(Written.media(mpd, ID))
        .contains("s1.mp4 alone", "s2.mp4 alone")
        .noneMatch(line -> line.startsWith("#EXT-X-MAP"));
  }

  @Test
  void listsATextFileAsOneSegment() throws ExchangeException {
    Mpd mpd =
        Written.fixed(
            "mediaPresentationDuration='PT60.5S'",
            "<Period>"
                + "<AdaptationSet id='t' mimeType='text/vtt' lang='en'>"
                + "<Representation id='s' bandwidth='1'><BaseURL>s.vtt</BaseURL></Representation>"
                + "</AdaptationSet></Period>");

    assertThat(Profile.find(mpd, "t_s_1").orElseThrow().indexed()).isEmpty();
    assertThat(Written.media(mpd, "t_s_1"))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-TARGETDURATION:61",
            "#EXT-X-MEDIA-SEQUENCE:1",
            "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXTINF:60.500,",
            "s.vtt alone",
            "#EXT-X-ENDLIST");
  }

  @Test
  void refusesWhatHasNoSegments() {
    assertThatThrownBy(
            () ->
                Written.media(film("PT8S", "duration='4' endNumber='0' media='$Number$'", ""), ID))
        .isInstanceOf(MediaFormatException.class)
        .hasMessage("the MPD lists no segment of this representation");
  }

  @Test
  void takesAsManyAsTheLimit_andNotOneMore() throws ExchangeException {
    int most = StaticSegments.MAX_SEGMENTS;
    String template = "duration='1' media='$Number$'";

    assertThat(durations(Written.media(film("PT" + most + "S", template, ""), ID))).hasSize(most);
    assertThatThrownBy(() -> Written.media(film("PT" + (most + 1) + "S", template, ""), ID))
        .isInstanceOf(MediaFormatException.class)
        .hasMessage("more than 43200 segments in one representation");
  }

  /** 1,026 characters, and 20 for a number: 4,009 are the most. */
  @Test
  void listsFewer_whoseAddressesAreLong() throws ExchangeException {
    String template = "duration='1' media='" + "x".repeat(1004) + "$Number$'";

    assertThat(durations(Written.media(film("PT4009S", template, ""), ID))).hasSize(4009);
    assertThatThrownBy(() -> Written.media(film("PT4010S", template, ""), ID))
        .isInstanceOf(MediaFormatException.class)
        .hasMessage("more than 4009 segments in one representation");
  }

  /** Whole lines, whatever the pieces; what is held does not grow with what is written. */
  @Test
  void isWrittenInPieces() throws ExchangeException {
    Presentation presentation =
        Written.presentation(film("PT4000S", "duration='1' media='$Number$'", ""), Written.EPOCH);
    MediaPlaylist playlist =
        MediaPlaylist.of(
            presentation,
            Profile.find(presentation.mpd(), ID).orElseThrow(),
            Written.options(""),
            new Written.ShownLinks(),
            new SequenceTracker());
    ByteBuilder piece = new ByteBuilder(1 << 10);
    int pieces = 1;
    while (playlist.write(piece.clear(), 1_000)) {
      assertThat(piece.length()).isBetween(1_000, 1_100);
      pieces++;
    }
    assertThat(piece.toString()).endsWith("#EXT-X-ENDLIST");
    assertThat(pieces).isGreaterThan(60);
    assertThat(playlist.heldBytes()).isBetween(4000L * 300, 4000L * 400);
  }

  private static List<BigDecimal> durations(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("#EXTINF:"))
        .map(line -> new BigDecimal(line.substring(8, line.length() - 1)))
        .toList();
  }

  private static BigDecimal sum(List<BigDecimal> durations) {
    return durations.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** What follows on the first map. */
  private static List<String> withoutHead(List<String> lines) {
    int map =
        lines.indexOf(lines.stream().filter(l -> l.contains("-MAP:")).findFirst().orElseThrow());
    return lines.subList(map + 1, lines.size());
  }

  private static Mpd film(String duration, String template, String timeline)
      throws ExchangeException {
    return filmOf(duration, "<SegmentTemplate " + template + ">" + timeline + "</SegmentTemplate>");
  }

  private static Mpd film(String duration, String template, String timeline, String codecs)
      throws ExchangeException {
    String addressing = "<SegmentTemplate " + template + ">" + timeline + "</SegmentTemplate>";
    return Written.fixed(
        "mediaPresentationDuration='" + duration + "'",
        "<Period>" + representation(codecs, addressing) + "</Period>");
  }

  private static String representation(String codecs, String addressing) {
    return "<AdaptationSet id='1' mimeType='video/mp4'><Representation id='v' bandwidth='9' codecs='"
        + codecs
        + "'>"
        + addressing
        + "</Representation></AdaptationSet>";
  }

  private static Mpd filmOf(String duration, String addressing) throws ExchangeException {
    return Written.fixed(
        "mediaPresentationDuration='" + duration + "'",
        "<Period><AdaptationSet id='1' mimeType='video/mp4'><Representation id='v' bandwidth='9'>"
            + addressing
            + "</Representation></AdaptationSet></Period>");
  }

  private static String timeline(String entries) {
    return "<SegmentTimeline>" + entries + "</SegmentTimeline>";
  }

  private static String period(String duration, String base, String sets) {
    return "<Period duration='"
        + duration
        + "'><BaseURL>"
        + base
        + "/</BaseURL>"
        + sets
        + "</Period>";
  }

  private static String video(String id, String template) {
    return "<AdaptationSet id='1' mimeType='video/mp4'><SegmentTemplate "
        + template
        + ADDRESSES
        + "/><Representation id='"
        + id
        + "' bandwidth='9'/></AdaptationSet>";
  }

  private static String ladder(String set, int... heights) {
    StringBuilder ladder =
        new StringBuilder("<AdaptationSet id='" + set + "' mimeType='video/mp4'><SegmentTemplate")
            .append(" duration='4'" + ADDRESSES + "/>");
    for (int height : heights) {
      ladder.append("<Representation id='" + set + height + "' height='" + height);
      ladder.append("' bandwidth='" + height + "'/>");
    }
    return ladder.append("</AdaptationSet>").toString();
  }
}
