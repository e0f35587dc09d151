package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MultivariantPlaylistTest {
  private static final String TEMPLATE =
      "<SegmentTemplate timescale=\"1\" duration=\"4\" initialization=\"$RepresentationID$.mp4\""
          + " media=\"$RepresentationID$-$Number$.m4s\"/>";

  @Test
  void listsVariantsWithBothGroups() throws ExchangeException {
    String video =
        set(
            "id='1' contentType='video' mimeType='video/mp4'",
            "",
            "id='v1' bandwidth='1000000' width='1280' height='720' frameRate='30000/1001'"
                + " codecs='avc1.64001f'",
            "id='v2' bandwidth='3000000' width='1920' height='1080' frameRate='25'"
                + " codecs='hvc1.1.6.L120.90'");
    String audio =
        set(
            "id='2' contentType='audio' mimeType='audio/mp4' lang='de'",
            "<AudioChannelConfiguration"
                + " schemeIdUri='urn:mpeg:dash:23003:3:audio_channel_configuration:2011'"
                + " value='6'/>",
            "id='a1' bandwidth='256000' codecs='ec-3'");
    String english =
        set(
            "id='3' contentType='audio' mimeType='audio/mp4' lang='en'",
            "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='main'/>",
            "id='a2' bandwidth='128000' codecs='mp4a.40.2'");
    String subtitles =
        set(
            "id='4' contentType='text' mimeType='application/mp4' lang='en'",
            "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='caption'/>",
            "id='s1' bandwidth='1000' codecs='wvtt'");

    assertThat(listed(video, audio, english, subtitles))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"Audio en (128000)\",DEFAULT=YES,"
                + "AUTOSELECT=YES,LANGUAGE=\"en\",URI=\"playlist/3_a2_128000\"",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"Audio de (256000)\",DEFAULT=NO,"
                + "AUTOSELECT=YES,LANGUAGE=\"de\",CHANNELS=\"6\",URI=\"playlist/2_a1_256000\"",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subtitles\",NAME=\"Subtitles en\",DEFAULT=NO,"
                + "AUTOSELECT=YES,LANGUAGE=\"en\",CHARACTERISTICS=\""
                + "public.accessibility.transcribes-spoken-dialog,"
                + "public.accessibility.describes-music-and-sound\",URI=\"playlist/4_s1_1000\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=3256000,RESOLUTION=1920x1080,"
                + "CODECS=\"hvc1.1.6.L120.90,mp4a.40.2,ec-3,wvtt\",FRAME-RATE=25.0,"
                + "AUDIO=\"audio\",SUBTITLES=\"subtitles\"",
            "playlist/1_v2_3000000",
            "#EXT-X-STREAM-INF:BANDWIDTH=1256000,RESOLUTION=1280x720,"
                + "CODECS=\"avc1.64001f,mp4a.40.2,ec-3,wvtt\",FRAME-RATE=29.97,"
                + "AUDIO=\"audio\",SUBTITLES=\"subtitles\"",
            "playlist/1_v1_1000000");
  }

  @Test
  void listsTheGreatestHeightOnly_ifTransportStreamsAreWanted() throws ExchangeException {
    String video =
        set(
            "id='1' contentType='video' mimeType='video/mp4'",
            "",
            "id='v1' bandwidth='1000' width='1280' height='720' codecs='avc1.64001f'",
            "id='v2' bandwidth='2000' width='1920' height='1080' frameRate='25'"
                + " codecs='avc1.640028'");

    assertThat(Written.ofTransportStreams(mpd(video)))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:3",
            "#EXT-X-STREAM-INF:BANDWIDTH=2000,RESOLUTION=1920x1080,CODECS=\"avc1.640028\"",
            "playlist/1_v2_2000");
  }

  @ParameterizedTest
  @CsvSource({"720,720", "1000,720", "1080,1080", "5000,1080", "100,480", "480,480"})
  void picksTheVariantOfAHeight(int wanted, int height) throws ExchangeException {
    Mpd mpd = mpd(videos("1920 1080 3000", "1280 720 1500", "854 480 700", "0 0 9000"));

    assertThat(variants(Written.multivariant(mpd, wanted)))
        .singleElement()
        .asString()
        .endsWith("x" + height);
  }

  @Test
  void doesNotPick_whenNoHeightIsKnown() throws ExchangeException {
    Mpd mpd = mpd(videos("0 0 3000", "0 0 1500"));

    assertThat(variants(Written.multivariant(mpd, 720)))
        .containsExactly("#EXT-X-STREAM-INF:BANDWIDTH=3000", "#EXT-X-STREAM-INF:BANDWIDTH=1500");
  }

  @Test
  void listsTheBestOfEachHeight_andFiveAtMost() throws ExchangeException {
    String[] ladder =
        IntStream.rangeClosed(1, 12)
            .mapToObj(i -> "160 " + 90 * ((i + 1) / 2) + " " + 1000 * i)
            .toArray(String[]::new);

    assertThat(variants(Written.multivariant(mpd(videos(ladder)))))
        .containsExactly(
            "#EXT-X-STREAM-INF:BANDWIDTH=12000,RESOLUTION=160x540",
            "#EXT-X-STREAM-INF:BANDWIDTH=10000,RESOLUTION=160x450",
            "#EXT-X-STREAM-INF:BANDWIDTH=8000,RESOLUTION=160x360",
            "#EXT-X-STREAM-INF:BANDWIDTH=6000,RESOLUTION=160x270",
            "#EXT-X-STREAM-INF:BANDWIDTH=4000,RESOLUTION=160x180");
  }

  @Test
  void listsEachRepresentationIdOnce() throws ExchangeException {
    String first = set("id='1' mimeType='video/mp4'", "", "id='v' bandwidth='2' height='720'");
    String second = set("id='2' mimeType='video/mp4'", "", "id='v' bandwidth='1' height='480'");

    assertThat(listed(first, second)).contains("playlist/1_v_2").doesNotContain("playlist/2_v_1");
  }

  @Test
  void listsFourLanguages_theMostBitsFirst() throws ExchangeException {
    String audios =
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> audio("l" + i, 1000 * i) + audio("l" + i, 100 * i))
            .collect(Collectors.joining());

    assertThat(listed(videos("16 9 1"), audios))
        .filteredOn(line -> line.contains("TYPE=AUDIO"))
        .extracting(line -> line.replaceAll(".*LANGUAGE=\"(..)\".*_(\\d+)\"", "$1 $2"))
        .containsExactly("l9 9000", "l8 8000", "l7 7000", "l6 6000");
  }

  @Test
  void namesAudioWithoutLanguage() throws ExchangeException {
    String audio = set("id='2' mimeType='audio/mp4'", "", "id='a' codecs='mp4a.40.2'");

    assertThat(listed(videos("16 9 1"), audio))
        .contains(
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"Audio 1 (0)\",DEFAULT=YES,"
                + "AUTOSELECT=YES,LANGUAGE=\"und\",URI=\"playlist/2_a_0\"");
  }

  @Test
  void prefersAudioThatIsNoDescription() throws ExchangeException {
    String description =
        set(
            "id='2' mimeType='audio/mp4' lang='en'",
            "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='description'/>",
            "id='d' bandwidth='300' codecs='mp4a.40.2'");

    assertThat(listed(videos("16 9 1"), description, audio("en", 200), audio("fr", 100)))
        .filteredOn(line -> line.contains("TYPE=AUDIO"))
        .extracting(line -> line.replaceAll(".*NAME=\"([^\"]*)\".*", "$1"))
        .containsExactly("Audio en (200)", "Audio fr (100)");
  }

  @Test
  void describesDescriptions() throws ExchangeException {
    String description =
        set(
            "id='2' mimeType='audio/mp4' lang='en'",
            "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='description'/>",
            "id='d' bandwidth='300' codecs='mp4a.40.2'");

    assertThat(listed(videos("16 9 1"), description))
        .anyMatch(
            line -> line.contains(",CHARACTERISTICS=\"public.accessibility.describes-video\","));
  }

  @Test
  void limitsVariantsOfAudio_toThePreferredOnes() throws ExchangeException {
    String[] audios = new String[MultivariantPlaylist.MAX_AUDIO_VARIANTS + 1];
    for (int i = 0; i < audios.length; i++) {
      audios[i] = audio("l" + i, 1_000 + i);
    }
    List<String> most = listed(Arrays.copyOf(audios, audios.length - 1));
    assertThat(variants(most)).hasSize(MultivariantPlaylist.MAX_AUDIO_VARIANTS);
    assertThat(variants(listed(audios))).hasSize(MultivariantPlaylist.MAX_AUDIO_VARIANTS);
  }

  @Test
  void makesVariantsOfAudio_whenThereIsNoVideo() throws ExchangeException {
    assertThat(listed(audio("de", 300), audio("en", 100), audio("en", 200)))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-STREAM-INF:BANDWIDTH=200,CODECS=\"mp4a.40.2\"",
            "playlist/en200_a_200",
            "#EXT-X-STREAM-INF:BANDWIDTH=300,CODECS=\"mp4a.40.2\"",
            "playlist/de300_a_300",
            "#EXT-X-STREAM-INF:BANDWIDTH=100,CODECS=\"mp4a.40.2\"",
            "playlist/en100_a_100");
  }

  @Test
  void listsVideoAlone() throws ExchangeException {
    assertThat(listed(videos("16 9 77")))
        .containsExactly(
            "#EXTM3U",
            "#EXT-X-VERSION:6",
            "#EXT-X-STREAM-INF:BANDWIDTH=77,RESOLUTION=16x9",
            "playlist/v_v77_77");
  }

  @Test
  void leavesOutWhatIsUnknown() throws ExchangeException {
    String video = set("mimeType='video/mp4'", "", "id='v' height='9' frameRate='x'");

    assertThat(listed(video, audio("en", 5)))
        .contains("#EXT-X-STREAM-INF:BANDWIDTH=5,AUDIO=\"audio\"", "playlist/0_v_0");
  }

  @Test
  void saysABandwidth_whenNoneIsKnown() throws ExchangeException {
    assertThat(listed(set("mimeType='video/mp4'", "", "id='v'")))
        .contains("#EXT-X-STREAM-INF:BANDWIDTH=1");
  }

  @ParameterizedTest
  @CsvSource({"23.976,23.976", "24000/1001,23.976", "25/1,25.0", "50,50.0", "90000/3600,25.0"})
  void saysTheFrameRate(String said, String written) throws ExchangeException {
    String video = set("mimeType='video/mp4'", "", "id='v' bandwidth='1' frameRate='" + said + "'");

    assertThat(listed(video)).contains("#EXT-X-STREAM-INF:BANDWIDTH=1,FRAME-RATE=" + written);
  }

  @ParameterizedTest
  @CsvSource({"0", "25/0", "-25", "x", "NaN", "1e400"})
  void saysNoFrameRate_whenItIsNone(String said) throws ExchangeException {
    String video = set("mimeType='video/mp4'", "", "id='v' bandwidth='1' frameRate='" + said + "'");

    assertThat(listed(video)).contains("#EXT-X-STREAM-INF:BANDWIDTH=1");
  }

  @Test
  void saysTheVideoRange() throws ExchangeException {
    String video =
        set(
            "mimeType='video/mp4'",
            "<SupplementalProperty schemeIdUri='urn:mpeg:mpegB:cicp:TransferCharacteristics'"
                + " value='16'/>",
            "id='v' bandwidth='1'");

    assertThat(listed(video)).contains("#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO-RANGE=PQ");
  }

  @Test
  void leavesOutTrickModeAndPictures() throws ExchangeException {
    String trick =
        set(
            "id='t' mimeType='video/mp4'",
            "<EssentialProperty schemeIdUri='http://dashif.org/guidelines/trickmode' value='v'/>",
            "id='t1' bandwidth='9' height='2160'");
    String pictures =
        set("id='p' contentType='image' mimeType='image/jpeg'", "", "id='p1' bandwidth='9'");

    assertThat(listed(videos("16 9 77"), trick, pictures))
        .filteredOn(line -> line.startsWith("playlist/"))
        .containsExactly("playlist/v_v77_77");
  }

  @Test
  void listsSubtitlesInEveryForm_butNoPicturesAndNoMarkupFiles() throws ExchangeException {
    List<String> lines =
        listed(
            videos("16 9 77"),
            text("a", "application/mp4", "codecs='wvtt'"),
            text("b", "application/mp4", "codecs='stpp.ttml.im1t'"),
            text("c", "application/mp4", "codecs='stpp.ttml.im1i'"),
            file("d", "text/vtt"),
            file("e", "application/ttml+xml"));

    assertThat(lines)
        .filteredOn(line -> line.contains("TYPE=SUBTITLES"))
        .extracting(line -> line.replaceAll(".*URI=\"playlist/(.).*", "$1"))
        .containsExactly("a", "b", "d");
    assertThat(lines).filteredOn(line -> line.contains("SUBTITLES=\"subtitles\"")).hasSize(1);
  }

  @Test
  void namesSubtitlesApart() throws ExchangeException {
    String forced =
        set(
            "id='f' contentType='text' mimeType='application/mp4' lang='en'",
            "<Role schemeIdUri='urn:mpeg:dash:role:2011' value='forced-subtitle'/>",
            "id='f1' bandwidth='8' codecs='wvtt'");

    assertThat(listed(videos("16 9 77"), text("a", "application/mp4", "codecs='wvtt'"), forced))
        .filteredOn(line -> line.contains("TYPE=SUBTITLES"))
        .extracting(line -> line.replaceAll(".*NAME=\"(.*?)\".*AUTOSELECT=YES,(.*?)=.*", "$1 $2"))
        .containsExactly("Subtitles en LANGUAGE", "Subtitles en 2 FORCED");
  }

  @Test
  void leavesOutTextFiles_whenItIsLive() throws ExchangeException {
    String period = "<Period start='PT0S'>" + videos("16 9 77") + file("d", "text/vtt");

    assertThat(Written.multivariant(Written.live("", period + "</Period>")))
        .noneMatch(line -> line.contains("SUBTITLES"));
  }

  @Test
  void keepsTextsInTheirQuotes() throws ExchangeException {
    String audio =
        set(
            "id='2' mimeType='audio/mp4' lang='e&quot;,URI=&quot;http://evil.test&#10;#EXT-X-X'",
            "",
            "id='a' bandwidth='1' codecs='mp4a&quot;&#13;&#10;.40.2'");

    assertThat(listed(videos("16 9 1"), audio))
        .hasSize(5)
        .allMatch(line -> line.chars().filter(c -> c == '"').count() % 2 == 0)
        .noneMatch(line -> line.startsWith("#EXT-X-X"));
  }

  @Test
  void prefersMp4_whereThereIsWebM() throws ExchangeException {
    String webm = set("id='w' mimeType='video/webm'", "", "id='w1' bandwidth='9' height='9'");

    assertThat(listed(webm)).contains("playlist/w_w1_9");
    assertThat(listed(webm, videos("16 9 1"))).contains("playlist/v_v1_1").hasSize(4);
  }

  @Test
  void listsWhatIsThereForTheLongestTime() throws ExchangeException {
    String film = "<Period id='1' duration='PT60S'>" + videos("16 9 70", "8 4 30") + "</Period>";
    String spot = "<Period id='2' duration='PT10S'>" + videos("16 9 55") + "</Period>";
    String rest = "<Period id='3' duration='PT60S'>" + videos("16 9 70", "8 4 30") + "</Period>";

    assertThat(Written.multivariant(Written.fixed("", film + spot + rest)))
        .filteredOn(line -> line.startsWith("playlist/"))
        .containsExactly("playlist/v_v70_70", "playlist/v_v30_30");
  }

  @Test
  void listsALanguage_whichOnlyOnePeriodHas() throws ExchangeException {
    String first =
        "<Period id='1' duration='PT60S'>" + videos("16 9 1") + audio("en", 100) + "</Period>";
    String second =
        "<Period id='2' duration='PT6S'>"
            + videos("16 9 1")
            + audio("en", 100)
            + audio("de", 90)
            + "</Period>";

    assertThat(Written.multivariant(Written.fixed("", first + second)))
        .filteredOn(line -> line.contains("TYPE=AUDIO"))
        .hasSize(2);
  }

  @Test
  void refusesWhatHasNothingToPlay() {
    assertThatThrownBy(() -> listed(text("a", "application/mp4", "codecs='wvtt'")))
        .isInstanceOf(MediaFormatException.class)
        .hasMessage("the MPD has neither video nor audio to play");
  }

  private static List<String> listed(String... sets) throws ExchangeException {
    return Written.multivariant(mpd(sets));
  }

  private static List<String> variants(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith("#EXT-X-STREAM-INF")).toList();
  }

  private static Mpd mpd(String... sets) throws ExchangeException {
    return Written.fixed(
        "mediaPresentationDuration='PT60S'", "<Period>" + String.join("", sets) + "</Period>");
  }

  private static String set(String attributes, String children, String... representations) {
    StringBuilder set =
        new StringBuilder("<AdaptationSet " + attributes + ">" + children + TEMPLATE);
    for (String representation : representations) {
      set.append("<Representation ").append(representation).append("/>");
    }
    return set.append("</AdaptationSet>").toString();
  }

  /** Width, height (0: not said) and bandwidth each. */
  private static String videos(String... videos) {
    String[] representations = new String[videos.length];
    for (int i = 0; i < videos.length; i++) {
      String[] said = videos[i].split(" ", -1);
      String size = "width='" + said[0] + "' height='" + said[1] + "'";
      representations[i] =
          "id='v" + said[2] + "' bandwidth='" + said[2] + "' " + (said[0].equals("0") ? "" : size);
    }
    return set("id='v' mimeType='video/mp4'", "", representations);
  }

  private static String audio(String language, int bandwidth) {
    return set(
        "id='" + language + bandwidth + "' mimeType='audio/mp4' lang='" + language + "'",
        "",
        "id='a' bandwidth='" + bandwidth + "' codecs='mp4a.40.2'");
  }

  private static String text(String id, String mimeType, String attributes) {
    return set(
        "id='" + id + "' contentType='text' lang='en' mimeType='" + mimeType + "'",
        "",
        "id='s' bandwidth='8' " + attributes);
  }

  private static String file(String id, String mimeType) {
    return ("<AdaptationSet id='" + id + "' lang='en' mimeType='" + mimeType + "'>")
        + "<Representation id='s' bandwidth='8'><BaseURL>s.vtt</BaseURL></Representation>"
        + "</AdaptationSet>";
  }
}
