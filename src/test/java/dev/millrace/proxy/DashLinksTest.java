package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.PlaylistLinks.InitializationLink;
import dev.millrace.dash.PlaylistLinks.SegmentLink;
import dev.millrace.dash.Shift;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.SetCookies;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DashLinksTest {
  private static final String BASE = "http://proxy.example/sub";
  private static final String D = "https%3A%2F%2Fcdn.example%2Fm.mpd";
  private static final String KID = "0123456789abcdef0123456789abcdef";
  private static final String SECRET = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
  private static final String PAIR = "key_id=" + KID + "&key=" + SECRET;
  private static final Part INIT = part("https://cdn.example/i.mp4");
  private static final Part MEDIA = part("https://cdn.example/1.m4s?s=a*b~c+d e");
  private static final LinkTokens TOKENS =
      new LinkTokens("password", List.of("a secret for tests only"), LinkFormat.V2, true);

  private static Part part(String url) {
    return new Part(url, Optional.empty());
  }

  private static DashLinks plain(String query) throws Exception {
    return links(query, "https://cdn.example/m.mpd", Optional.empty(), Optional.empty());
  }

  private static DashLinks links(
      String query, String at, Optional<LinkRights> rights, Optional<LinkTokens> tokens)
      throws Exception {
    QueryParameters parameters = QueryParameters.parse(query);
    UpstreamHead head = new UpstreamHead(200, Headers.of(), Target.parse(at), SetCookies.NONE);
    return DashLinks.of(
        DashParameters.parse(parameters, false, ProxyConfig.defaults()),
        new Grant(parameters, rights),
        new PublicAddress("http://proxy.example", "/sub"),
        head,
        tokens);
  }

  private static SegmentLink segment(Optional<Part> init, Part media, Optional<Shift> shift) {
    return new SegmentLink(media, init, "video/mp4", true, shift, false);
  }

  @Test
  void playlistKeepsEveryParameterInItsOrder() throws Exception {
    DashLinks links =
        plain(
            "h_a=1&token=&has_encrypted=True&d=" + D + "&skip=0-112,280-300.50&r_x=y&x=%C3%BC*~+");
    assertThat(links.playlist("1_v_5"))
        .isEqualTo(
            BASE
                + "/proxy/mpd/playlist.m3u8?h_a=1&d="
                + D
                + "&skip=0.0-112.0%2C280.0-300.5&r_x=y&x=%C3%BC%2A~+&profile_id=1_v_5&key_id=&key=");
  }

  @Test
  void playlistWritesKeysAndProfileWhereTheyStood() throws Exception {
    DashLinks links = plain("profile_id=old&key=" + SECRET + "&d=" + D + "&key_id=0x" + KID);
    assertThat(links.playlist("a b"))
        .endsWith("?profile_id=a+b&key=" + SECRET + "&d=" + D + "&key_id=" + KID);
  }

  @Test
  void lastOfARepeatedParameterWins_whereTheFirstStood() throws Exception {
    assertThat(plain("a=1&d=" + D + "&a=2").playlist("p")).contains("?a=2&d=");
  }

  @Test
  void combinedKeysBecomeTwoLists() throws Exception {
    DashLinks links = plain("d=" + D + "&key=" + KID + ":" + SECRET);
    assertThat(links.playlist("p")).endsWith("&key=" + SECRET + "&profile_id=p&key_id=" + KID);
    assertThat(links.segment(segment(Optional.of(INIT), MEDIA, Optional.empty())))
        .contains("key=" + SECRET, "key_id=" + KID);
  }

  @Test
  void segmentHasWhatThePlaylistHad_thenItsOwn() throws Exception {
    String query =
        "d=" + D + "&profile_id=p&remux_to_ts=0&" + PAIR + "&h_a=1&h_range=x&api_password=q";
    Part init = new Part("https://cdn.example/i.mp4", Optional.of("0-799"));
    Part media = new Part(MEDIA.url(), Optional.of("800-"));
    assertThat(
            plain(query).segment(segment(Optional.of(init), media, Optional.of(new Shift(-3, 2)))))
        .isEqualTo(
            BASE
                + "/proxy/mpd/segment.mp4?"
                + PAIR
                + "&h_a=1&api_password=q"
                + "&init_url=https%3A%2F%2Fcdn.example%2Fi.mp4"
                + "&segment_url=https%3A%2F%2Fcdn.example%2F1.m4s%3Fs%3Da%2Ab~c%2Bd+e"
                + "&mime_type=video%2Fmp4&is_live=true&use_map=true&init_range=0-799"
                + "&segment_range=800-&shift=-3%2F2");
  }

  @Test
  void segmentThatInitializesItselfHasNoMap() throws Exception {
    assertThat(plain("d=" + D).segment(segment(Optional.empty(), MEDIA, Optional.empty())))
        .startsWith(BASE + "/proxy/mpd/segment.mp4?segment_url=")
        .doesNotContain("init_url", "use_map", "key");
  }

  @Test
  void whatAnAskerSaysOfSegmentsIsNotBelieved() throws Exception {
    String query = "segment_url=http%3A%2F%2Fevil.example&shift=1%2F1&use_map=false&d=" + D;
    assertThat(plain(query).segment(segment(Optional.of(INIT), MEDIA, Optional.empty())))
        .doesNotContain("evil", "shift", "use_map=false");
  }

  @Test
  void initHasKeysPasswordAndFields_andNothingElse() throws Exception {
    String query =
        "x_headers=e&r_a=b&rp_c=d&h_Cookie=c&skip=0-1&" + PAIR + "&api_password=q&h_z=1&d=" + D;
    Part init = new Part("https://cdn.example/i.mp4", Optional.of("0-799"));
    assertThat(plain(query).initialization(new InitializationLink(init, "audio/mp4", false)))
        .isEqualTo(
            BASE
                + "/proxy/mpd/init.mp4?init_url=https%3A%2F%2Fcdn.example%2Fi.mp4"
                + "&mime_type=audio%2Fmp4&is_live=false&init_range=0-799&"
                + PAIR
                + "&api_password=q&rp_c=d&h_Cookie=c&h_z=1");
  }

  @Test
  void transportStreamsLeadToARouteOfTheirOwn() throws Exception {
    SegmentLink stream =
        new SegmentLink(
            part("https://cdn.example/1.m4s"),
            Optional.of(part("https://cdn.example/i.mp4")),
            "video/mp4",
            false,
            Optional.empty(),
            true);
    assertThat(plain("d=" + D + "&remux_to_ts=1&" + PAIR).segment(stream))
        .startsWith(BASE + "/proxy/mpd/segment.ts?")
        .contains("init_url=https%3A%2F%2Fcdn.example%2Fi.mp4", "&use_map=false")
        .doesNotContain("remux_to_ts");
  }

  @Test
  void subtitlesInOneTextLeadToWhereNothingIsDecrypted() throws Exception {
    SegmentLink text =
        new SegmentLink(
            part("https://cdn.example/a.vtt"),
            Optional.empty(),
            "text/vtt",
            false,
            Optional.empty(),
            false);
    assertThat(plain("d=" + D + "&h_a=1&" + PAIR).segment(text))
        .isEqualTo(BASE + "/proxy/hls/segment.vtt?d=https%3A%2F%2Fcdn.example%2Fa.vtt&h_a=1");
  }

  @Test
  void credentialsOfTheAddressStayWithItsOrigin() throws Exception {
    DashLinks links =
        links("d=" + D, "https://u:p@cdn.example/m.mpd", Optional.empty(), Optional.empty());
    assertThat(links.segment(segment(Optional.of(INIT), MEDIA, Optional.empty())))
        .contains("segment_url=https%3A%2F%2Fu%3Ap%40cdn.example", "init_url=https%3A%2F%2Fu%3Ap");
    assertThat(
            links.segment(
                segment(Optional.empty(), part("https://other.example/1"), Optional.empty())))
        .doesNotContain("u%3Ap");
  }

  @Test
  void sealedLinksInheritRights_andSayNothing() throws Exception {
    LinkRights rights =
        new LinkRights(
            Optional.of(Instant.ofEpochSecond(4_000_000_000L)),
            Optional.of("203.0.113.7"),
            Optional.of("dash"));
    DashLinks links =
        links(
            "d=" + D + "&" + PAIR,
            "https://cdn.example/m.mpd",
            Optional.of(rights),
            Optional.of(TOKENS));
    List<String> all =
        List.of(
            links.playlist("p"),
            links.initialization(new InitializationLink(INIT, "video/mp4", false)),
            links.segment(segment(Optional.of(INIT), MEDIA, Optional.of(new Shift(1, 3)))));
    for (String link : all) {
      assertThat(link)
          .matches(BASE + "/_token_[^/]+/proxy/mpd/(playlist\\.m3u8|init\\.mp4|segment\\.mp4)");
      ProxyLink opened = TOKENS.open(link.replaceFirst(".*/_token_([^/]+)/.*", "$1")).link();
      assertThat(opened.rights()).isEqualTo(rights);
      assertThat(opened.parameters()).containsEntry("key", SECRET);
    }
    assertThat(links.holdSecrets()).isTrue();
  }

  @Test
  void sealedSegmentSaysTheSameAsAReadableOne() throws Exception {
    DashLinks sealed =
        links("d=" + D, "https://cdn.example/m.mpd", Optional.empty(), Optional.of(TOKENS));
    String link = sealed.segment(segment(Optional.of(INIT), MEDIA, Optional.of(new Shift(1, 3))));
    Map<String, String> opened =
        TOKENS.open(link.replaceFirst(".*/_token_([^/]+)/.*", "$1")).link().parameters();
    assertThat(opened)
        .containsEntry("segment_url", MEDIA.url())
        .containsEntry("shift", "1/3")
        .containsEntry("use_map", "true");
  }

  @Test
  void readableLinksWithoutKeysHoldNoSecret() throws Exception {
    assertThat(plain("d=" + D).holdSecrets()).isFalse();
    assertThat(plain("d=" + D + "&" + PAIR).holdSecrets()).isTrue();
  }
}
