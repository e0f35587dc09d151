package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Playlists are shared, and never given out when a player may expect a newer one. */
@Timeout(60)
class SharedPlaylistIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private static String live(int sequence) {
    return "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:%d\n#EXTINF:2,\n%d.ts\n"
        .formatted(sequence, sequence);
  }

  private static RawAnswer get(String d) throws Exception {
    return PROXY.fetch(
        "GET", "/proxy/hls/manifest.m3u8?d=" + URLEncoder.encode(d, StandardCharsets.UTF_8));
  }

  @Test
  void livePlaylistIsNew_afterAQuarterOfItsTargetDuration() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.text(200, live(asked.incrementAndGet())))) {
      String d = origin.url("/live.m3u8");
      long start = System.nanoTime();
      assertThat(get(d).text()).contains("SEQUENCE:1\n");
      assertThat(get(d).status()).isEqualTo(200);
      Await.until(
          "500 ms have passed",
          Duration.ofSeconds(5),
          () -> System.nanoTime() - start > 900_000_000L);
      int before = asked.get();
      assertThat(get(d).text()).contains("SEQUENCE:" + (before + 1) + "\n");
    }
  }

  @Test
  void endedPlaylistIsAskedForOnce() throws Exception {
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.text(200, live(0) + "#EXT-X-ENDLIST\n"))) {
      for (int i = 0; i < 5; i++) {
        assertThat(get(origin.url("/vod.m3u8")).text()).contains("ENDLIST");
      }
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void playlistWithoutAnEndingInItsName_isNeverKept() throws Exception {
    try (OriginServer origin = OriginServer.start(exchange -> exchange.text(200, live(1)))) {
      get(origin.url("/live"));
      get(origin.url("/live"));
      assertThat(origin.requests().size()).isGreaterThanOrEqualTo(2);
    }
  }
}
