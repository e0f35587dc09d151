package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokenException;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.testing.CapturedLog;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Presentations whose links are sealed, and that nothing secret is shown (case 77; fault H8). */
@Timeout(60)
class MpdTokenIT {
  private static final String PASSWORD = "correct-horse";
  private static final String KEY = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, List.of(TestSettings.LINKS.secrets().get(0)), LinkFormat.V2, true);

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  private final HlsOrigin files = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(files);

  private String token(LinkRights rights, String... more) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("d", origin.url("/p/hush.mpd?sig=hush"));
    for (int i = 0; i < more.length; i += 2) {
      parameters.put(more[i], more[i + 1]);
    }
    return "/_token_" + TOKENS.seal(new ProxyLink(parameters, rights)) + "/proxy/mpd/manifest.m3u8";
  }

  private static LinkRights bound() {
    return new LinkRights(
        Optional.of(Instant.ofEpochSecond(Instant.now().getEpochSecond() + 600)),
        Optional.of("127.0.0.1"),
        Optional.of("dash"));
  }

  private static ProxyLink opened(String link) throws LinkTokenException {
    return TOKENS.open(link.replaceFirst(".*/_token_([^/]+)/.*", "$1")).link();
  }

  @Test
  void case77_everyLinkIsSealedWithTheRightsOfItsParent() throws Exception {
    files.playlist("/p/hush.mpd", MpdFiles.protectedFilm(), MpdFiles.TYPE);
    LinkRights rights = bound();
    String start = token(rights, "key_id", MpdFiles.KID, "key", KEY, "h_referer", "http://hush/");
    RawAnswer master = PROXY.fetch("GET", start);
    assertThat(master.status()).isEqualTo(200);
    String playlist = MpdLink.linksIn(master).get(0);
    RawAnswer media = PROXY.fetch("GET", playlist);
    assertThat(MpdLink.linksIn(media)).hasSize(6);
    for (RawAnswer answer : List.of(master, media)) {
      assertThat(answer.text()).doesNotContain("hush", KEY, MpdFiles.KID, PASSWORD);
      assertThat(answer.field("Cache-Control")).contains("no-store");
      for (String link : MpdLink.linksIn(answer)) {
        assertThat(link)
            .matches(
                "/_token_v2\\.[A-Za-z0-9_-]+/proxy/mpd/(playlist\\.m3u8|(init|segment)\\.mp4)");
        assertThat(opened(link).rights()).isEqualTo(rights);
        assertThat(opened(link).parameters())
            .containsEntry("key", KEY)
            .containsEntry("h_referer", "http://hush/");
      }
    }
    assertThat(PROXY.fetch("GET", playlist).text()).isEqualTo(media.text());
  }

  @Test
  void linksAreSealed_whenThePasswordCameInAHeader() throws Exception {
    files.playlist("/p/hush.mpd", MpdFiles.film(), MpdFiles.TYPE);
    RawAnswer answer =
        PROXY.fetch(
            "GET",
            MpdLink.manifest(origin.url("/p/hush.mpd")).toString(),
            "api_password: " + PASSWORD);
    String link = MpdLink.linksIn(answer).get(0);
    assertThat(opened(link).rights().routeFamily()).contains("dash");
    assertThat(PROXY.fetch("GET", link).status()).isEqualTo(200);
  }

  @Test
  void readableLinksCarryThePassword() throws IOException {
    files.playlist("/p/hush.mpd", MpdFiles.film(), MpdFiles.TYPE);
    String target =
        MpdLink.manifest(origin.url("/p/hush.mpd")).with("api_password", PASSWORD).toString();
    RawAnswer answer = PROXY.fetch("GET", target);
    assertThat(answer.field("Cache-Control")).contains("no-store");
    RawAnswer media = PROXY.fetch("GET", MpdLink.linksIn(answer).get(0));
    for (String link : MpdLink.linksIn(media)) {
      assertThat(MpdLink.parametersOf(link)).containsEntry("api_password", PASSWORD);
    }
    assertThat(PROXY.fetch("GET", target.replace(PASSWORD, "wrong")).status()).isEqualTo(403);
  }

  @Test
  void cookiesOfThePresentationReachWhatItLeadsTo() throws Exception {
    files.playlist("/p/hush.mpd", MpdFiles.film(), MpdFiles.TYPE, "Set-Cookie: c=hush; Path=/p/v");
    String start =
        MpdLink.manifest(origin.url("/p/hush.mpd")).with("api_password", PASSWORD).toString();
    RawAnswer master = PROXY.fetch("GET", start);
    assertThat(master.text()).doesNotContain("hush", PASSWORD).contains("/_token_v2.");
    for (String link : MpdLink.linksIn(master)) {
      boolean isSound = opened(link).parameters().get("profile_id").startsWith("2_");
      for (String child : MpdLink.linksIn(PROXY.fetch("GET", link))) {
        assertThat(Optional.ofNullable(opened(child).parameters().get("h_cookie")))
            .isEqualTo(isSound ? Optional.empty() : Optional.of("c=hush"));
      }
    }
    RecordedRequest last = origin.requests().get(origin.requests().size() - 1);
    assertThat(last.field("Cookie")).isEmpty(); // it is for what is below /p/v
  }

  @Test
  void linkOfAnotherRouteOpensNothing() throws IOException {
    LinkRights other = new LinkRights(Optional.empty(), Optional.empty(), Optional.of("hls"));
    assertThat(PROXY.fetch("GET", token(other)).status()).isEqualTo(401);
  }

  @Test
  void logsNoSecret_whateverHappens() throws IOException {
    files.playlist("/p/hush.mpd", MpdFiles.protectedFilm(), MpdFiles.TYPE);
    files.answer("/p/hushed", exchange -> exchange.text(404, ""));
    files.playlist("/p/hush.html", "<html>hush</html>");
    try (CapturedLog log = CapturedLog.start()) {
      PROXY.fetch("GET", token(bound(), "key_id", MpdFiles.KID, "key", KEY, "h_cookie", "hush"));
      PROXY.fetch("GET", token(bound(), "key_id", "hush", "key", KEY));
      PROXY.fetch("GET", token(bound(), "key_id", MpdFiles.KID, "key", KEY + KEY));
      PROXY.fetch("GET", token(bound(), "key", MpdFiles.KID + ":" + KEY, "profile_id", "hush"));
      for (String path : List.of("/p/hush.mpd?hush", "/p/hushed", "/p/hush.html")) {
        String target =
            MpdLink.manifest(origin.url(path).replace("//", "//hush:hush@"))
                .with("api_password", PASSWORD)
                .with("key", KEY)
                .toString();
        RawAnswer answer = PROXY.fetch("GET", target);
        assertThat(answer.status() == 200 || !answer.text().contains("hush")).isTrue();
        PROXY.fetch("HEAD", target);
      }
      assertThat(log.text()).contains("dash").doesNotContain("hush", KEY, PASSWORD);
    }
  }
}
