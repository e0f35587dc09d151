package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cache.CacheConfig;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.testing.Await;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.ManifestLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows in a playlist is fetched before it is asked for (reports H25, H26). */
@Timeout(60)
class PrefetchIT {
  private static final String PASSWORD = "correct-horse";
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, List.of(TestSettings.LINKS.secrets().get(0)), LinkFormat.V2, true);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofMillis(700);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin playlists = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(playlists);

  private static String vod(int count) {
    return "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        + IntStream.range(0, count)
            .mapToObj(i -> "#EXTINF:4,\n" + i + ".ts\n")
            .collect(Collectors.joining())
        + "#EXT-X-ENDLIST\n";
  }

  private static RunningMillrace with(int ahead, Duration idle) {
    CacheConfig cache = new CacheConfig(64L << 20, Duration.ofMinutes(5), ahead, idle);
    return RunningMillrace.start(settings -> settings.cache(cache));
  }

  private static List<String> links(RunningMillrace proxy, Object manifest) throws IOException {
    RawAnswer answer = proxy.fetch("GET", manifest.toString());
    assertThat(answer.status()).isEqualTo(200);
    return ManifestLink.linksIn(answer);
  }

  private static void plays(RunningMillrace proxy, String link, String path) throws IOException {
    RawAnswer answer = proxy.fetch("GET", link);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(HlsOrigin.body(path));
  }

  /** How often each was asked for; the playlists left out. */
  private Map<String, Long> asked() {
    return origin.requests().stream()
        .map(RecordedRequest::path)
        .filter(path -> !path.endsWith(".m3u8"))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private static Map<String, Long> once(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .boxed()
        .collect(Collectors.toMap(i -> "/" + i + ".ts", i -> 1L));
  }

  private void awaitOnce(int last) {
    Await.until("segments 0 to " + last, SOON, () -> asked().equals(once(0, last)));
    Await.stays("no more", QUIET, () -> asked().equals(once(0, last)));
  }

  private static long metric(RunningMillrace proxy, String name) throws IOException {
    return proxy
        .fetch("GET", "/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("millrace_" + name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  private void isPlayedFromWhatWasFetchedAhead(RunningMillrace proxy, Object manifest)
      throws IOException {
    List<String> links = links(proxy, manifest);
    plays(proxy, links.get(0), "/0.ts");
    awaitOnce(5);
    List<RecordedRequest> segments =
        origin.requests().stream().filter(asked -> asked.path().endsWith(".ts")).toList();
    assertThat(segments.get(0).fieldLines())
        .contains("Referer: https://page.example/watch", "User-Agent: Player/7");
    assertThat(segments).allMatch(asked -> asked.fieldLines().equals(segments.get(0).fieldLines()));
    for (int i = 1; i < 12; i++) {
      plays(proxy, links.get(i), "/" + i + ".ts");
    }
    awaitOnce(11);
  }

  @Test
  void fetchesTheNext5_asTheViewerWouldAsk() throws IOException {
    playlists.playlist("/vod.m3u8", vod(12));
    long hits = metric(PROXY, "cache_hits_total");
    long ahead = metric(PROXY, "cache_prefetched_total");
    isPlayedFromWhatWasFetchedAhead(
        PROXY,
        ManifestLink.to(origin.url("/vod.m3u8"))
            .with("h_referer", "https://page.example/watch")
            .with("h_user-agent", "Player/7"));
    assertThat(metric(PROXY, "cache_prefetched_total")).isEqualTo(ahead + 11);
    assertThat(metric(PROXY, "cache_hits_total") - hits).isBetween(5L, 11L);
  }

  @Test
  void fetchesAhead_whatSealedLinksLeadTo() throws IOException {
    playlists.playlist("/vod.m3u8", vod(12));
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("d", origin.url("/vod.m3u8"));
    parameters.put("h_user-agent", "Player/7");
    parameters.put("h_referer", "https://page.example/watch");
    String token = TOKENS.seal(new ProxyLink(parameters, LinkRights.UNLIMITED));
    try (RunningMillrace proxy = RunningMillrace.start(settings -> settings.password(PASSWORD))) {
      isPlayedFromWhatWasFetchedAhead(proxy, "/_token_" + token + "/proxy/hls/manifest.m3u8");
    }
  }

  @Test
  void fetchesAhead_whatIsUnwrappedForTheViewer() throws IOException {
    playlists.playlist("/vod.m3u8", vod(12));
    isPlayedFromWhatWasFetchedAhead(
        PROXY,
        ManifestLink.to(origin.url("/vod.m3u8"))
            .with("transformer", "ts_stream")
            .with("h_referer", "https://page.example/watch")
            .with("h_user-agent", "Player/7"));
  }

  @Test
  void h25_livePlaylistOf3Viewers_eachSegmentOnce() throws Exception {
    long start = System.nanoTime();
    playlists.answer(
        "/live.m3u8",
        exchange -> {
          long first = (System.nanoTime() - start) / 400_000_000L;
          StringBuilder text = new StringBuilder("#EXTM3U\n#EXT-X-TARGETDURATION:1\n");
          text.append("#EXT-X-MEDIA-SEQUENCE:").append(first).append('\n');
          for (long i = first; i < first + 6; i++) {
            text.append("#EXTINF:1,\n").append(i).append(".ts\n");
          }
          exchange.text(200, text.toString(), HlsOrigin.TYPE);
        });
    String manifest = ManifestLink.to(origin.url("/live.m3u8")).toString();
    ExecutorService viewers = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> played = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        played.add(viewers.submit(() -> watch(manifest)));
      }
      for (Future<Integer> one : played) {
        assertThat(one.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(8);
      }
    } finally {
      viewers.shutdownNow();
    }
    assertThat(asked()).hasSizeGreaterThanOrEqualTo(8);
    assertThat(asked().values()).containsOnly(1L);
  }

  /** Refreshes 10 times, and plays what it has not had. */
  private static int watch(String manifest) throws Exception {
    Set<String> had = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      for (String link : links(PROXY, manifest)) {
        if (had.add(link)) {
          assertThat(PROXY.fetch("GET", link).status()).isEqualTo(200);
        }
      }
      TimeUnit.MILLISECONDS.sleep(300);
    }
    return had.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 404, 500})
  void h26_aFailureAhead_isNotTheViewers(int status) throws IOException {
    playlists.playlist("/vod.m3u8", vod(12));
    AtomicInteger count = new AtomicInteger();
    playlists.answer(
        "/1.ts",
        exchange -> {
          int answer = count.getAndIncrement() == 0 ? status : 200;
          exchange.text(answer, HlsOrigin.body("/1.ts"), "Content-Type: video/mp2t");
        });
    List<String> links = links(PROXY, ManifestLink.to(origin.url("/vod.m3u8")));
    plays(PROXY, links.get(0), "/0.ts");
    awaitOnce(1);
    for (int i = 1; i < 12; i++) {
      plays(PROXY, links.get(i), "/" + i + ".ts");
    }
    Map<String, Long> expected = new LinkedHashMap<>(once(0, 11));
    expected.put("/1.ts", 2L);
    assertThat(asked()).isEqualTo(expected);
  }

  @Test
  void fetchesNothing_ifItIsOff_butShares() throws IOException {
    playlists.playlist("/vod.m3u8", vod(12));
    try (RunningMillrace proxy = with(0, Duration.ofMinutes(1))) {
      List<String> links = links(proxy, ManifestLink.to(origin.url("/vod.m3u8")));
      plays(proxy, links.get(0), "/0.ts");
      plays(proxy, links.get(0), "/0.ts");
      awaitOnce(0);
      long shared = metric(proxy, "cache_shared_total"); // the end may not have come yet
      assertThat(metric(proxy, "cache_hits_total") + shared).isEqualTo(1);
    }
  }

  @Test
  void endsWithTheViewer() throws IOException {
    playlists.playlist("/vod.m3u8", vod(12));
    playlists.answer("/2.ts", exchange -> exchange.hold());
    try (RunningMillrace proxy = with(5, Duration.ofSeconds(1))) {
      List<String> links = links(proxy, ManifestLink.to(origin.url("/vod.m3u8")));
      plays(proxy, links.get(0), "/0.ts");
      Await.until("segment 2 is asked for", SOON, () -> asked().containsKey("/2.ts"));
      Await.until("it is given up", SOON, () -> origin.requestsInProgress() == 0);
      awaitOnce(2);
    }
  }

  @Test
  void fetchesNothing_ofPartsOfOneFile() throws IOException {
    StringBuilder text = new StringBuilder("#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:4\n");
    for (int i = 0; i < 8; i++) {
      text.append("#EXTINF:4,\n#EXT-X-BYTERANGE:2@").append(2 * i).append("\n0.ts\n");
    }
    playlists.playlist("/parts.m3u8", text.append("#EXT-X-ENDLIST\n").toString());
    List<String> links = links(PROXY, ManifestLink.to(origin.url("/parts.m3u8")));
    PROXY.fetch("GET", links.get(0), "Range: bytes=0-1");
    awaitOnce(0);
  }

  @Test
  void fetchesNothing_ofListsOfChannels() throws IOException {
    playlists.playlist(
        "/tv.m3u8",
        "#EXTM3U\n#EXTINF:-1,One\n0.ts\n#EXTINF:-1,Two\n1.ts\n#EXTINF:-1,Three\n2.ts\n");
    List<String> links = links(PROXY, ManifestLink.to(origin.url("/tv.m3u8")));
    plays(PROXY, links.get(0), "/0.ts");
    awaitOnce(0);
  }
}
