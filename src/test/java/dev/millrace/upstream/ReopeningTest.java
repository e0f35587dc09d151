package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.Continuation.Next;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReopeningTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SHORT = LONG.minusMillis(1);

  private static Optional<Continuation> of(boolean isAsked, int status, String... fields) {
    FetchRequest request = new FetchRequest(FetchFixture.request("GET"), List.of(), isAsked);
    return Reopening.of(request, head(status, fields), false);
  }

  private static UpstreamHead head(int status, String... fields) {
    return new UpstreamHead(
        status, Headers.of(fields), FetchFixture.target("http://a.example/v.ts"));
  }

  @ParameterizedTest
  @CsvSource({
    "video/mp2t, true",
    "Video/MP2T; x=y, true",
    "audio/mpeg, true",
    "audio/aac, true",
    "video/mp4, false",
    "application/octet-stream, false"
  })
  void looksLive_byItsType(String type, boolean isLive) {
    assertThat(of(false, 200, "Content-Type", type).isPresent()).isEqualTo(isLive);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length", "ETag", "Last-Modified", "Accept-Ranges"})
  void mayBeAFile_whenTheOriginSaysSo(String name) {
    assertThat(of(false, 200, "Content-Type", "video/mp2t", name, "1")).isEmpty();
  }

  @Test
  void mayBeAFile_whenItIsDecodedOrNoPlain200() {
    UpstreamHead head = head(200, "Content-Type", "audio/mpeg");

    assertThat(Reopening.of(FetchRequest.of(FetchFixture.request("GET")), head, true)).isEmpty();
    assertThat(of(false, 206, "Content-Type", "audio/mpeg")).isEmpty();
    assertThat(of(false, 404, "Content-Type", "audio/mpeg")).isEmpty();
    assertThat(of(false, 200)).isEmpty();
  }

  @Test
  void isLive_whenAsked_unlessItsLengthIsKnown() {
    assertThat(of(true, 200)).isPresent();
    assertThat(of(true, 200, "ETag", "\"t\"", "Content-Type", "video/mp4")).isPresent();
    assertThat(of(true, 206, "Content-Range", "bytes 0-9/*")).isPresent();
    assertThat(of(true, 200, "Content-Length", "9")).isEmpty();
    assertThat(of(true, 206, "Content-Range", "bytes 0-9/10")).isEmpty();
    assertThat(of(true, 404)).isEmpty();
  }

  @Test
  void endsWithItsOrigin_untilItHasRunForTenSeconds() {
    Continuation guessed = of(false, 200, "Content-Type", "audio/mpeg").orElseThrow();

    assertThat(guessed.afterEnd(9, SHORT)).isEqualTo(Next.END);
    assertThat(guessed.afterEnd(9, LONG)).isEqualTo(Next.REOPEN);
    assertThat(guessed.afterCut()).isEqualTo(Next.FAIL);
  }

  @Test
  void survivesEndsAndCuts_whenAsked() {
    Continuation asked = of(true, 200).orElseThrow();

    assertThat(asked.afterEnd(0, Duration.ZERO)).isEqualTo(Next.REOPEN);
    assertThat(asked.afterCut()).isEqualTo(Next.RESUME);
    assertThat(asked.isSettled(1 << 20, SHORT)).isFalse();
    assertThat(asked.isSettled(1, LONG)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "200, audio/aac, true",
    "200, AUDIO/AAC;x=y, true",
    "200, text/html, false",
    "206, audio/aac, false",
    "404, audio/aac, false"
  })
  void takesTheSameStatusAndType(int status, String type, boolean isTaken) {
    Continuation live = of(true, 200, "Content-Type", "audio/aac").orElseThrow();

    assertThat(live.continuesAt(99, head(status, "Content-Type", type))).isEqualTo(isTaken);
  }
}
