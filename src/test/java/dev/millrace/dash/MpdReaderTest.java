package dev.millrace.dash;

import static dev.millrace.dash.MpdText.first;
import static dev.millrace.dash.MpdText.live;
import static dev.millrace.dash.MpdText.mpd;
import static dev.millrace.dash.MpdText.onDemand;
import static dev.millrace.dash.MpdText.read;
import static dev.millrace.dash.MpdText.video;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.dash.AdaptationSet.Kind;
import dev.millrace.dash.Mpd.UtcTiming;
import dev.millrace.dash.Representation.ContentProtection;
import dev.millrace.stream.MediaFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MpdReaderTest {
  private static final String TEMPLATE = "<SegmentTemplate duration='2' media='$Number$.m4s'/>";

  @Test
  void readsWhatIsSaidOfTheWhole() throws Exception {
    Mpd mpd =
        read(
            live(
                "publishTime='2026-01-01T12:30:00Z' minimumUpdatePeriod='PT0S'"
                    + " timeShiftBufferDepth='PT1M' maxSegmentDuration='PT4S'"
                    + " suggestedPresentationDelay='PT9S'",
                "<Location>next.mpd</Location><PatchLocation ttl='9'>/p</PatchLocation>"
                    + "<UTCTiming schemeIdUri='urn:mpeg:dash:utc:DIRECT:2014' value='x'/>"
                    + "<BaseURL>media/</BaseURL><Period id='p' start='PT0S'/>"));
    assertThat(mpd.isDynamic()).isTrue();
    assertThat(mpd.publishTime()).contains(Instant.parse("2026-01-01T12:30:00Z"));
    assertThat(mpd.minimumUpdatePeriod()).contains(Duration.ZERO);
    assertThat(mpd.timeShiftBufferDepth()).contains(Duration.ofMinutes(1));
    assertThat(mpd.maxSegmentDuration()).contains(Duration.ofSeconds(4));
    assertThat(mpd.suggestedPresentationDelay()).contains(Duration.ofSeconds(9));
    assertThat(mpd.locations()).containsExactly("http://origin.example/live/next.mpd");
    assertThat(mpd.patchLocation()).contains("http://origin.example/p");
    assertThat(mpd.utcTimings())
        .containsExactly(new UtcTiming("urn:mpeg:dash:utc:direct:2014", "x"));
    assertThat(mpd.periods()).extracting(Period::id).containsExactly("p");
  }

  @Test
  void dropsAttributesThatCannotBeRead() throws Exception {
    Mpd mpd =
        read(
            mpd(
                "type='dynamic' availabilityStartTime='soon' timeShiftBufferDepth='-PT1S'",
                "<Period/>"));
    assertThat(mpd.availabilityStartTime()).isEmpty();
    assertThat(mpd.timeShiftBufferDepth()).isEmpty();
  }

  @Test
  void resolvesBaseUrlsLevelByLevel() throws Exception {
    Representation representation =
        first(
            read(
                onDemand(
                    "PT2S",
                    "<BaseURL>../period/</BaseURL><AdaptationSet mimeType='video/mp4'>"
                        + "<BaseURL>set/</BaseURL><Representation id='v'>"
                        + "<BaseURL>//cdn.example/r/</BaseURL>"
                        + "<BaseURL>r/</BaseURL>"
                        + TEMPLATE
                        + "</Representation></AdaptationSet>")));
    assertThat(representation.baseUrls())
        .containsExactly("http://cdn.example/r/", "http://origin.example/period/set/r/");
    assertThat(representation.addressing())
        .isInstanceOfSatisfying(
            Addressing.SegmentTemplate.class,
            template ->
                assertThat(template.media().expand(1, 0)).isEqualTo("http://cdn.example/r/1.m4s"));
  }

  @Test
  void prefersBaseUrlsOfLowPriority() throws Exception {
    Mpd mpd =
        read(
            mpd(
                "xmlns:dvb='urn:dvb:dash'",
                "<BaseURL dvb:priority='2'>http://b.example/</BaseURL>"
                    + "<BaseURL>http://a.example/</BaseURL><Period>"
                    + video(TEMPLATE)
                    + "</Period>"));
    assertThat(first(mpd).baseUrls()).containsExactly("http://a.example/", "http://b.example/");
  }

  @Test
  void limitsAlternatives() throws Exception {
    String bases =
        "<BaseURL>http://a/</BaseURL><BaseURL>http://b/</BaseURL><BaseURL>http://c/</BaseURL>";
    String more = "<BaseURL>1/</BaseURL><BaseURL>2/</BaseURL><BaseURL>3/</BaseURL>";
    Mpd mpd = read(mpd("", bases + "<Period>" + more + video(TEMPLATE) + "</Period>"));
    assertThat(first(mpd).baseUrls()).hasSize(BaseUrls.MAX_ALTERNATIVES);
  }

  @ParameterizedTest
  @CsvSource({
    "?seg=$Number$, http://origin.example/live/manifest.mpd?seg=1",
    "/a/$RepresentationID$, http://origin.example/a/v",
    "https://x.example/y?z=1, https://x.example/y?z=1",
    "a b\"<ü>.m4s, http://origin.example/live/a%20b%22%3C%C3%BC%3E.m4s",
    "a%20b.m4s, http://origin.example/live/a%20b.m4s",
  })
  void makesAddressesAbsoluteAndValid(String media, String url) throws Exception {
    String escaped = media.replace("<", "&lt;").replace("\"", "&quot;");
    Mpd mpd = read(onDemand("PT1S", video("<SegmentTemplate media=\"" + escaped + "\"/>")));
    assertThat(MpdText.plan(mpd).get(0).part().url()).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$Foo$", "ftp://x/y", "data:,x", "$Number%0999d$"})
  void dropsRepresentationsWhoseAddressesCannotBe(String media) throws Exception {
    Mpd mpd = read(onDemand("PT1S", video("<SegmentTemplate media='" + media + "'/>")));
    assertThat(mpd.periods().get(0).adaptationSets().get(0).representations()).isEmpty();
  }

  @Test
  void mergesTemplatesAttributeByAttribute() throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                "<SegmentTemplate timescale='10' startNumber='5' initialization='i-$RepresentationID$'"
                    + " duration='40'><SegmentTimeline><S d='7'/></SegmentTimeline></SegmentTemplate>"
                    + "<AdaptationSet mimeType='video/mp4'><SegmentTemplate duration='20'/>"
                    + "<Representation id='v'><SegmentTemplate media='$Number$' startNumber='x'/>"
                    + "</Representation></AdaptationSet>"));
    Addressing.SegmentTemplate template = (Addressing.SegmentTemplate) first(mpd).addressing();
    assertThat(template.timescale()).isEqualTo(10);
    assertThat(template.firstNumber()).isEqualTo(5);
    assertThat(template.duration()).hasValue(20);
    assertThat(template.timeline()).isEmpty();
    assertThat(template.initialization())
        .contains(new Addressing.Part("http://origin.example/live/i-v", Optional.empty()));
  }

  @Test
  void readsInitializationElements() throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                video(
                    "<BaseURL>v.mp4</BaseURL><SegmentTemplate media='$Number$'>"
                        + "<Initialization range='0-99'/></SegmentTemplate>")));
    assertThat(first(mpd).addressing().initialization())
        .contains(new Addressing.Part("http://origin.example/live/v.mp4", Optional.of("0-99")));
  }

  @Test
  void takesWhatIsBeforeTheIndexForTheInitialization() throws Exception {
    Mpd mpd =
        read(
            onDemand("PT8S", video("<BaseURL>v.mp4</BaseURL><SegmentBase indexRange='800-900'/>")));
    assertThat(first(mpd).addressing())
        .isEqualTo(
            new Addressing.SegmentBase(
                1,
                0,
                Optional.of(
                    new Addressing.Part("http://origin.example/live/v.mp4", Optional.of("0-799"))),
                "http://origin.example/live/v.mp4",
                Optional.of("800-900")));
  }

  @ParameterizedTest
  @CsvSource({
    "contentType='audio', , AUDIO, audio/mp4",
    "mimeType='video/mp4', , VIDEO, video/mp4",
    ", mimeType='audio/webm', AUDIO, audio/webm",
    ", codecs='avc1.64001f', VIDEO, video/mp4",
    "contentType='audio', codecs='hvc1.1', VIDEO, video/mp4",
    "mimeType='video/mp4', codecs='mp4a.40.2', AUDIO, video/mp4",
    ", width='1920', VIDEO, video/mp4",
    ", audioSamplingRate='48000', AUDIO, audio/mp4",
    "mimeType='application/mp4', codecs='stpp.ttml.im1t', TEXT, application/mp4",
    "contentType='text', , TEXT, text/vtt",
    "mimeType='application/ttml+xml', , TEXT, application/ttml+xml",
    "mimeType='image/jpeg', , IMAGE, image/jpeg",
    "mimeType='application/octet-stream', , OTHER, application/octet-stream",
    ", , VIDEO, video/mp4",
    "mimeType='video/mp4 profiles=cmfc', , VIDEO, video/mp4",
  })
  void guessesKinds(String set, String representation, Kind kind, String mimeType)
      throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                "<AdaptationSet "
                    + orNothing(set)
                    + "><Representation "
                    + orNothing(representation)
                    + ">"
                    + TEMPLATE
                    + "</Representation></AdaptationSet>"));
    assertThat(mpd.periods().get(0).adaptationSets().get(0).kind()).isEqualTo(kind);
    assertThat(first(mpd).mimeType()).isEqualTo(mimeType);
  }

  private static String orNothing(String attributes) {
    return attributes == null ? "" : attributes;
  }

  @Test
  void readsWhatSetsSayOfThemselves() throws Exception {
    AdaptationSet set =
        read(onDemand(
                "PT8S",
                "<AdaptationSet id='7' lang='de' contentType='audio'><Label> Ton </Label>"
                    + "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='dub'/>"
                    + "<Role schemeIdUri='urn:other' value='x'/>"
                    + "<Accessibility schemeIdUri='urn:a' value='1'/>"
                    + "<AudioChannelConfiguration schemeIdUri='urn:x' value='9'/>"
                    + "<AudioChannelConfiguration value='F801'"
                    + " schemeIdUri='tag:dolby.com,2014:dash:audio_channel_configuration:2011'/>"
                    + "<Representation id='a' audioSamplingRate='48000 96000'>"
                    + TEMPLATE
                    + "</Representation></AdaptationSet>"))
            .periods()
            .get(0)
            .adaptationSets()
            .get(0);
    assertThat(set.id()).isEqualTo("7");
    assertThat(set.language()).contains("de");
    assertThat(set.label()).contains("Ton");
    assertThat(set.roles()).containsExactly("dub");
    assertThat(set.accessibilities()).containsExactly("urn:a=1");
    assertThat(set.representations().get(0).channels()).hasValue(6);
    assertThat(set.representations().get(0).audioSamplingRate()).hasValue(48_000);
  }

  @ParameterizedTest
  @CsvSource({
    "urn:mpeg:dash:23003:3:audio_channel_configuration:2011, 6, 6",
    "urn:mpeg:mpegB:cicp:ChannelConfiguration, 7, 8",
    "urn:mpeg:mpegB:cicp:ChannelConfiguration, 20, 14",
    "urn:dolby:dash:audio_channel_configuration:2011, FA01, 8",
    "urn:dolby:dash:audio_channel_configuration:2011, a000, 2",
  })
  void countsChannels(String scheme, String value, int channels) throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                video(
                    TEMPLATE
                        + "<AudioChannelConfiguration schemeIdUri='"
                        + scheme
                        + "' value='"
                        + value
                        + "'/>")));
    assertThat(first(mpd).channels()).hasValue(channels);
  }

  @ParameterizedTest
  @CsvSource({"16, PQ", "18, HLG", "1, SDR"})
  void readsTheVideoRange(String transfer, String range) throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                video(
                    TEMPLATE
                        + "<EssentialProperty schemeIdUri='urn:mpeg:mpegB:cicp:TransferCharacteristics'"
                        + " value='"
                        + transfer
                        + "'/>")));
    assertThat(first(mpd).videoRange()).contains(range);
  }

  @Test
  void marksWhatIsNotPlayed() throws Exception {
    String trick =
        "<EssentialProperty schemeIdUri='http://dashif.org/guidelines/trickmode' value='1'/>";
    String tiles =
        "<EssentialProperty schemeIdUri='http://dashif.org/guidelines/thumbnail_tile' value='8x8'/>";
    String unknown = "<EssentialProperty schemeIdUri='urn:unknown' value='1'/>";
    String remote = "<AdaptationSet xlink:href='http://h/' mimeType='video/mp4'/>";
    Mpd mpd = read(onDemand("PT8S", set(trick) + set(tiles) + set(unknown) + remote + set("")));
    List<AdaptationSet> sets = mpd.periods().get(0).adaptationSets();
    assertThat(sets)
        .extracting(AdaptationSet::isPlayed)
        .containsExactly(false, false, false, false, true);
    assertThat(sets.get(0).isTrickMode()).isTrue();
    assertThat(sets.get(1).kind()).isEqualTo(Kind.IMAGE);
    assertThat(sets.get(2).isUnusable()).isTrue();
    assertThat(sets.get(3).isUnusable()).isTrue();
  }

  private static String set(String descriptor) {
    return "<AdaptationSet mimeType='video/mp4'>"
        + descriptor
        + "<Representation id='v'>"
        + TEMPLATE
        + "</Representation></AdaptationSet>";
  }

  @Test
  void readsProtection() throws Exception {
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                set(
                    "<ContentProtection schemeIdUri='urn:mpeg:dash:mp4protection:2011' value='cenc'"
                        + " cenc:default_KID='43215678-1234-1234-1234-1234567890AB'/>"
                        + "<ContentProtection schemeIdUri='urn:uuid:EDEF'><cenc:pssh>x</cenc:pssh>"
                        + "</ContentProtection>")));
    assertThat(mpd.isProtected()).isTrue();
    assertThat(first(mpd).protections())
        .containsExactly(
            new ContentProtection(
                "urn:mpeg:dash:mp4protection:2011",
                Optional.of("432156781234123412341234567890ab")),
            new ContentProtection("urn:uuid:edef", Optional.empty()));
  }

  @Test
  void namesProfilesAsLinksDo() throws Exception {
    String representations =
        "<Representation id='a' bandwidth='1'>"
            + TEMPLATE
            + "</Representation>"
            + "<Representation bandwidth='1'>"
            + TEMPLATE
            + "</Representation>"
            + "<Representation bandwidth='x'>"
            + TEMPLATE
            + "</Representation>";
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                "<AdaptationSet id='5' mimeType='video/mp4'>"
                    + representations
                    + "</AdaptationSet>"
                    + "<AdaptationSet mimeType='video/mp4'>"
                    + representations
                    + "</AdaptationSet>"
                    + "<AdaptationSet mimeType='video/mp4'>"
                    + representations
                    + "</AdaptationSet>"));
    assertThat(mpd.periods().get(0).adaptationSets())
        .flatExtracting(AdaptationSet::representations)
        .extracting("profileId")
        .containsExactly(
            "5_a_1", "5_5_1", "5_5_0", "0_a_1", "0_0_1", "0_0_0", "0_a_1_2", "0_0_1_2", "0_0_0_2");
  }

  @Test
  void placesPeriods() throws Exception {
    Mpd mpd =
        read(
            mpd(
                "mediaPresentationDuration='PT60S'",
                "<Period duration='PT10S'/><Period/><Period start='PT30S' duration='PT5S'/>"
                    + "<Period start='PT40S'/>"));
    assertThat(mpd.periods())
        .extracting(
            period ->
                period.start().toSeconds() + "+" + period.duration().orElseThrow().toSeconds())
        .containsExactly("0+10", "10+20", "30+5", "40+20");
  }

  @Test
  void placesPeriodsByWhatIsListed_whenNothingElseIsSaid() throws Exception {
    String timeline =
        "<SegmentTemplate timescale='10' media='$Time$'><SegmentTimeline><S d='25' r='3'/></SegmentTimeline></SegmentTemplate>";
    Mpd mpd = read(mpd("", "<Period>" + video(timeline) + "</Period><Period/>"));
    assertThat(mpd.periods().get(1).start()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void leavesOutPeriodsThatAreNotYetPlaced() throws Exception {
    Mpd mpd = read(live("", "<Period id='a' start='PT0S'/><Period id='b'/>"));
    assertThat(mpd.periods()).extracting(Period::id).containsExactly("a");
    assertThat(mpd.periods().get(0).duration()).isEmpty();
  }

  @Test
  void leavesOutPeriodsThatAreElsewhere() throws Exception {
    Mpd mpd =
        read(
            mpd(
                "mediaPresentationDuration='PT60S' xmlns:xlink='http://www.w3.org/1999/xlink'",
                "<Period id='a'/><Period id='b' xlink:href='http://ads.example/' xlink:actuate='onLoad'/>"
                    + "<Period id='c' start='PT20S'/>"));
    assertThat(mpd.periods()).extracting(Period::id).containsExactly("a", "c");
  }

  @Test
  void knowsPrefixesOtherNamespacesAndComments() throws Exception {
    Mpd mpd =
        read(
            "\n<?xml version='1.0'?><!-- made by hand --><d:MPD xmlns:d='urn:mpeg:dash:schema:mpd:2011'"
                + " xmlns:o='urn:other'><d:Period id='a'/><o:Period id='b'/><Period id='c'/>"
                + "<u:Period id='d'/><e:Period xmlns:e='urn:mpeg:DASH:schema:MPD:2011' id='e'/></d:MPD>");
    assertThat(mpd.periods()).extracting(Period::id).containsExactly("a", "e");
  }

  @Test
  void readsByteOrderMarksAndUtf16() throws Exception {
    String xml = onDemand("PT8S", video("<SegmentTemplate media='ü'/>"));
    assertThat(read(("\ufeff" + xml).getBytes(UTF_8)).periods()).hasSize(1);
    Mpd mpd = read(("<?xml version='1.0' encoding='UTF-16'?>" + xml).getBytes(UTF_16));
    assertThat(MpdText.plan(mpd).get(0).part().url()).endsWith("/%C3%BC");
  }

  /** What it takes could not be told before it is read. */
  @ParameterizedTest
  @ValueSource(strings = {"IBM037", "Cp037", "IBM-1047"})
  void refusesEncodingsWithOtherTags(String encoding) throws Exception {
    String xml = onDemand("PT8S", video("<SegmentTemplate media='m'/>"));
    byte[] bytes = ("<?xml version='1.0' encoding='" + encoding + "'?>" + xml).getBytes("IBM037");
    assertThatThrownBy(() -> read(bytes)).isInstanceOf(MediaFormatException.class);
    assertThat(mostBytes(new String(bytes, ISO_8859_1))).isZero();
  }

  @Test
  void readsLegacyEncodings() throws Exception {
    String xml = onDemand("PT8S", video("<SegmentTemplate media='ü'/>"));
    for (String encoding : List.of("ISO-8859-1", "windows-1252", "GB18030")) {
      String text = "<?xml version='1.0' encoding='" + encoding + "'?>" + xml;
      assertThat(read(text.getBytes(encoding)).periods()).as(encoding).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|The MPD is empty",
        "<html/>|It is no MPD: its root element is html (expected: MPD)",
        "<Patch/>|It is no MPD: its root element is Patch (expected: MPD)",
        "<MPD><Period></MPD>|The MPD is not well-formed XML: line 1, column 16",
        "<MPD>&nbsp;</MPD>|The MPD is not well-formed XML: line 1, column 12",
        "#EXTM3U|The MPD is not well-formed XML: line 1, column 1",
        "<!DOCTYPE MPD SYSTEM 'file:///etc/passwd'><MPD/>|The MPD has a document type declaration",
        "<!DOCTYPE MPD [<!ENTITY a 'b'>]><MPD>&a;</MPD>|The MPD has a document type declaration",
      })
  void refusesWithTheReason(String xml, String reason) {
    assertThatThrownBy(() -> read(xml)).isInstanceOf(MediaFormatException.class).hasMessage(reason);
  }

  @Test
  void limitsBytes() throws Exception {
    String mpd = onDemand("PT8S", "");
    String padded = mpd + " ".repeat(MpdReader.MAX_BYTES - mpd.length());
    assertThat(read(padded).periods()).hasSize(1);
    assertThatThrownBy(() -> read(padded + " ")).hasMessage("The MPD has more than 10485760 bytes");
  }

  @Test
  void limitsDepth() throws Exception {
    assertThat(read(onDemand("PT8S", nested(MpdTree.MAX_DEPTH - 2))).periods()).hasSize(1);
    assertThatThrownBy(() -> read(onDemand("PT8S", nested(MpdTree.MAX_DEPTH - 1))))
        .hasMessageContaining("nested more than 32 deep");
  }

  private static String nested(int levels) {
    return "<x>".repeat(levels) + "</x>".repeat(levels);
  }

  @Test
  void limitsElements() throws Exception {
    assertThat(read(onDemand("PT8S", "<x/>".repeat(MpdTree.MAX_ELEMENTS - 2))).periods())
        .hasSize(1);
    assertThatThrownBy(() -> read(onDemand("PT8S", "<x/>".repeat(MpdTree.MAX_ELEMENTS - 1))))
        .hasMessageContaining("more than 250000 elements");
  }

  @Test
  void limitsRepresentations() throws Exception {
    int most = AdaptationSetReader.MAX_REPRESENTATIONS;
    String set = "<AdaptationSet>%s</AdaptationSet>";
    assertThat(read(onDemand("PT8S", set.formatted("<Representation/>".repeat(most)))).periods())
        .hasSize(1);
    assertThatThrownBy(
            () -> read(onDemand("PT8S", set.formatted("<Representation/>".repeat(most + 1)))))
        .hasMessageContaining("more than 50000 representations");
  }

  @Test
  void limitsDescriptors() throws Exception {
    String role = "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='%d'/>";
    StringBuilder roles = new StringBuilder();
    for (int i = 0; i <= MpdTree.MAX_SAME; i++) {
      roles.append(role.formatted(i));
    }
    AdaptationSet set =
        read(onDemand("PT8S", set(roles.toString()))).periods().get(0).adaptationSets().get(0);
    assertThat(set.roles()).hasSize(MpdTree.MAX_SAME).endsWith("63");
  }

  @Test
  void namesManyEqualProfilesQuickly() throws Exception {
    String representation = "<Representation>" + TEMPLATE + "</Representation>";
    Mpd mpd =
        read(
            onDemand(
                "PT8S", "<AdaptationSet>" + representation.repeat(20_000) + "</AdaptationSet>"));
    assertThat(mpd.periods().get(0).adaptationSets().get(0).representations())
        .extracting(Representation::profileId)
        .doesNotHaveDuplicates()
        .endsWith("0_0_0_20000");
  }

  @Test
  void limitsAddressesTogether() {
    String base = "<BaseURL>" + "x".repeat(16_000) + "/</BaseURL>";
    String set = "<AdaptationSet>" + base + "%s</AdaptationSet>";
    String representation = "<Representation>" + TEMPLATE + "</Representation>";
    assertThatThrownBy(() -> read(onDemand("PT8S", set.formatted(representation.repeat(2_200)))))
        .hasMessageContaining("addresses are more than 4194304 characters together");
  }

  @Test
  void limitsOneAddress() throws Exception {
    String longest = "x".repeat(BaseUrls.MAX_LENGTH - MpdText.BASE.length());
    Mpd mpd =
        read(
            onDemand(
                "PT8S",
                video("<SegmentTemplate media='" + longest + "'/>")
                    + video("<SegmentTemplate media='" + longest + "x'/>")));
    assertThat(mpd.periods().get(0).adaptationSets())
        .extracting(set -> set.representations().size())
        .containsExactly(1, 0);
  }

  @Test
  void saysThatTheStreamFailed() {
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream("<MPD><Period>".getBytes(UTF_8)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("reset by peer");
              }

              @Override
              public int read(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException("reset by peer");
              }
            });
    assertThatThrownBy(() -> MpdReader.read(broken, MpdText.URL))
        .isInstanceOf(MediaFormatException.class)
        .hasMessage("The MPD cannot be read to its end");
  }

  private static long mostBytes(String xml) throws IOException {
    return MpdReader.mostBytes(new ByteArrayInputStream(xml.getBytes(UTF_8)));
  }

  @Test
  void saysWhatReadingTakes() throws IOException {
    assertThat(mostBytes(" ".repeat(1 << 20) + "<!-- x --><?x y?>")).isZero();
    assertThat(mostBytes("<Period a='1'></Period>")).isEqualTo(320 + 2 * 13);
    assertThat(mostBytes("<S d='1'/>".repeat(1000))).isEqualTo(1000 * (80 + 2 * 9));
  }

  /** By what the JVM says: the greatest that is let through, and the worst of its kind. */
  @ParameterizedTest
  @ValueSource(strings = {"<SegmentURL/>", "<SegmentURL media='1'/>", "<S d='1'/>"})
  void takesNoMoreThanItSays(String element) throws IOException {
    String list = element.repeat(40_000);
    String addressing =
        element.startsWith("<S ")
            ? "<SegmentTemplate media='$Time$'><SegmentTimeline>"
                + list
                + "</SegmentTimeline></SegmentTemplate>"
            : "<SegmentList duration='1'>" + list + "</SegmentList>";
    String xml = onDemand("PT40000S", video(addressing));
    MpdReader.read(new ByteArrayInputStream(xml.getBytes(UTF_8)), MpdText.URL);
    long before = usedAfterCollection();
    Mpd mpd = MpdReader.read(new ByteArrayInputStream(xml.getBytes(UTF_8)), MpdText.URL);
    long held = usedAfterCollection() - before;
    assertThat(mpd.periods()).hasSize(1);
    assertThat(held).isLessThan(mostBytes(xml));
  }

  private static long usedAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
