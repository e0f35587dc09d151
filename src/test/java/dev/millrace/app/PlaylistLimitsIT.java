package dev.millrace.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hls.JsonList;
import dev.millrace.hls.PlaylistText;
import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Playlists and lists as long as they may be, and one byte longer. */
@Timeout(60)
class PlaylistLimitsIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin playlists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(playlists);

  private static byte[] playlist(int bytes) {
    StringBuilder text = new StringBuilder(bytes).append("#EXTM3U\n");
    String line = "#" + "x".repeat(1_022) + "\n";
    while (text.length() + line.length() <= bytes) {
      text.append(line);
    }
    return text.append("#".repeat(bytes - text.length())).toString().getBytes(US_ASCII);
  }

  private void offer(byte[] body, boolean isLengthKnown) {
    playlists.answer(
        "/x.m3u8",
        exchange -> {
          if (isLengthKnown) {
            exchange.bytes(200, body, HlsOrigin.TYPE);
          } else {
            exchange.head(200, HlsOrigin.TYPE, "Transfer-Encoding: chunked");
            exchange.chunk(body);
            exchange.lastChunk();
          }
        });
  }

  private String link(String route, String path) {
    String d = URLEncoder.encode(origin.url(path), StandardCharsets.UTF_8);
    return "/proxy/hls/" + route + "?d=" + d;
  }

  private String manifest() {
    return link("manifest.m3u8", "/x.m3u8");
  }

  /** What is said when the memory of whoever came before is given back. */
  private RawAnswer settled() {
    RawAnswer[] answer = new RawAnswer[1];
    Await.until(
        "memory is given back",
        SOON,
        () -> {
          try {
            answer[0] = PROXY.fetch("GET", manifest());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return answer[0].status() != 503;
        });
    return answer[0];
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void takes16MiB_andNotAByteMore(boolean isLengthKnown) {
    byte[] longest = playlist(PlaylistText.MAX_BYTES);
    offer(longest, isLengthKnown);
    RawAnswer answer = settled();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(longest);
    offer(playlist(PlaylistText.MAX_BYTES + 1), isLengthKnown);
    RawAnswer refusal = settled();
    assertThat(refusal.status()).isEqualTo(502);
    assertThat(ErrorBody.of(refusal).reason()).isEqualTo("playlist_too_large");
  }

  @Test
  void answers503_whilePlaylistsTakeAllTheirMemory() throws IOException {
    byte[] longest = playlist(PlaylistText.MAX_BYTES);
    offer(longest, true);
    assertThat(settled().status()).isEqualTo(200);
    try (RawHttp reader = RawHttp.connect(PROXY.port(), 4 << 10)) {
      Await.until(
          "a playlist is held",
          SOON,
          () -> {
            try {
              reader.request("GET", manifest());
              return reader.head().status() == 200;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      RawAnswer refusal = PROXY.fetch("GET", manifest());
      assertThat(refusal.status()).isEqualTo(503);
      assertThat(refusal.field("Retry-After")).isPresent();
      assertThat(ErrorBody.of(refusal).reason()).isEqualTo("over_capacity");
    }
    assertThat(settled().bytes()).isEqualTo(longest);
  }

  @Test
  void takesListsOf1MiB_andNotAByteMore() throws IOException {
    String list = "{\"VERSION\":1" + " ".repeat(JsonList.MAX_BYTES - 13) + "}";
    playlists
        .playlist("/s.json", list, "Content-Type: application/json")
        .playlist("/t.json", list + " ", "Content-Type: application/json");
    RawAnswer answer = PROXY.fetch("GET", link("list.json", "/s.json"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).startsWith("{\"VERSION\":1");
    RawAnswer refusal = PROXY.fetch("GET", link("list.json", "/t.json"));
    assertThat(refusal.status()).isEqualTo(502);
    assertThat(ErrorBody.of(refusal).reason()).isEqualTo("list_too_large");
  }

  @Test
  void sendsMoreThanOnePieceInChunks() throws IOException {
    String segment = "#EXTINF:6.0,\nsegment.ts\n";
    playlists.playlist("/x.m3u8", "#EXTM3U\n" + segment.repeat(10_000));
    String rewritten = "#EXTINF:6.0,\n" + PROXY.url(link("segment.ts", "/segment.ts")) + "\n";
    RawAnswer answer = PROXY.fetch("GET", manifest());
    assertThat(answer.text()).isEqualTo("#EXTM3U\n" + rewritten.repeat(10_000));
    assertThat(answer.field("Content-Length")).isEmpty();
    playlists.playlist("/y.m3u8", "#EXTM3U\n" + segment);
    RawAnswer small = PROXY.fetch("GET", link("manifest.m3u8", "/y.m3u8"));
    assertThat(small.field("Content-Length")).contains(String.valueOf(small.bytes().length));
  }

  @Test
  void addressReachesItsOriginByteForByte_whatEverEncodingItHas() throws IOException {
    byte[] text = "#EXTM3U\n#EXTINF:1,\n\u00e9\u00ff.ts\n".getBytes(ISO_8859_1);
    offer(text, true);
    String link = PROXY.fetch("GET", manifest()).text().split("\n", -1)[2];
    PROXY.fetch("GET", link.replaceFirst("http://[^/]+", ""));
    assertThat(origin.requests().get(1).target()).isEqualTo("/%E9%FF.ts");
  }
}
