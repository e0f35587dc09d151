package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  @ParameterizedTest
  @CsvSource({
    "/,HOME,''",
    "/index.html,HOME,''",
    "/favicon.ico,ICON,''",
    "/health,HEALTH,''",
    "/health/live,LIVE,''",
    "/health/ready,READY,''",
    "/metrics,METRICS,''",
    "/sessions,SESSIONS,''",
    "/proxy/stream,STREAM,''",
    "/proxy/stream/,STREAM,''",
    "/proxy/stream/My%20Movie.mkv,STREAM,My Movie.mkv",
    "/proxy/stream/a/b.mkv,STREAM,a/b.mkv",
    "/proxy/stream/f%C3%A9%20%E6%97%A5.mkv,STREAM,fé 日.mkv",
    "'/proxy/stream/a%22;x=%22b.mp4',STREAM,'a\";x=\"b.mp4'",
    "/proxy/stream/100%.mkv,STREAM,100%.mkv",
    "/proxy/stream/a+b.mkv,STREAM,a+b.mkv",
    "/proxy/hls/manifest.m3u8,HLS,manifest.m3u8",
    "/proxy/mpd/segment.mp4,DASH,segment.mp4",
    "/extractor/video.m3u8,EXTRACTOR,video.m3u8",
    "/proxy/telegram/stream,TELEGRAM,stream",
    "/proxy/acestream/status,ACESTREAM,status",
    "/proxy/transcode/init.mp4,TRANSCODE,init.mp4",
    "/proxy/epg,EPG,''",
    "/generate_urls,GENERATE_URLS,''",
    "/proxy/generate_url,GENERATE_URL,''",
    "/base64/check,BASE64_CHECK,''",
    "/openapi.json,DOCS,.json",
    "/speedtest.html,SPEED_TEST_PAGE,.html",
    "/speedtest,SPEED_TEST_PAGE,''",
    "/speedtest/,SPEED_TEST,''",
    "/speedtest/config,SPEED_TEST,config",
    "/hls/t/1.m3u8,XTREAM_HLS,t/1.m3u8",
    "/live/u/p/1.ts,XTREAM,u/p/1.ts",
  })
  void knowsRoutes(String path, Endpoint expected, String suffix) {
    assertThat(Endpoint.match(path)).hasValue(new Endpoint.Match(expected, suffix));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/health/",
        "/Health",
        "/nope",
        "/a/b/c",
        "/proxy",
        "/proxy/streams",
        "/proxy/stream.mp4"
      })
  void knowsNoOther(String path) {
    assertThat(Endpoint.match(path)).isEmpty();
  }

  @Test
  void readsOnly_unlessARouteIsMeantToBeSentTo() {
    assertThat(Endpoint.values())
        .filteredOn(route -> route.methods().contains("POST"))
        .containsExactly(
            Endpoint.FORWARD,
            Endpoint.SPEED_TEST,
            Endpoint.GENERATE_URL,
            Endpoint.GENERATE_URLS,
            Endpoint.GENERATE_ENCODED_URL,
            Endpoint.BASE64_ENCODE,
            Endpoint.BASE64_DECODE);
  }

  @Test
  void asksForPassword_whereBytesAreFetched() {
    assertThat(Endpoint.STREAM.needsPassword()).isTrue();
    assertThat(Endpoint.EXTRACTOR.needsPassword()).isTrue();
    assertThat(Endpoint.HEALTH.needsPassword()).isFalse();
    assertThat(Endpoint.GENERATE_URL.needsPassword()).isFalse();
  }

  @Test
  void isOpenWhereClientsDependOnIt_andNowhereElse() {
    assertThat(Endpoint.values())
        .filteredOn(route -> !route.needsPassword() && !route.isForOperators())
        .containsExactly(
            Endpoint.HOME,
            Endpoint.ICON,
            Endpoint.HEALTH,
            Endpoint.LIVE,
            Endpoint.READY,
            Endpoint.DOCS,
            Endpoint.SPEED_TEST_PAGE,
            Endpoint.GENERATE_URL,
            Endpoint.GENERATE_URLS,
            Endpoint.GENERATE_ENCODED_URL,
            Endpoint.BASE64_ENCODE,
            Endpoint.BASE64_DECODE,
            Endpoint.BASE64_CHECK,
            Endpoint.XTREAM);
  }

  @Test
  void showsNumbersAndSessionsToOperatorsOnly() {
    assertThat(Endpoint.values())
        .filteredOn(Endpoint::isForOperators)
        .containsExactly(Endpoint.METRICS, Endpoint.SESSIONS);
  }

  @Test
  void saysWhatIsMissing() {
    assertThat(NotOfferedException.route(Endpoint.HLS).status()).isEqualTo(501);
    assertThat(NotOfferedException.route(Endpoint.HLS))
        .hasMessage("This server does not offer HLS playlists.");
  }
}
