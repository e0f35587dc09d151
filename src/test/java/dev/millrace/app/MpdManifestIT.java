package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /proxy/mpd/manifest.m3u8} (contract for DASH §1.1 to 1.4, §5.3; report D06). */
@Timeout(60)
class MpdManifestIT {
  private static final String KEY = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
  private static final String FILM = "/p/film.mpd";

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.headerTimeout(Duration.ofMillis(700)));

  private final HlsOrigin files = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(files);

  private MpdLink film(String mpd) {
    files.playlist(FILM, mpd, MpdFiles.TYPE);
    return MpdLink.manifest(origin.url(FILM));
  }

  private static RawAnswer get(MpdLink link, String... fields) throws IOException {
    return PROXY.fetch("GET", link.toString(), fields);
  }

  private static String detail(RawAnswer answer) {
    return ErrorBody.of(answer).detail();
  }

  private RecordedRequest first() {
    return origin.requests().get(0);
  }

  @Test
  void leadsToThePlaylistOfEachProfile() throws IOException {
    RawAnswer answer = get(film(MpdFiles.film()).with("h_referer", "http://site.example/"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).contains("application/vnd.apple.mpegurl");
    assertThat(answer.field("Content-Length")).contains("" + answer.bytes().length);
    assertThat(answer.field("Cache-Control")).contains("private");
    assertThat(answer.field("Referrer-Policy")).contains("no-referrer");
    assertThat(answer.text())
        .startsWith("#EXTM3U\n#EXT-X-VERSION:6\n")
        .contains("TYPE=AUDIO", "RESOLUTION=1920x1080", "RESOLUTION=854x480");
    List<String> links = MpdLink.linksIn(answer);
    assertThat(links).hasSize(4);
    for (String link : links) {
      assertThat(link).startsWith("/proxy/mpd/playlist.m3u8?d=");
      assertThat(MpdLink.parametersOf(link))
          .containsEntry("d", origin.url(FILM))
          .containsEntry("h_referer", "http://site.example/");
      assertThat(PROXY.fetch("GET", link).text()).contains("#EXTINF:4.000,");
    }
    assertThat(first().field("Referer")).contains("http://site.example/");
  }

  @Test
  void headSaysWhatGetSays() throws IOException {
    MpdLink link = film(MpdFiles.film());
    RawAnswer whole = get(link);
    RawAnswer head = PROXY.fetch("HEAD", link.toString());
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.field("Content-Length")).isEqualTo(whole.field("Content-Length"));
    assertThat(head.bytes()).isEmpty();
  }

  @Test
  void case79_rangeOfAPlayerReachesNobody() throws IOException {
    MpdLink link = film(MpdFiles.film()).with("h_range", "bytes=5-");
    RawAnswer answer = get(link, "Range: bytes=0-10", "If-Range: \"a\"");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).startsWith("#EXTM3U");
    assertThat(first().field("Range")).isEmpty();
    assertThat(first().field("If-Range")).isEmpty();
    assertThat(MpdLink.linksIn(answer).get(0)).contains("playlist.m3u8");
  }

  @ParameterizedTest
  @CsvSource({"720p,1280x720", "1079p,1280x720", "100p,854x480", "9999p,1920x1080"})
  void case73_oneVariantOfTheWantedHeight(String resolution, String size) throws IOException {
    RawAnswer answer = get(film(MpdFiles.film()).with("resolution", resolution));
    assertThat(answer.text()).containsOnlyOnce("#EXT-X-STREAM-INF").contains("RESOLUTION=" + size);
  }

  @ParameterizedTest
  @CsvSource({"resolution,72op", "skip,9-1", "skip,x", "start_offset,soon", "remux_to_ts,perhaps"})
  void badParameterIsNamed_beforeAnythingIsSent(String name, String value) throws IOException {
    RawAnswer answer = get(film(MpdFiles.film()).with(name, value));
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("\"loc\":[\"query\",\"" + name + "\"]");
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void missingAddressIsNamed() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/proxy/mpd/manifest.m3u8");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("\"missing\"", "\"d\"");
  }

  @Test
  void protectedFilmNeedsAKey_andSaysWhich() throws IOException {
    RawAnswer answer = get(film(MpdFiles.protectedFilm()));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(detail(answer)).contains(MpdFiles.KID, "key_id", "key");
  }

  @Test
  void protectedFilmWithKeys_writesThemInOneForm() throws IOException {
    RawAnswer answer =
        get(
            film(MpdFiles.protectedFilm())
                .with("key_id", "01234567-89AB-CDEF-0123-456789ABCDEF")
                .with("key", KEY.toUpperCase(java.util.Locale.ROOT)));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Cache-Control")).contains("no-store");
    assertThat(MpdLink.parametersOf(MpdLink.linksIn(answer).get(0)))
        .containsEntry("key_id", MpdFiles.KID)
        .containsEntry("key", KEY);
  }

  @Test
  void keysForSomethingElseAreRefused_namingWhatIsNeeded() throws IOException {
    String keys = "a".repeat(32) + ":" + KEY + "," + "b".repeat(32) + ":" + "c".repeat(32);
    RawAnswer answer = get(film(MpdFiles.protectedFilm()).with("key", keys));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(detail(answer)).contains(MpdFiles.KID).doesNotContain(KEY);
  }

  @Test
  void malformedKeyIsNamedByPosition_beforeAnythingIsSent() throws IOException {
    RawAnswer answer =
        get(
            film(MpdFiles.protectedFilm())
                .with("key_id", MpdFiles.KID + "," + "a".repeat(32))
                .with("key", KEY + ",hush"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(detail(answer)).startsWith("key").contains("2").doesNotContain("hush", KEY);
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"401,502", "403,403", "404,404", "410,410", "500,502", "503,503"})
  void refusalOfTheOriginIsPassedOn(int said, int answered) throws IOException {
    files.answer(FILM, exchange -> exchange.text(said, "no"));
    RawAnswer answer = get(MpdLink.manifest(origin.url(FILM)));
    assertThat(answer.status()).isEqualTo(answered);
    assertThat(detail(answer)).contains("" + said);
  }

  @Test
  void silentOriginIs504() throws IOException {
    files.answer(FILM, OriginExchange::hold);
    assertThat(get(MpdLink.manifest(origin.url(FILM))).status()).isEqualTo(504);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "<html><body>Sorry</body></html>", "<MPD", "#EXTM3U\n", "{\"error\":1}"})
  void whatIsNoPresentationIs502_withTheReason(String body) throws IOException {
    RawAnswer answer = get(film(body));
    assertThat(answer.status()).isEqualTo(502);
    assertThat(detail(answer)).isNotBlank();
    assertThat(answer.text()).doesNotContain("internal_error");
  }

  @Test
  void atMostTenMebibytesAreRead() throws IOException {
    String film = MpdFiles.film();
    String comment = " ".repeat((10 << 20) - film.getBytes(UTF_8).length);
    assertThat(get(film(film + comment)).status()).isEqualTo(200);
    RawAnswer answer = get(film(film + comment + " ").with("x", "1"));
    assertThat(answer.status()).isEqualTo(502);
    assertThat(detail(answer)).contains("10 MiB");
  }

  @Test
  void compressedPresentationIsRead() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(MpdFiles.film().getBytes(UTF_8));
    }
    files.answer(
        FILM,
        exchange ->
            exchange.bytes(200, packed.toByteArray(), MpdFiles.TYPE, "Content-Encoding: gzip"));
    assertThat(get(MpdLink.manifest(origin.url(FILM))).text()).contains("#EXT-X-STREAM-INF");
    assertThat(first().field("Accept-Encoding").orElse("")).contains("gzip");
  }

  @Test
  void fieldsOfTheRequestShapeTheAnswer() throws IOException {
    RawAnswer answer =
        get(film(MpdFiles.film()).with("r_x-a", "1").with("rp_x-b", "2").with("x_headers", "etag"));
    assertThat(answer.field("X-A")).contains("1");
    assertThat(answer.field("X-B")).isEmpty();
    assertThat(MpdLink.parametersOf(MpdLink.linksIn(answer).get(0)))
        .containsEntry("r_x-a", "1")
        .containsEntry("rp_x-b", "2")
        .containsEntry("x_headers", "etag");
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "1", "true", "YES", "t"})
  void listsForTransportStreams_whicheverWayThatIsSaid(String on) throws IOException {
    RawAnswer answer = get(film(MpdFiles.film()).with("remux_to_ts", on));

    assertThat(answer.text()).startsWith("#EXTM3U\n#EXT-X-VERSION:3").doesNotContain("FRAME-RATE");
    assertThat(MpdLink.linksIn(answer)).isNotEmpty().allMatch(l -> l.contains("remux_to_ts=" + on));
  }

  @ParameterizedTest
  @CsvSource({"segment.ts,422", "manifest.mpd,501", "other,404", "manifest.m3u8/a,404"})
  void whatIsNotThereSaysSo(String name, int status) throws IOException {
    assertThat(PROXY.fetch("GET", "/proxy/mpd/" + name + "?d=x").status()).isEqualTo(status);
  }

  @Test
  void manyWhoAskAtATimeShareOneDownload() throws IOException {
    MpdLink link = film(MpdFiles.film());
    for (int i = 0; i < 5; i++) {
      assertThat(get(link.with("resolution", i + "p")).status()).isEqualTo(200);
    }
    assertThat(origin.requests()).hasSize(1);
  }
}
