package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cache.CacheConfig;
import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.ResumeConfig;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One download for many viewers of {@code /proxy/hls/segment.…}. */
@Timeout(60)
class SharingIT {
  private static final int MB = 1 << 20;

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(
          settings ->
              settings.resume(
                  new ResumeConfig(true, 3, Duration.ofMillis(200), Duration.ofSeconds(4))));

  private static String segment(String d, String more) {
    return "/proxy/hls/segment.ts?d=" + URLEncoder.encode(d, StandardCharsets.UTF_8) + more;
  }

  private static RawHttp ask(String d) throws IOException {
    RawHttp client = RawHttp.connect(PROXY.port());
    client.request("GET", segment(d, ""));
    return client;
  }

  /** 1 MB in 20 pieces over 5 s. */
  private static void slowly(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Length: " + MB, "Content-Type: video/mp2t");
    for (int i = 0; i < 20; i++) {
      exchange.body((long) i * MB / 20, (i + 1L) * MB / 20);
      if (i < 19 && !exchange.pause(Duration.ofMillis(250))) {
        return;
      }
    }
  }

  private static void endless(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Type: video/mp2t", "Connection: close");
    long at = 0;
    do {
      exchange.body(at, at + 10_000);
      at += 10_000;
    } while (exchange.pause(Duration.ofMillis(20)));
  }

  private static long metric(String name) throws IOException {
    return PROXY
        .fetch("GET", "/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("millrace_" + name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  @Test
  void asksOnce_for50Viewers() throws Exception {
    ExecutorService viewers = Executors.newFixedThreadPool(50);
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(MB))) {
      List<Future<RawAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        answers.add(viewers.submit(() -> PROXY.fetch("GET", segment(origin.url("/50.ts"), ""))));
      }
      for (Future<RawAnswer> answer : answers) {
        assertThat(answer.get(30, TimeUnit.SECONDS).bytes()).isEqualTo(OffsetBytes.range(0, MB));
      }
      assertThat(origin.requests()).hasSize(1);
    } finally {
      viewers.shutdownNow();
    }
  }

  @Test
  void h28_firstByteReachesALateViewer_whileTheSegmentArrives() throws IOException {
    try (OriginServer origin = OriginServer.start(SharingIT::slowly);
        RawHttp first = ask(origin.url("/slow.ts"))) {
      RawBody body = first.body("GET", first.head());
      assertThat(body.count(200_000).length()).isEqualTo(200_000);
      long start = System.nanoTime();
      try (RawHttp late = ask(origin.url("/slow.ts"))) {
        RawBody lateBody = late.body("GET", late.head());
        assertThat(lateBody.count(200_000).firstWrongAt()).isNegative();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(300));
        assertThat(lateBody.countAll().end()).isEqualTo(BodyEnd.COMPLETE);
      }
      assertThat(body.countAll().end()).isEqualTo(BodyEnd.COMPLETE);
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void f35_otherFieldsAndRanges_areOtherDownloads() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_000))) {
      String d = origin.url("/fields.ts");
      for (String more : List.of("", "&h_cookie=a%3D1", "&h_cookie=a%3D2", "")) {
        assertThat(PROXY.fetch("GET", segment(d, more)).status()).isEqualTo(200);
      }
      assertThat(origin.requests()).hasSize(3);
      for (String range : List.of("bytes=0-99", "bytes=100-199", "bytes=0-99")) {
        assertThat(PROXY.fetch("GET", segment(d, ""), "Range: " + range).bytes()).hasSize(100);
      }
      assertThat(origin.requests()).hasSize(5);
    }
  }

  @Test
  void s38_oneViewerLeaves_theOtherGoesOn_thenTheOriginIsClosed() throws IOException {
    try (OriginServer origin = OriginServer.start(SharingIT::endless);
        RawHttp first = ask(origin.url("/radio.ts"));
        RawHttp second = ask(origin.url("/radio.ts"))) {
      first.body("GET", first.head()).count(50_000);
      RawBody body = second.body("GET", second.head());
      body.count(50_000);
      first.reset();
      assertThat(body.count(200_000).length()).isEqualTo(200_000);
      assertThat(origin.requests()).hasSize(1);
      second.reset();
      Await.until(
          "the origin is closed", Duration.ofSeconds(5), () -> origin.openConnections() == 0);
    }
  }

  @Test
  void aCutIsResumed_forAll() throws IOException {
    AtomicInteger cuts = new AtomicInteger();
    try (OriginServer origin =
            OriginServer.start(
                exchange -> {
                  if (cuts.getAndIncrement() > 0) {
                    ToyOrigins.sendFile(exchange, MB);
                    return;
                  }
                  exchange.head(
                      206,
                      "Content-Length: " + MB,
                      "Content-Range: bytes 0-" + (MB - 1) + "/" + MB,
                      "ETag: " + ToyOrigins.ETAG);
                  exchange.body(0, MB / 2);
                  boolean unused = exchange.pause(Duration.ofMillis(500));
                  exchange.cut();
                });
        RawHttp first = ask(origin.url("/cut.ts"));
        RawHttp second = ask(origin.url("/cut.ts"))) {
      for (RawHttp client : List.of(first, second)) {
        var whole = client.body("GET", client.head()).countAll();
        assertThat(whole.length()).isEqualTo(MB);
        assertThat(whole.firstWrongAt()).isNegative();
      }
      assertThat(origin.requests()).hasSize(2);
    }
  }

  @Test
  void countsAndShowsIt() throws IOException {
    long hits = metric("cache_hits_total");
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_000))) {
      PROXY.fetch("GET", segment(origin.url("/metric.ts"), ""));
      PROXY.fetch("GET", segment(origin.url("/metric.ts"), ""));
    }
    assertThat(metric("cache_hits_total")).isEqualTo(hits + 1);
    assertThat(metric("cache_bytes")).isPositive();
    assertThat(metric("cache_limit_bytes")).isEqualTo(64L << 20);
  }

  @Test
  void sharesNothing_withoutMemory() throws IOException {
    CacheConfig off = new CacheConfig(0, Duration.ofSeconds(300), 5, Duration.ofSeconds(60));
    try (RunningMillrace proxy = RunningMillrace.start(settings -> settings.cache(off));
        OriginServer origin = OriginServer.start(ToyOrigins.file(10_000))) {
      String target = segment(origin.url("/a.ts"), "");
      assertThat(proxy.fetch("GET", target).bytes()).hasSize(10_000);
      assertThat(proxy.fetch("GET", target).bytes()).hasSize(10_000);
      assertThat(origin.requests()).hasSize(2);
    }
  }
}
