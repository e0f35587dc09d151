package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.ContentRouting;
import dev.millrace.proxy.HlsConfig;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists of channels (contract §12.1; reports H19, H31, H33, H34). */
@Timeout(60)
class ChannelListIT {
  private static final LinkTokens TOKENS =
      new LinkTokens("pw", List.of(TestSettings.LINKS.secrets().get(0)), LinkFormat.V2, true);

  private static final String LIST =
      """
      #EXTM3U url-tvg="http://up.test/guide.xml.gz"
      #EXTINF:-1 tvg-id="one" tvg-logo="http://up.test/l.png?a=1,2" group-title="News, A" catchup="default" catchup-days="3",One, HD
      #EXTVLCOPT:http-referrer=http://ref.test/
      #EXTVLCOPT:http-user-agent=Box 1.0
      %s
      #EXTINF:-1 tvg-id="two" group-title="News, A",Two\r
      #KODIPROP:inputstream=adaptive\r

      %s\r
      #EXTINF:-1 group-title="Films",Three
      %s
      #EXTINF:-1,Four
      rtmp://up.test/4|User-Agent=Box
      """;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password("pw"));

  private final HlsOrigin lists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(lists);

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private String manifest(String more) {
    return "/proxy/hls/manifest.m3u8?api_password=pw&d=" + encoded(origin.url("/l.m3u")) + more;
  }

  private String link(String route, String path, String more) {
    return PROXY.url("/proxy/" + route + "?api_password=pw&d=" + encoded(origin.url(path))) + more;
  }

  private void offer(String one, String two, String three) {
    lists.playlist("/l.m3u", LIST.formatted(one, two, three), "Content-Type: audio/x-mpegurl");
  }

  private static List<String> links(RawAnswer answer) {
    return Pattern.compile("(?m)^http://.+$")
        .matcher(answer.text())
        .results()
        .map(match -> match.group().strip().replaceFirst("http://[^/]+", ""))
        .toList();
  }

  private RecordedRequest last() {
    return origin.requests().get(origin.requests().size() - 1);
  }

  @Test
  void entriesLeadToTheRouteOfTheirKind_andAllElseStays() throws IOException {
    offer("/live/u/p/1.ts", "/play/2/index.m3u8?x=1", "/movie/u/p/3.mkv");
    RawAnswer answer =
        PROXY.fetch("GET", manifest("&h_a=b&max_res=1&skip=0-5&start_offset=3&decrypt=1"));
    assertThat(answer.text())
        .isEqualTo(
            LIST.formatted(
                link(
                    "stream",
                    "/live/u/p/1.ts",
                    "&h_a=b&h_referer=http%3A%2F%2Fref.test%2F&h_user-agent=Box+1.0"),
                link(
                    "hls/manifest.m3u8",
                    "/play/2/index.m3u8?x=1",
                    "&h_a=b&max_res=1&skip=0-5&start_offset=3&decrypt=1"),
                link("stream", "/movie/u/p/3.mkv", "&h_a=b")));
    assertThat(last().field("a")).contains("b");
  }

  @Test
  void originsGetTheFieldsOfTheirEntry_andOfNoOther() throws IOException {
    offer("/1.ts", "/2.m3u8|User-Agent=Two+2&Referrer=http%3A%2F%2Ftwo%2F", "3.mkv |Cookie=c=1");
    lists.playlist("/2.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\ns.ts\n");
    List<String> links = links(PROXY.fetch("GET", manifest("&h_user-agent=All&h_x-key=k")));
    assertThat(PROXY.fetch("GET", links.get(0)).text()).isEqualTo(HlsOrigin.body("/1.ts"));
    assertThat(last().field("User-Agent")).contains("Box 1.0");
    assertThat(last().field("Referer")).contains("http://ref.test/");
    List<String> segments = links(PROXY.fetch("GET", links.get(1)));
    assertThat(last().field("User-Agent")).contains("Two 2");
    PROXY.fetch("GET", segments.get(0));
    assertThat(last().target()).isEqualTo("/s.ts");
    assertThat(last().field("User-Agent")).contains("Two 2");
    assertThat(last().field("Referer")).contains("http://two/");
    assertThat(last().field("x-key")).contains("k");
    assertThat(PROXY.fetch("GET", links.get(2)).text()).isEqualTo(HlsOrigin.body("/3.mkv"));
    assertThat(last().field("User-Agent")).contains("All");
    assertThat(last().field("Cookie")).contains("c=1");
    assertThat(last().field("Referer")).isEmpty();
  }

  @Test
  void linksToStreamsAreForStreams_underATokenForPlaylists() throws Exception {
    offer("/1.ts|X-Key=hush", "/2.m3u8", "/3.mkv");
    LinkRights rights =
        new LinkRights(
            Optional.of(Instant.ofEpochSecond(Instant.now().getEpochSecond() + 600)),
            Optional.of("127.0.0.1"),
            Optional.of("hls"));
    String token = TOKENS.seal(new ProxyLink(Map.of("d", origin.url("/l.m3u")), rights));
    RawAnswer answer = PROXY.fetch("GET", "/_token_" + token + "/proxy/hls/manifest.m3u8");
    List<String> links = links(answer);
    assertThat(answer.text()).doesNotContain("hush");
    assertThat(links.get(0)).matches("/_token_v2\\.[^/]+/proxy/stream");
    assertThat(links.get(1)).matches("/_token_v2\\.[^/]+/proxy/hls/manifest\\.m3u8");
    LinkRights ofStream =
        new LinkRights(rights.expiry(), rights.clientAddress(), Optional.of("stream"));
    assertThat(rightsOf(links.get(0))).isEqualTo(ofStream);
    assertThat(rightsOf(links.get(1))).isEqualTo(rights);
    assertThat(PROXY.fetch("GET", links.get(0)).text()).isEqualTo(HlsOrigin.body("/1.ts"));
    assertThat(last().field("x-key")).contains("hush");
  }

  private static LinkRights rightsOf(String link) throws Exception {
    return TOKENS.open(link.replaceFirst(".*/_token_([^/]+)/.*", "$1")).link().rights();
  }

  @Test
  void fieldsStayWhereTheyAre_inWhatIsNotToLeadHere() throws IOException {
    offer("/1.ts|X=1", "/2.m3u8|X=2", "/3.mkv");
    String one = origin.url("/1.ts|X=1");
    String two = origin.url("/2.m3u8|X=2");
    String three = origin.url("/3.mkv");
    assertThat(PROXY.fetch("GET", manifest("&no_proxy=1")).text())
        .isEqualTo(LIST.formatted(one, two, three));
    assertThat(PROXY.fetch("GET", manifest("&key_only_proxy=1")).text())
        .isEqualTo(
            LIST.formatted(
                one, link("hls/manifest.m3u8", "/2.m3u8", "&key_only_proxy=true&h_x=2"), three));
  }

  @Test
  void channelsLeadHere_whereverSegmentsLead() throws IOException {
    offer("/1.ts", "/2.m3u8", "/3.mkv");
    HlsConfig config =
        new HlsConfig(ContentRouting.DIRECT, Optional.empty(), Optional.of(-18.0), false);
    try (RunningMillrace other = RunningMillrace.start(settings -> settings.hls(config))) {
      assertThat(links(other.fetch("GET", manifest(""))))
          .hasSize(3)
          .allMatch(link -> link.startsWith("/proxy/"));
    }
  }

  @Test
  void fieldsThatWouldBreakARequestAreLeftOut() throws IOException {
    offer("/1.ts|X=a%0d%0aEvil:+b&Host=evil&X-Ok=1", "/2.m3u8", "/3.mkv");
    PROXY.fetch("GET", links(PROXY.fetch("GET", manifest(""))).get(0));
    assertThat(last().fieldNames()).doesNotContain("evil", "x");
    assertThat(last().field("Host")).contains("127.0.0.1:" + origin.port());
    assertThat(last().field("X-Ok")).contains("1");
  }

  @Test
  void aFileNameMayFollowTheRoute() throws IOException {
    offer("/1.ts", "/2.m3u8", "/3.mkv");
    for (String route : List.of("manifest.m3u8", "key_proxy/manifest.m3u8")) {
      String target = manifest("").replace("manifest.m3u8", route + "/A%20list.m3u8");
      assertThat(PROXY.fetch("GET", target).text()).contains("/proxy/hls/manifest.m3u8?");
    }
  }
}
