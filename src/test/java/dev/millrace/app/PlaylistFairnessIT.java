package dev.millrace.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits for a playlist, or with one, does not keep others waiting. */
@Timeout(60)
class PlaylistFairnessIT {
  private static final int RELOADS = 30;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin answers = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(answers);

  private String link(String route, String path) {
    String d = URLEncoder.encode(origin.url(path), StandardCharsets.UTF_8);
    return "/proxy/hls/" + route + "?d=" + d;
  }

  @Test
  void originsThatKeepPlaylistsBack_keepNoSegmentBack() throws Exception {
    CountDownLatch isNew = new CountDownLatch(1);
    List<RawHttp> reloads = new ArrayList<>();
    try {
      for (int i = 0; i < RELOADS; i++) {
        answers.answer(
            "/" + i + ".m3u8",
            exchange -> {
              await(isNew);
              exchange.text(200, "#EXTM3U\n", HlsOrigin.TYPE);
            });
        RawHttp reload = RawHttp.connect(PROXY.port());
        reloads.add(reload);
        reload.request("GET", link("manifest.m3u8", "/" + i + ".m3u8") + "&_HLS_msn=5");
      }

      Await.until(
          "all are kept back", Duration.ofSeconds(9), () -> origin.requests().size() == RELOADS);
      assertThat(PROXY.fetch("GET", link("segment.ts", "/1.ts")).status()).isEqualTo(200);
      assertThat(isNew.getCount()).isOne();

      isNew.countDown();
      for (RawHttp reload : reloads) {
        assertThat(reload.answer("GET").status()).isEqualTo(200);
      }
    } finally {
      isNew.countDown();
      for (RawHttp reload : reloads) {
        reload.close();
      }
    }
  }

  @Test
  void originsThatKeepHintedPartsBack_keepNoSegmentBack() throws Exception {
    CountDownLatch isThere = new CountDownLatch(1);
    List<RawHttp> hinted = new ArrayList<>();
    try {
      for (int i = 0; i < RELOADS; i++) {
        answers.playlist("/" + i + ".m3u8", "#EXTM3U\n" + hint(i + ".0.ts"));
        answers.answer(
            "/" + i + ".0.ts",
            exchange -> {
              await(isThere);
              exchange.bytes(200, new byte[188], "Content-Type: video/mp2t");
            });
        hinted.add(RawHttp.connect(PROXY.port()));
      }
      for (int i = 0; i < RELOADS; i++) {
        hinted
            .get(i)
            .request("GET", hintIn(PROXY.fetch("GET", link("manifest.m3u8", "/" + i + ".m3u8"))));
      }

      Await.until(
          "all are kept back",
          Duration.ofSeconds(9),
          () -> origin.requests().size() == 2 * RELOADS);
      assertThat(PROXY.fetch("GET", link("segment.ts", "/1.ts")).status()).isEqualTo(200);
      assertThat(isThere.getCount()).isOne();

      isThere.countDown();
      for (RawHttp part : hinted) {
        assertThat(part.answer("GET").status()).isEqualTo(200);
      }
    } finally {
      isThere.countDown();
      for (RawHttp part : hinted) {
        part.close();
      }
    }
  }

  private static String hint(String part) {
    return "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"" + part + "\"\n";
  }

  private static String hintIn(RawAnswer playlist) {
    return playlist.text().replaceFirst("(?s).*URI=\"http://[^/]*([^\"]*)\".*", "$1");
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void clientsThatPauseInLongPlaylists_keepNoUsualOneBack() throws IOException {
    byte[] longest = new byte[16 << 20];
    Arrays.fill(longest, (byte) '#');
    System.arraycopy("#EXTM3U\n".getBytes(US_ASCII), 0, longest, 0, 8);
    answers.answer("/long.m3u8", exchange -> exchange.bytes(200, longest, HlsOrigin.TYPE));
    answers.playlist("/usual.m3u8", "#EXTM3U\n".repeat(100_000));
    try (RawHttp first = RawHttp.connect(PROXY.port(), 4 << 10)) {
      first.request("GET", link("manifest.m3u8", "/long.m3u8"));
      assertThat(first.head().status()).isEqualTo(200);
      assertThat(PROXY.fetch("GET", link("manifest.m3u8", "/long.m3u8")).status()).isEqualTo(503);

      assertThat(PROXY.fetch("GET", link("manifest.m3u8", "/usual.m3u8")).status()).isEqualTo(200);
    }
  }

  private void offerMedia(String path, String type) {
    byte[] packets = new byte[188 * 4];
    for (int i = 0; i < packets.length; i += 188) {
      packets[i] = 0x47;
    }
    answers.answer(path, exchange -> exchange.bytes(200, packets, type));
  }

  @Test
  void mediaWithTheNameOfAPlaylist_isDelivered() throws IOException {
    offerMedia("/x.m3u8", "Content-Type: video/mp2t");
    RawAnswer answer = PROXY.fetch("GET", link("manifest.m3u8", "/x.m3u8?seg=4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).hasSize(188 * 4);
    assertThat(answer.field("Content-Type")).contains("video/mp2t");
  }

  @Test
  void mediaThatIsToBeAPlaylist_isNone() throws IOException {
    offerMedia("/y.m3u8", "Content-Type: video/mp2t");
    String link = link("manifest.m3u8", "/y.m3u8") + "&force_playlist_proxy=true";
    RawAnswer answer = PROXY.fetch("GET", link);
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("not_a_playlist");
  }
}
