package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.ResumeConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fallback} and {@code live}, with 1 retry after at most 0.2 s. */
@Timeout(60)
class SourcesIT {
  private static final byte[] FILM = OffsetBytes.range(0, 10_240);

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(
          settings ->
              settings
                  .headerTimeout(Duration.ofSeconds(1))
                  .idleTimeout(Duration.ofSeconds(1))
                  .resume(
                      new ResumeConfig(true, 1, Duration.ofMillis(200), Duration.ofSeconds(4))));

  static Stream<Named<Script>> deadSources() {
    return Stream.of(
        Named.of("404", ToyOrigins.status(404)),
        Named.of("401", ToyOrigins.status(401)),
        Named.of("500", ToyOrigins.status(500)),
        Named.of("429", ToyOrigins.status(429, "Retry-After: 60")),
        Named.of("no answer", FaultyOrigins.closesEarly(false)),
        Named.of("no HTTP", FaultyOrigins.garbage()),
        Named.of("mute", FaultyOrigins.mute()),
        Named.of("no byte", FaultyOrigins.cutAfter(10_240, 0)),
        Named.of("silent", SourcesIT::silent),
        Named.of("a circle", ToyOrigins.redirect("/again")),
        Named.of("elsewhere", ToyOrigins.redirect("http://10.0.0.1/")));
  }

  static void silent(OriginExchange exchange) throws IOException {
    exchange.head(200, "Content-Type: video/mp4", "Transfer-Encoding: chunked");
    exchange.hold();
  }

  @ParameterizedTest
  @MethodSource("deadSources")
  void takesTheNextSource(Script dead) throws IOException {
    try (OriginServer first = OriginServer.start(dead);
        OriginServer second = OriginServer.start(ToyOrigins.file(10_240))) {
      RawAnswer answer = PROXY.fetch("GET", or(first, second));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bytes()).isEqualTo(FILM);
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  @Test
  void s39_triesAsOftenAsSet_thenTakesTheNextSource() throws IOException {
    try (OriginServer first = OriginServer.start(ToyOrigins.status(503));
        OriginServer second = OriginServer.start(ToyOrigins.file(10_240))) {
      assertThat(PROXY.fetch("GET", or(first, second)).bytes()).isEqualTo(FILM);
      assertThat(first.requests()).hasSize(2);
      assertThat(second.requests()).hasSize(1);
    }
  }

  @Test
  void s39_saysWhatTheLastSourceSaid() throws IOException {
    try (OriginServer first = OriginServer.start(ToyOrigins.status(503));
        OriginServer second = OriginServer.start(ToyOrigins.status(404))) {
      RawAnswer answer = PROXY.fetch("GET", or(first, second));
      assertThat(answer.status()).isEqualTo(404);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("upstream_404");
    }
  }

  @Test
  void sendsCredentialsToTheFirstSourceOnly() throws IOException {
    try (OriginServer first = OriginServer.start(ToyOrigins.status(404));
        OriginServer second = OriginServer.start(ToyOrigins.file(10_240))) {
      StreamLink link =
          or(first, second)
              .with("h_authorization", "Bearer t")
              .with("h_cookie", "c=1")
              .with("h_referer", "http://r/");
      assertThat(PROXY.fetch("GET", link, "Range: bytes=5-9").status()).isEqualTo(206);
      assertThat(first.onlyRequest().field("Authorization")).contains("Bearer t");
      RecordedRequest asked = second.onlyRequest();
      assertThat(asked.fieldNames()).doesNotContain("authorization", "cookie");
      assertThat(asked.field("Referer")).contains("http://r/");
      assertThat(asked.field("Range")).contains("bytes=5-9");
    }
  }

  @Test
  void checksEverySource() throws IOException {
    try (OriginServer first = OriginServer.start(ToyOrigins.status(404))) {
      StreamLink link = StreamLink.to(first.url("/a")).with("fallback", "http://10.0.0.1/v.mp4");
      RawAnswer answer = PROXY.fetch("GET", link);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("target_refused");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "notaurl"})
  void refusesASourceThatCannotBeFetched_beforeAnythingIsSent(String url) throws IOException {
    try (OriginServer first = OriginServer.start(ToyOrigins.file(10_240))) {
      RawAnswer answer = PROXY.fetch("GET", StreamLink.to(first.url("/a")).with("fallback", url));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(ErrorBody.of(answer).detail()).startsWith("fallback: ");
      assertThat(first.requests()).isEmpty();
    }
  }

  // live

  /** Sends so many bytes of its own share of the film in chunks, and ends politely. */
  private static Script part(long from, long to) {
    return exchange -> {
      exchange.head(200, "Content-Type: video/mp2t", "Transfer-Encoding: chunked");
      exchange.chunk(OffsetBytes.range(from, to));
      exchange.lastChunk();
    };
  }

  @Test
  void s34_opensALiveBodyAgain_whenItsOriginEndsPolitely() throws IOException {
    Script live =
        ToyOrigins.first(
            1, part(0, 4_000), ToyOrigins.first(1, part(4_000, 8_000), part(8_000, 10_240)));
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(3, live, ToyOrigins.status(404)))) {
      RawAnswer answer = PROXY.fetch("GET", StreamLink.to(origin.url("/l")).with("live", "1"));
      assertThat(answer.bytes()).isEqualTo(FILM);
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
      assertThat(origin.requests()).hasSizeGreaterThan(4);
    }
  }

  @Test
  void s35_opensALiveBodyWithAFreshToken() throws IOException {
    Script cut = ToyOrigins.first(1, FaultyOrigins.cutChunked(4_000, false), part(4_000, 10_240));
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.freshTokens(
                Duration.ofSeconds(2), ToyOrigins.first(2, cut, ToyOrigins.status(404))))) {
      StreamLink link = StreamLink.to(origin.url("/l")).with("live", "1");
      assertThat(PROXY.fetch("GET", link).bytes()).startsWith(OffsetBytes.range(0, 4_000));
      assertThat(origin.requests())
          .extracting(RecordedRequest::path)
          .startsWith("/l", "/t/1", "/l");
    }
  }

  @Test
  void endsWithItsOrigin_whenItIsNotLive() throws IOException {
    try (OriginServer origin = OriginServer.start(part(0, 10_240))) {
      assertThat(PROXY.get(origin.url("/l")).bytes()).isEqualTo(FILM);
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void takesTheNextSourceInTheMiddle_whenLive() throws IOException {
    Script first = ToyOrigins.first(1, part(0, 4_000), ToyOrigins.status(404));
    Script second = ToyOrigins.first(1, part(4_000, 10_240), ToyOrigins.status(404));
    try (OriginServer a = OriginServer.start(first);
        OriginServer b = OriginServer.start(second)) {
      RawAnswer answer = PROXY.fetch("GET", or(a, b).with("live", "true"));
      assertThat(answer.bytes()).isEqualTo(FILM);
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  @Test
  void says422_whenLiveIsNoSwitch() throws IOException {
    assertThat(PROXY.fetch("GET", StreamLink.to("http://u.example/").with("live", "2")).status())
        .isEqualTo(422);
  }

  private static StreamLink or(OriginServer first, OriginServer second) {
    return StreamLink.to(first.url("/v.mp4")).with("fallback", second.url("/w.mp4"));
  }
}
