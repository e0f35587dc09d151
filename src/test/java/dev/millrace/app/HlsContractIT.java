package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proxy.ContentRouting;
import dev.millrace.proxy.HlsConfig;
import dev.millrace.testing.ContractOrigin;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The black-box table of the HTTP contract (§21) as far as it concerns playlists. */
@Timeout(60)
class HlsContractIT {
  /** What strict players take (report H12). */
  private static final Pattern STRICT =
      Pattern.compile("https?://[^?]+\\.(ts|m4s|mp4|aac|vtt|key|m3u8)\\?.*");

  private static final String MEDIA =
      """
      #EXTM3U
      #EXT-X-MEDIA-SEQUENCE:5
      #EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x1
      #EXT-X-MAP:URI="init.mp4",BYTERANGE="100@0"
      #EXTINF:6.0,
      seg1.ts
      """;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password("pw"));

  private final HlsOrigin playlists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(playlists);

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private String manifest(String path, String... parameters) {
    String more = parameters.length == 0 ? "" : "&" + String.join("&", parameters);
    return "/proxy/hls/manifest.m3u8?api_password=pw&d=" + encoded(origin.url(path)) + more;
  }

  private RawAnswer get(String path, String... parameters) throws IOException {
    return PROXY.fetch("GET", manifest(path, parameters));
  }

  private String link(String route, String path, String more) {
    return PROXY.url("/proxy/hls/" + route + "?api_password=pw&d=" + encoded(origin.url(path)))
        + more;
  }

  @Test
  void row33_rewritesMediaPlaylist() throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA);
    RawAnswer answer =
        get(
            "/p/media.m3u8",
            "h_referer=http://r/",
            "h_range=bytes%3D0-",
            "r_x-a=1",
            "rp_content-type=video/mp2t",
            "start_offset=-5");
    String inherited = "&h_referer=http%3A%2F%2Fr%2F&rp_content-type=video%2Fmp2t";
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).contains("application/vnd.apple.mpegurl");
    assertThat(answer.field("Content-Disposition")).contains("inline");
    assertThat(answer.field("Accept-Ranges")).contains("none");
    assertThat(answer.field("Cache-Control")).contains("no-store");
    assertThat(answer.field("x-a")).contains("1");
    assertThat(answer.text().replace("#EXT-X-START:TIME-OFFSET=-5.0,PRECISE=YES\n", ""))
        .isEqualTo(
            """
            #EXTM3U
            #EXT-X-MEDIA-SEQUENCE:5
            #EXT-X-KEY:METHOD=AES-128,URI="%s",IV=0x1
            #EXT-X-MAP:URI="%s",BYTERANGE="100@0"
            #EXTINF:6.0,
            %s
            """
                .formatted(
                    link("segment.key", "/p/key.bin", inherited),
                    link("segment.mp4", "/p/init.mp4", inherited),
                    link("segment.ts", "/p/seg1.ts", inherited)));
    assertThat(origin.onlyRequest().fieldNames()).doesNotContain("range");
    assertThat(origin.onlyRequest().field("Referer")).contains("http://r/");
  }

  @Test
  void row34_leadsPlaylistsToPlaylists() throws IOException {
    playlists.playlist(
        "/m.m3u8",
        """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="/list/9?kind=audio"
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI="/list/9?kind=iframe"
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="/keys/s"
        #EXT-X-STREAM-INF:BANDWIDTH=8,AUDIO="a"
        high?type=video
        #EXT-X-STREAM-INF:BANDWIDTH=7,AUDIO="a"
        low.m3u8
        """);
    assertThat(get("/m.m3u8").text())
        .contains(
            "NAME=\"en\",URI=\"" + link("manifest.m3u8", "/list/9?kind=audio", "") + "\"\n",
            "BANDWIDTH=9,URI=\"" + link("manifest.m3u8", "/list/9?kind=iframe", "") + "\"\n",
            "AES-128,URI=\"" + link("segment.key", "/keys/s", "") + "\"\n",
            "\n" + link("manifest.m3u8", "/high?type=video", "") + "\n",
            "\n" + link("manifest.m3u8", "/low.m3u8", "") + "\n");
  }

  @Test
  void row35_resolvesAgainstWhereTheRedirectLed() throws IOException {
    playlists
        .answer("/a.m3u8", ToyOrigins.redirect(origin.url("/deep/er/b.m3u8?s=1")))
        .playlist("/deep/er/b.m3u8", "#EXTM3U\n#EXTINF:1,\n../x.ts\n#EXTINF:1,\n?y\n");
    assertThat(get("/a.m3u8").text())
        .isEqualTo(
            "#EXTM3U\n#EXTINF:1,\n"
                + link("segment.ts", "/deep/x.ts", "")
                + "\n#EXTINF:1,\n"
                + link("segment.ts", "/deep/er/b.m3u8?y", "").replace("segment.ts", "manifest.m3u8")
                + "\n");
  }

  @Test
  void row36_makesAddressesAbsoluteOnly_withoutProxy() throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA);
    String base = origin.url("/p/");
    assertThat(get("/p/media.m3u8", "no_proxy=true").text())
        .contains("\"" + base + "key.bin\"", "\"" + base + "init.mp4\"", "\n" + base + "seg1.ts\n");
  }

  @Test
  void row37_leadsKeysElsewhere_andSegmentsToTheirOrigin() throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA.replace("key.bin", "/k/1.bin"));
    String target =
        manifest("/p/media.m3u8", "key_url=https://keys.example/x")
            .replace("/hls/", "/hls/key_proxy/");
    assertThat(PROXY.fetch("GET", target).text())
        .contains(
            encoded("https://keys.example/k/1.bin") + "\",IV=0x1\n",
            encoded(origin.url("/p/init.mp4")),
            "\n" + origin.url("/p/seg1.ts") + "\n");
  }

  @Test
  void row42_findsPlaylistByItsContent() throws IOException {
    playlists.playlist(
        "/live", "\ufeff\n# hi\n#EXTM3U\n#EXTINF:1,\n1.ts\n", "Content-Type: text/plain");
    assertThat(get("/live").text()).contains(link("segment.ts", "/1.ts", ""));
    assertThat(get("/live").field("Content-Type")).contains("application/vnd.apple.mpegurl");
  }

  @ParameterizedTest
  @CsvSource({
    "'<!doctype html><p>', html_not_playlist",
    "'', empty_playlist",
    "'\n\n ', empty_playlist",
    "'1.ts\n#EXTM3U\n', not_a_playlist",
    "'# only a comment\n', not_a_playlist",
  })
  void row43_refusesWhatIsNoPlaylist(String body, String reason) throws IOException {
    playlists.playlist("/x.m3u8", body);
    RawAnswer answer = get("/x.m3u8");
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).reason()).isEqualTo(reason);
    assertThat(answer.text()).doesNotContain("x.m3u8");
  }

  @Test
  void row43_endsGracefully_whereThatIsWanted() throws IOException {
    playlists.playlist("/x.m3u8", "<html>", "Content-Type: text/html");
    try (RunningMillrace graceful =
        RunningMillrace.start(
            settings ->
                settings.hls(
                    new HlsConfig(
                        ContentRouting.MEDIAFLOW, Optional.empty(), Optional.empty(), true)))) {
      RawAnswer answer = graceful.fetch("GET", manifest("/x.m3u8"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).startsWith("#EXTM3U\n").endsWith("unavailable\n#EXT-X-ENDLIST\n");
      assertThat(answer.field("Content-Type")).contains("application/vnd.apple.mpegurl");
    }
  }

  @Test
  void row44_streamsWhatIsNoPlaylist() throws IOException {
    playlists.answer("/v.mp4", ToyOrigins.file(ContractOrigin.SIZE));
    RawAnswer whole = get("/v.mp4");
    assertThat(whole.status()).isEqualTo(200);
    assertThat(whole.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
    RawAnswer part = PROXY.fetch("GET", manifest("/v.mp4"), "Range: bytes=5-9");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.bytes()).isEqualTo(OffsetBytes.range(5, 10));
  }

  @Test
  void row45_refusesRangeOfNoNumbers() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", manifest("/v.mp4"), "Range: bytes=NaN-NaN");
    assertThat(answer.status()).isEqualTo(416);
    assertThat(ErrorBody.of(answer).detail()).isEqualTo("Invalid Range Header");
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"DIRECT", "STREMIO"})
  void row51_leadsSegmentsElsewhere(ContentRouting routing) throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA);
    HlsConfig config =
        new HlsConfig(routing, Optional.of("http://127.0.0.1:11470"), Optional.empty(), false);
    try (RunningMillrace other = RunningMillrace.start(settings -> settings.hls(config))) {
      String text =
          other.fetch("GET", manifest("/p/media.m3u8", "h_referer=http://r/", "r_a=b")).text();
      String stremio =
          "http://127.0.0.1:11470/proxy/d="
              + encoded(origin.url(""))
              + "&h=referer%3Ahttp%3A%2F%2Fr%2F&r=a%3Ab/p/seg1.ts";
      assertThat(text)
          .endsWith(
              "\n" + (routing == ContentRouting.DIRECT ? origin.url("/p/seg1.ts") : stremio) + "\n")
          .contains("/proxy/hls/segment.key?", "/proxy/hls/segment.mp4?");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/p/media.m3u8", "/p/list?type=m3u8", "/P/MEDIA.M3U8"})
  void asksForPlaylistsAsDocuments(String path) throws IOException {
    playlists.playlist(path.replaceFirst("\\?.*", ""), MEDIA, "Content-Type: text/plain");
    assertThat(get(path).text()).contains("/proxy/hls/segment.ts?");
    assertThat(origin.onlyRequest().fieldNames()).doesNotContain("range");
    assertThat(origin.onlyRequest().field("Accept-Encoding")).contains("gzip");
  }

  @Test
  void everyLinkLeadsToWhatTheOriginHas() throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA);
    String text = get("/p/media.m3u8").text();
    List<String> links =
        Pattern.compile("http://[^\"\\n]+").matcher(text).results().map(m -> m.group()).toList();
    assertThat(links).hasSize(3).allMatch(link -> STRICT.matcher(link).matches());
    for (String link : links) {
      RawAnswer answer = PROXY.fetch("GET", link.replaceFirst("http://[^/]+", ""));
      String path = link.replaceFirst(".*%2Fp%2F([^&]+).*", "/p/$1");
      assertThat(answer.text()).isEqualTo(HlsOrigin.body(path));
    }
  }
}
