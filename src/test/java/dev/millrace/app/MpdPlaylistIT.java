package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /proxy/mpd/playlist.m3u8} (contract for DASH §1.6; reports D03, D04, D06, D09). */
@Timeout(60)
class MpdPlaylistIT {
  private static final String FILM = "/p/film.mpd";

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin files = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(files);

  private MpdLink film(String mpd) {
    return playlist(mpd, "1_v720_3000000");
  }

  private MpdLink playlist(String mpd, String profile) {
    files.playlist(FILM, mpd, MpdFiles.TYPE);
    return MpdLink.playlist(origin.url(FILM), profile);
  }

  private static RawAnswer get(MpdLink link) throws IOException {
    return PROXY.fetch("GET", link.toString());
  }

  private static String map(RawAnswer answer) {
    return MpdLink.linksIn(answer).get(0);
  }

  private static List<Map<String, String>> segments(RawAnswer answer) {
    return MpdLink.linksIn(answer).stream()
        .filter(link -> link.contains("/segment.mp4?"))
        .map(MpdLink::parametersOf)
        .toList();
  }

  @Test
  void listsEverySegmentOfAFilm() throws IOException {
    RawAnswer answer = get(film(MpdFiles.film()));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text())
        .startsWith("#EXTM3U\n#EXT-X-VERSION:6\n")
        .contains("#EXT-X-TARGETDURATION:4", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-MAP:URI=")
        .contains("#EXT-X-ENDLIST");
    assertThat(map(answer)).startsWith("/proxy/mpd/init.mp4?");
    assertThat(MpdLink.parametersOf(map(answer)))
        .containsExactly(
            Map.entry("init_url", origin.url("/p/v/v720/init.mp4")),
            Map.entry("mime_type", "video/mp4"),
            Map.entry("is_live", "false"));
    assertThat(segments(answer)).hasSize(5);
    assertThat(segments(answer).get(4))
        .containsEntry("init_url", origin.url("/p/v/v720/init.mp4"))
        .containsEntry("segment_url", origin.url("/p/v/v720/5.m4s"))
        .containsEntry("use_map", "true")
        .doesNotContainKeys("d", "profile_id", "shift", "segment_range");
  }

  @Test
  void unknownProfileIs404() throws IOException {
    RawAnswer answer = get(playlist(MpdFiles.film(), "1_v721_1"));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(ErrorBody.of(answer).detail()).isEqualTo("Profile not found");
  }

  @Test
  void profileHasToBeNamed() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/proxy/mpd/playlist.m3u8?d=http%3A%2F%2Fa%2F");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("profile_id");
  }

  @Test
  void d06_fieldsGoWithTheInitializationSegmentToo() throws IOException {
    RawAnswer answer =
        get(film(MpdFiles.film()).with("h_authorization", "Bearer x").with("rp_x-a", "1"));
    assertThat(MpdLink.parametersOf(map(answer)))
        .containsEntry("h_authorization", "Bearer x")
        .containsEntry("rp_x-a", "1");
    assertThat(segments(answer).get(0)).containsEntry("h_authorization", "Bearer x");
  }

  @Test
  void d04_relativeAddressesBeginWhereThePresentationWasFound() throws IOException {
    files.answer("/short", ToyOrigins.redirect("/moved/here/film.mpd"));
    files.playlist("/moved/here/film.mpd", MpdFiles.film(), MpdFiles.TYPE);
    RawAnswer answer = get(MpdLink.playlist(origin.url("/short"), "1_v720_3000000"));
    assertThat(segments(answer).get(0))
        .containsEntry("segment_url", origin.url("/moved/here/v/v720/1.m4s"));
  }

  @Test
  void d04_locationIsAskedOnceTheAddressItselfFails() throws IOException {
    Instant begun = Instant.now().minusSeconds(100);
    String live = MpdFiles.live(begun, "<Location>/new/live.mpd?t=1</Location>");
    files.answer(
        FILM,
        ToyOrigins.first(
            1,
            e -> e.text(200, live, MpdFiles.TYPE, "Cache-Control: no-store"),
            e -> e.text(403, "")));
    files.playlist("/new/live.mpd", live, MpdFiles.TYPE);
    MpdLink link = MpdLink.playlist(origin.url(FILM), "1_v_1000000");
    assertThat(segments(get(link)).get(0).get("segment_url")).startsWith(origin.url("/p/"));
    RawAnswer again = get(link);
    assertThat(again.status()).isEqualTo(200);
    assertThat(segments(again).get(0).get("segment_url")).startsWith(origin.url("/new/"));
  }

  @Test
  void d03_periodsFollowEachOther_eachWithItsMap() throws IOException {
    String twice =
        MpdFiles.film()
            .replace("PT20S\">", "PT40S\">")
            .replaceFirst("(?s)(<Period id=\"p0\")(>.*</Period>)", "$1 duration=\"PT20S\"$2$1$2")
            .replaceFirst(
                "(?s)(.*)<Period id=\"p0\">", "$1<Period id=\"p1\"><BaseURL>two/</BaseURL>");
    RawAnswer answer = get(film(twice));
    assertThat(answer.text().split("#EXT-X-MAP", -1)).hasSize(3);
    assertThat(answer.text()).containsOnlyOnce("#EXT-X-DISCONTINUITY\n");
    assertThat(segments(answer)).hasSize(10);
    assertThat(segments(answer).get(5))
        .containsEntry("segment_url", origin.url("/p/two/v/v720/1.m4s"))
        .containsEntry("shift", "20/1");
    assertThat(segments(answer).get(4)).doesNotContainKey("shift");
  }

  @Test
  void case75_skippedSegmentsAreLeftOut() throws IOException {
    RawAnswer answer = get(film(MpdFiles.film()).with("skip", "0-10,18.5-20"));
    assertThat(segments(answer)).hasSize(1);
    assertThat(segments(answer).get(0))
        .containsEntry("segment_url", origin.url("/p/v/v720/4.m4s"))
        .containsEntry("skip", "0.0-10.0,18.5-20.0");
    assertThat(answer.text()).contains("#EXT-X-ENDLIST");
  }

  @Test
  void case76_startOffsetIsWritten() throws IOException {
    assertThat(get(film(MpdFiles.film()).with("start_offset", "-5")).text())
        .contains("#EXT-X-START:TIME-OFFSET=-5.0,PRECISE=YES");
  }

  @Test
  void liveListsOnlyWhatIsThere() throws IOException {
    Instant begun = Instant.now().minusSeconds(100);
    RawAnswer answer = get(playlist(MpdFiles.live(begun, ""), "1_v_1000000"));
    long there = Duration.between(begun, Instant.now()).toSeconds() / 2;
    assertThat(answer.field("Cache-Control")).contains("no-cache");
    assertThat(last(answer)).isBetween(there - 2, there);
    assertThat(answer.text()).doesNotContain("#EXT-X-ENDLIST").contains("PROGRAM-DATE-TIME");
  }

  /** Number of the last segment that is listed. */
  private static long last(RawAnswer answer) {
    List<Map<String, String>> segments = segments(answer);
    assertThat(segments).as(answer.text()).isNotEmpty();
    String address = segments.get(segments.size() - 1).get("segment_url");
    return Long.parseLong(address.replaceFirst(".*/(\\d+)\\.m4s", "$1"));
  }

  @Test
  void liveThatHasNotBegunIs503_andSaysWhenToAskAgain() throws IOException {
    Instant begins = Instant.now().plusSeconds(300);
    RawAnswer answer = get(playlist(MpdFiles.live(begins, ""), "1_v_1000000"));
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.field("Retry-After")).isPresent();
  }

  @Test
  void d09_newSegmentsAppear_andThePresentationIsFetchedAgain() throws IOException {
    Instant begun = Instant.now().minusSeconds(100);
    MpdLink link = playlist(MpdFiles.live(begun, ""), "1_v_1000000");
    long first = last(get(link));
    Await.until("two more segments", Duration.ofSeconds(15), () -> lastOf(link) >= first + 2);
    assertThat(origin.requests()).hasSizeGreaterThan(1);
  }

  private static long lastOf(MpdLink link) {
    try {
      return last(get(link));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"direct,", "http-iso,/time", "http-xsdate,/nothing /time", "http-head,/date"})
  void case67_timeIsThatOfThePresentation(String scheme, String value) throws IOException {
    Instant theirs = Instant.now().plus(Duration.ofHours(1));
    files.answer("/time", exchange -> exchange.text(200, MpdFiles.text(theirs) + "\n"));
    files.answer("/nothing", exchange -> exchange.text(200, "no idea"));
    files.answer("/date", exchange -> exchange.text(200, "", "Date: " + httpDate(theirs)));
    String timing =
        "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:ntp:2014\" value=\"ntp.example\"/>"
            + "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:%s:2014\" value=\"%s\"/>"
                .formatted(scheme, value == null ? MpdFiles.text(theirs) : absolute(value));
    Instant begun = theirs.minusSeconds(100);
    assertThat(last(get(playlist(MpdFiles.live(begun, timing), "1_v_1000000"))))
        .isBetween(47L, 54L);
  }

  private String absolute(String paths) {
    return paths.replace("/nothing", origin.url("/nothing")).replace("/time", origin.url("/time"));
  }

  private static String httpDate(Instant time) {
    return java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME.format(
        time.atOffset(java.time.ZoneOffset.UTC));
  }

  @Test
  void case67_timeIsThatOfTheOriginsAnswer_ifNothingIsNamed() throws IOException {
    Instant theirs = Instant.now().minus(Duration.ofHours(1));
    files.playlist(
        FILM,
        MpdFiles.live(theirs.minusSeconds(100), ""),
        MpdFiles.TYPE,
        "Date: " + httpDate(theirs.minusSeconds(10)),
        "Age: 10");
    assertThat(last(get(MpdLink.playlist(origin.url(FILM), "1_v_1000000")))).isBetween(47L, 54L);
  }

  @Test
  void timeThatDoesNotComeIsNotWaitedFor() throws IOException {
    files.answer("/time", dev.millrace.testing.OriginExchange::hold);
    Instant begun = Instant.now().minusSeconds(100);
    String timing = "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-iso:2014\" value=\"/time\"/>";
    MpdLink link = playlist(MpdFiles.live(begun, timing), "1_v_1000000");
    long asked = System.nanoTime();
    assertThat(last(get(link))).isGreaterThan(45);
    assertThat(last(get(link))).isGreaterThan(45);
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(5));
    Await.until("it is let go", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 0);
  }
}
