package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CountedAnswer;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.CutFilm;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.ResumeConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A body that its origin cuts goes on at the next byte, or breaks; it is never wrong. */
@Timeout(60)
class ResumeIT {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final long FILM_BYTES = 300_000_000;
  private static final int CUTS = 20;
  private static final String STRONG = "ETag: \"abc\"";
  private static final String WEAK = "ETag: W/\"abc\"";
  private static final String DATE = "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT";

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(
          settings ->
              settings
                  .idleTimeout(Duration.ofMillis(500))
                  .resume(
                      new ResumeConfig(true, 2, Duration.ofMillis(800), Duration.ofSeconds(10))));

  @Test
  void keepsAFilmWhole_whateverItsOriginCutsAndExpires() throws IOException {
    long[] cuts = new Random(20).longs(CUTS, 1, FILM_BYTES).toArray();
    CutFilm film = new CutFilm(FILM_BYTES, STRONG, cuts);
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.freshTokens(Duration.ofSeconds(2), film))) {
      CountedAnswer answer = PROXY.count(origin.url("/film.mp4"));
      assertThat(answer.body()).isEqualTo(new CountedBody(FILM_BYTES, -1, BodyEnd.COMPLETE));
      assertThat(film.sentBytes()).isBetween(FILM_BYTES, FILM_BYTES * 102 / 100);
      assertThat(origin.requests()).hasSizeBetween(2 * (CUTS + 1), 3 * (CUTS + 1));
      assertThat(film.longestPauseMillis()).isLessThan(700);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "X-None: 1, 0, bytes=4000-10239, 10240",
    "Range: bytes=0-, 0, bytes=4000-10239, 10240",
    "Range: bytes=0-9999, 0, bytes=4000-9999, 10000",
    "Range: bytes=1000-, 1000, bytes=4000-10239, 9240",
    "Range: bytes=-9000, 1240, bytes=4000-10239, 9000"
  })
  void row22_asksForTheRest(String field, long first, String rest, long length) throws IOException {
    CutFilm film = new CutFilm(10_240, STRONG, 4_000);
    try (OriginServer origin = OriginServer.start(film);
        RawHttp client = PROXY.ask(origin.url("/v.mp4"), field)) {
      CountedBody body = client.body("GET", client.head()).startingAt(first).countAll();
      assertThat(body).isEqualTo(new CountedBody(length, -1, BodyEnd.COMPLETE));
      assertThat(origin.requests().get(1).field("Range")).contains(rest);
      assertThat(origin.requests().get(1).field("If-Range")).contains("\"abc\"");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        STRONG + "|\"abc\"",
        WEAK + "|none",
        DATE + "|Mon, 30 Nov 2026 00:00:00 GMT",
        "X-None: 1|none"
      })
  void resumes_withWhateverTheOriginCanBeComparedBy(String validator, String ifRange)
      throws IOException {
    try (OriginServer origin = OriginServer.start(new CutFilm(10_240, validator, 4_000))) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body())
          .isEqualTo(new CountedBody(10_240, -1, BodyEnd.COMPLETE));
      assertThat(origin.requests().get(1).field("If-Range").orElse("none")).isEqualTo(ifRange);
    }
  }

  @Test
  void resumes_whenTheOriginFallsSilent() throws IOException {
    Script silent =
        exchange -> {
          exchange.head(200, STRONG, "Content-Length: 10240");
          exchange.body(0, 4_000);
          exchange.hold();
        };
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(1, silent, new CutFilm(10_240, STRONG)))) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body())
          .isEqualTo(new CountedBody(10_240, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void resumesAfterAReset_fromWhatHadArrived() throws IOException {
    Script reset =
        exchange -> {
          exchange.head(200, STRONG, "Content-Length: 10240");
          exchange.body(0, 4_000);
          exchange.reset();
        };
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(1, reset, new CutFilm(10_240, STRONG)))) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body())
          .isEqualTo(new CountedBody(10_240, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  void resumes_onceABusyOriginIsFree() throws IOException {
    Script busy = ToyOrigins.status(503, "Retry-After: 1");
    CutFilm film = new CutFilm(10_240, STRONG, 4_000);
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(1, film, ToyOrigins.first(1, busy, film)))) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body())
          .isEqualTo(new CountedBody(10_240, -1, BodyEnd.COMPLETE));
      assertThat(origin.requests()).hasSize(3);
    }
  }

  static Stream<Arguments> otherContents() {
    return Stream.of(
        Arguments.of(STRONG, Named.of("changed tag", new CutFilm(10_240, "ETag: \"def\""))),
        Arguments.of(STRONG, Named.of("tag lost", new CutFilm(10_240, "X-None: 1"))),
        Arguments.of(STRONG, Named.of("tag weakened", new CutFilm(10_240, WEAK))),
        Arguments.of(WEAK, Named.of("changed weak tag", new CutFilm(10_240, "ETag: W/\"def\""))),
        Arguments.of(DATE, Named.of("changed date", new CutFilm(10_240, DATE.replace("30", "29")))),
        Arguments.of(STRONG, Named.of("shorter", new CutFilm(9_000, STRONG))),
        Arguments.of(STRONG, Named.of("longer", new CutFilm(11_000, STRONG))),
        Arguments.of(STRONG, Named.of("from the beginning", ToyOrigins.withoutRanges(10_240))),
        Arguments.of("X-None: 1", Named.of("from 0, no tag", ToyOrigins.withoutRanges(10_240))),
        Arguments.of(STRONG, Named.of("total unknown", FaultyOrigins.unknownTotal(10_240))),
        Arguments.of(STRONG, Named.of("a page", ToyOrigins.status(200))),
        Arguments.of(STRONG, Named.of("gone", ToyOrigins.status(404))),
        Arguments.of(STRONG, Named.of("gone elsewhere", ToyOrigins.redirect("http://10.0.0.1/"))));
  }

  @ParameterizedTest
  @MethodSource("otherContents")
  void abortsAndIsNeverWrong_whenTheRestIsNotOfTheSameContent(String validator, Script other)
      throws IOException {
    Script first = new CutFilm(10_240, validator, 4_000);
    try (OriginServer origin = OriginServer.start(ToyOrigins.first(1, first, other))) {
      CountedBody body = PROXY.count(origin.url("/v.mp4")).body();
      assertThat(body.end().isAbort()).as("%s", body).isTrue();
      assertThat(body.length()).isLessThanOrEqualTo(4_000);
      assertThat(body.firstWrongAt()).isEqualTo(-1);
      assertThat(origin.requests()).hasSize(2);
      Await.until("upstream closed", SOON, () -> origin.requestsInProgress() == 0);
    }
  }

  @Test
  void abortsADecodedBody() throws IOException {
    byte[] coded = FaultyOrigins.gzipped(OffsetBytes.range(0, 200_000));
    Script cut =
        exchange -> {
          exchange.head(
              200, STRONG, "Content-Encoding: gzip", "Content-Length: " + (coded.length + 9));
          exchange.write(coded);
          exchange.cut();
        };
    try (OriginServer origin = OriginServer.start(cut)) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body().end().isAbort()).isTrue();
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void s06_writesOneLine_whenItGivesUp() throws IOException {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    List<String> lines;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.first(
                1, new CutFilm(300_000, STRONG, 100_000), FaultyOrigins.closesEarly(false)))) {
      assertThat(PROXY.count(origin.url("/v.mp4")).body().end().isAbort()).isTrue();
      String ours = "origin=" + origin.url("");
      Await.until(
          "logged", SOON, () -> linesOf(ours, log).stream().anyMatch(line -> line.contains(ours)));
      assertThat(origin.requests()).hasSizeLessThanOrEqualTo(5);
      lines = linesOf(ours, log);
    } finally {
      System.setErr(before);
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains("status=200").endsWith("outcome=upstream_closed");
  }

  /** All but those of earlier requests, which may still come. */
  private static List<String> linesOf(String origin, ByteArrayOutputStream log) {
    return log.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(origin) || !line.contains(":dm.access:"))
        .toList();
  }

  @Test
  void freesEverything_whenTheClientLeavesBetweenAttempts() throws IOException {
    Script busy = ToyOrigins.status(503, "Retry-After: 9");
    try (OriginServer origin =
            OriginServer.start(ToyOrigins.first(1, new CutFilm(10_240, STRONG, 4_000), busy));
        RawHttp client = PROXY.ask(origin.url("/v.mp4"))) {
      assertThat(client.body("GET", client.head()).count(4_000).length()).isEqualTo(4_000);
      Await.until("asked again", SOON, () -> origin.requests().size() == 2);
      client.reset();
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
      Await.stays("not asked", Duration.ofMillis(500), () -> origin.requests().size() == 2);
    }
  }

  @Test
  void freesEverything_whenClientsLeaveAtAnyMoment() throws IOException {
    Random random = new Random(3);
    Script cutting = FaultyOrigins.cutAfter(300_000, 70_000);
    // who leaves between a redirect and what it leads to leaves an unused connection in the pool
    try (RunningMillrace proxy =
            RunningMillrace.start(s -> s.pooledIdleTimeout(Duration.ofSeconds(1)));
        OriginServer origin = OriginServer.start(ToyOrigins.redirectChain(cutting))) {
      for (int i = 0; i < 100; i++) {
        try (RawHttp client = proxy.ask(origin.url("/hop/1"))) {
          CountedBody body = client.body("GET", client.head()).count(1 + random.nextInt(200_000));
          assertThat(body.firstWrongAt()).isEqualTo(-1);
          client.reset();
        }
      }
      Await.until("upstream closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  void takesNothingUpAgain_whenSwitchedOff() throws IOException {
    ResumeConfig off = new ResumeConfig(false, 2, Duration.ofSeconds(1), Duration.ofSeconds(30));
    try (RunningMillrace proxy = RunningMillrace.start(settings -> settings.resume(off));
        OriginServer origin = OriginServer.start(new CutFilm(10_240, STRONG, 4_000))) {
      assertThat(proxy.count(origin.url("/v.mp4")).body().end().isAbort()).isTrue();
      assertThat(origin.requests()).hasSize(1);
    }
  }
}
