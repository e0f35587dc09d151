package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.ManifestLink;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Encoders that write to a few names over and over, and keys that change where they are. */
@Timeout(60)
class RingIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin playlists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(playlists);

  /** What the origin has now: the numbers in the playlist, and of how many names. */
  private record Now(int run, List<Integer> numbers, int names) {
    String text() {
      return "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:"
          + numbers.get(0)
          + "\n"
          + numbers.stream()
              .map(number -> "#EXTINF:2,\ns" + number % names + ".ts\n")
              .collect(Collectors.joining());
    }

    /** What is under a name: the last that was written there. */
    String body(int name) {
      int last = numbers.get(numbers.size() - 1);
      int number = last - Math.floorMod(last - name, names);
      return "run " + run + " number " + number;
    }
  }

  private volatile Now now = new Now(0, List.of(0), 1);

  private void publish(int run, List<Integer> numbers, int names) {
    now = new Now(run, numbers, names);
  }

  private void begin(int names) {
    playlists.answer("/live.m3u8", exchange -> exchange.text(200, now.text(), HlsOrigin.TYPE));
    for (int i = 0; i < names; i++) {
      int name = i;
      playlists.answer("/s" + i + ".ts", exchange -> media(exchange, now.body(name)));
    }
  }

  private static void media(OriginExchange exchange, String body) throws IOException {
    exchange.text(200, body, "Content-Type: video/mp2t");
  }

  private List<String> refreshed() {
    String manifest = ManifestLink.to(origin.url("/live.m3u8")).toString();
    Await.until(
        "the playlist is the newest",
        Duration.ofSeconds(5),
        () -> get(manifest).contains("SEQUENCE:" + now.numbers().get(0) + "\n"));
    return get(manifest)
        .lines()
        .filter(line -> line.startsWith("http"))
        .map(line -> line.replaceFirst("https?://[^/]+", ""))
        .toList();
  }

  private static String get(String target) {
    try {
      return PROXY.fetch("GET", target).text();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void playsAll() {
    List<String> links = refreshed();
    List<Integer> numbers = now.numbers();
    assertThat(links).hasSameSizeAs(numbers);
    for (int i = 0; i < links.size(); i++) {
      assertThat(get(links.get(i))).isEqualTo("run " + now.run() + " number " + numbers.get(i));
    }
  }

  @Test
  void newestSegmentIsTheNewOne_whenNamesAreUsedAgain() {
    begin(2);
    for (int first = 0; first < 5; first++) {
      publish(0, List.of(first, first + 1), 2);
      List<String> links = refreshed();
      assertThat(get(links.get(1))).isEqualTo("run 0 number " + (first + 1));
    }
  }

  @Test
  void allSegmentsAreTheNewOnes_whenNamesAreUsedAgain() {
    begin(3);
    for (int first = 0; first < 5; first++) {
      publish(0, List.of(first, first + 1, first + 2), 3);
      playsAll();
    }
  }

  @Test
  void segmentsAreTheNewOnes_whenTheirNamesWereAwayFromThePlaylist() {
    begin(4);
    for (int first = 0; first < 8; first++) {
      publish(0, List.of(first, first + 1), 4);
      playsAll();
    }
  }

  @Test
  void segmentsAreTheNewOnes_whenAllNamesHaveGoneByBetweenTwoReadings() {
    begin(3);
    for (int first = 0; first < 15; first += 3) {
      publish(0, List.of(first, first + 1, first + 2), 3);
      playsAll();
    }
  }

  @Test
  void segmentsAreTheNewOnes_whenTheEncoderBeganAgain() {
    begin(3);
    publish(0, List.of(7, 8, 9), 3);
    playsAll();
    publish(1, List.of(0, 1, 2), 3);
    playsAll();
    publish(1, List.of(1, 2, 3), 3);
    playsAll();
  }

  @Test
  void keyIsTheNewOne_whenItChangesWhereItIs() throws IOException {
    AtomicInteger keys = new AtomicInteger(10);
    playlists.answer("/k.key", exchange -> exchange.text(200, "key-of-round-" + keys.get() + "-"));
    playlists.playlist(
        "/live.m3u8",
        """
        #EXTM3U
        #EXT-X-TARGETDURATION:2
        #EXT-X-MEDIA-SEQUENCE:3
        #EXT-X-KEY:METHOD=AES-128,URI="k.key"
        #EXTINF:2,
        3.ts
        """);
    String key =
        ManifestLink.linksIn(
                PROXY.fetch("GET", ManifestLink.to(origin.url("/live.m3u8")).toString()))
            .get(0);
    for (; keys.get() < 15; keys.incrementAndGet()) {
      assertThat(get(key)).isEqualTo("key-of-round-" + keys.get() + "-");
    }
  }
}
