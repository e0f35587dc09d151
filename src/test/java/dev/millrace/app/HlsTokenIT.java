package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokenException;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Playlists whose links are sealed (contract §10.5, §21 #49; reports H18, H29). */
@Timeout(60)
class HlsTokenIT {
  private static final String PASSWORD = "correct-horse";
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, List.of(TestSettings.LINKS.secrets().get(0)), LinkFormat.V2, true);

  private static final String MASTER = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist/9?k=1\n";
  private static final String MEDIA =
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:6
      #EXT-X-MEDIA-SEQUENCE:41
      #EXT-X-KEY:METHOD=AES-128,URI="g.key"
      #EXTINF:6.0,
      41.ts
      """;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  private final HlsOrigin playlists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(playlists);

  private String token(LinkRights rights, String path, String... more) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("d", origin.url(path));
    for (int i = 0; i < more.length; i += 2) {
      parameters.put(more[i], more[i + 1]);
    }
    return "/_token_" + TOKENS.seal(new ProxyLink(parameters, rights)) + "/proxy/hls/manifest.m3u8";
  }

  private static LinkRights bound() {
    return new LinkRights(
        Optional.of(Instant.ofEpochSecond(Instant.now().getEpochSecond() + 600)),
        Optional.of("127.0.0.1"),
        Optional.of("hls"));
  }

  private static List<String> links(RawAnswer answer) {
    return Pattern.compile("http://[^\"\\n]+")
        .matcher(answer.text())
        .results()
        .map(match -> match.group().replaceFirst("http://[^/]+", ""))
        .toList();
  }

  private static ProxyLink opened(String link) throws LinkTokenException {
    return TOKENS.open(link.replaceFirst(".*/_token_([^/]+)/.*", "$1")).link();
  }

  private RecordedRequest last() {
    return origin.requests().get(origin.requests().size() - 1);
  }

  @Test
  void row49_childrenHaveTheRightsOfTheirParent_andNothingToRead() throws Exception {
    playlists.playlist("/p/media.m3u8", MEDIA);
    LinkRights rights = bound();
    RawAnswer answer =
        PROXY.fetch("GET", token(rights, "/p/media.m3u8", "h_referer", "http://hush/"));
    assertThat(links(answer)).hasSize(2);
    for (String link : links(answer)) {
      assertThat(link).matches("/_token_v2\\.[A-Za-z0-9_-]+/proxy/hls/segment\\.(key|ts)");
      assertThat(opened(link).rights()).isEqualTo(rights);
      assertThat(opened(link).parameters()).containsEntry("h_referer", "http://hush/");
    }
    assertThat(answer.text()).doesNotContain("hush", "media.m3u8", PASSWORD);
    assertThat(answer.field("Cache-Control")).contains("no-store");
  }

  @Test
  void followsMasterPlaylistKeyAndSegment_overThreeRefreshes() throws IOException {
    playlists.playlist("/m.m3u8", MASTER).playlist("/list/9", MEDIA, "Content-Type: text/plain");
    String variant = links(PROXY.fetch("GET", token(bound(), "/m.m3u8", "h_x-key", "k1"))).get(0);
    List<String> first = links(PROXY.fetch("GET", variant));
    for (int refresh = 0; refresh < 3; refresh++) {
      List<String> again = links(PROXY.fetch("GET", variant));
      assertThat(again).isEqualTo(first);
      assertThat(PROXY.fetch("GET", again.get(0)).text()).isEqualTo("body of /list/g.key");
      assertThat(last().field("x-key")).contains("k1");
      assertThat(PROXY.fetch("GET", again.get(1)).text()).isEqualTo("body of /list/41.ts");
    }
  }

  @Test
  void passesOnWhatAPlayerAsksFor_andOnlyThat() throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA);
    PROXY.fetch("GET", token(bound(), "/p/media.m3u8?_HLS_msn=1&x=2") + "?_HLS_msn=7&_HLS_evil=1");
    assertThat(last().target()).isEqualTo("/p/media.m3u8?x=2&_HLS_msn=7");
  }

  @Test
  void cookiesOfAPlaylistReachItsChildren_inSealedLinks() throws Exception {
    playlists
        .playlist("/p/m.m3u8", MASTER, HlsOrigin.TYPE, "Set-Cookie: c=hush; Path=/p")
        .playlist("/p/list/9", MEDIA + "#EXTINF:6,\n/other/42.ts\n");
    String target =
        "/proxy/hls/manifest.m3u8?api_password="
            + PASSWORD
            + "&d="
            + URLEncoder.encode(origin.url("/p/m.m3u8"), StandardCharsets.UTF_8);
    RawAnswer master = PROXY.fetch("GET", target);
    assertThat(master.text()).doesNotContain("hush", PASSWORD).contains("/_token_v2.");
    RawAnswer media = PROXY.fetch("GET", links(master).get(0));
    assertThat(last().field("Cookie")).contains("c=hush");
    List<String> children = links(media);
    assertThat(opened(children.get(0)).parameters()).containsEntry("h_cookie", "c=hush");
    assertThat(opened(children.get(2)).parameters()).doesNotContainKey("h_cookie");
    PROXY.fetch("GET", children.get(0));
    assertThat(last().field("Cookie")).contains("c=hush");
  }

  @Test
  void sealsLinks_whenThePasswordCameInAHeader() throws IOException {
    playlists.playlist("/p/media.m3u8", MEDIA);
    String target =
        "/proxy/hls/manifest.m3u8?d="
            + URLEncoder.encode(origin.url("/p/media.m3u8"), StandardCharsets.UTF_8);
    List<String> children = links(PROXY.fetch("GET", target, "api_password: " + PASSWORD));
    assertThat(PROXY.fetch("GET", children.get(1)).status()).isEqualTo(200);
  }

  @Test
  void refusesChildThatIsTooLongForAToken() throws IOException {
    playlists.playlist("/p/media.m3u8", "#EXTM3U\n#EXTINF:1,\n" + "x".repeat(8_000) + ".ts\n");
    String headers = "y".repeat(8_000);
    List<String> children =
        links(PROXY.fetch("GET", token(bound(), "/p/media.m3u8", "h_long", headers)));
    assertThat(children).containsExactly("/proxy/hls/segment.ts");
    assertThat(PROXY.fetch("GET", children.get(0)).status()).isEqualTo(403);
  }
}
