package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResumptionTest {
  private static final String RANGE = "bytes 4000-10239/10240";

  private static UpstreamHead head(int status, String... fields) {
    return new UpstreamHead(
        status, Headers.of(fields), FetchFixture.target("http://a.example/v.mp4"));
  }

  private static Resumption whole(String... fields) {
    Headers headers = Headers.of(fields).with("Content-Length", "10240");
    UpstreamHead head = new UpstreamHead(200, headers, head(200).target());
    return Resumption.of(FetchFixture.request("GET"), head).orElseThrow();
  }

  private static Optional<Resumption> part(String asked, String answered, String length) {
    return Resumption.of(
        FetchFixture.request("GET", "Range", asked),
        head(206, "Content-Range", answered, "Content-Length", length));
  }

  private static String sent(Resumption resumption, String name) {
    return resumption
        .ask(FetchFixture.request("GET", "If-Range", "\"client\"", "Range", "bytes=0-"), 4000)
        .headers()
        .first(name)
        .orElse("none");
  }

  // what can be resumed

  @ParameterizedTest
  @CsvSource({
    "bytes=100-199, bytes 100-199/1000, 100, 100, 200",
    "bytes=100-, bytes 100-999/1000, 900, 100, 1000",
    "bytes=-5, bytes 995-999/1000, 5, 995, 1000",
    "bytes=100-, bytes 100-999/1000, 50, 100, 150",
    "bytes=100-, bytes 100-999/1000, unknown, 100, 1000"
  })
  void keepsToWhatTheClientWasPromised(
      String asked, String answered, String length, long first, long end) {
    assertThat(part(asked, answered, length))
        .hasValueSatisfying(
            body -> {
              assertThat(body.first()).isEqualTo(first);
              assertThat(body.end()).isEqualTo(end);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 0-9/*", "bytes 0-9", "bytes */10", "nonsense", "bytes 9-0/10"})
  void givesUp_whenTheTotalIsUnknown(String range) {
    assertThat(part("bytes=0-", range, "10")).isEmpty();
  }

  @Test
  void wantsEverything_whenTheAnswerIsCapped() {
    UpstreamHead capped = head(206, "Content-Range", "bytes 0-9/100", "Content-Length", "10");

    assertThat(Resumption.of(FetchFixture.request("GET"), capped).orElseThrow().end())
        .isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "1x", "9999999999999999999"})
  void givesUp_whenTheLengthIsUnknown(String length) {
    assertThat(Resumption.of(FetchFixture.request("GET"), head(200, "Content-Length", length)))
        .isEmpty();
  }

  @Test
  void givesUp_whenTheAnswerIsAnError() {
    assertThat(Resumption.of(FetchFixture.request("GET"), head(404, "Content-Length", "9")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Type, multipart/byteranges; boundary=x",
    "Content-Type, Multipart/ByteRanges",
    "ETag, '\"b\"'",
    "Content-Range, bytes 0-9/10240",
    "Content-Encoding, gzip"
  })
  void takesNoAnswerThatContradictsItself(String name, String value) {
    Headers fields = Headers.of("Content-Range", RANGE, "ETag", "\"a\"", name, value);

    assertThat(
            whole("ETag", "\"a\"")
                .continuesAt(4000, new UpstreamHead(206, fields, head(206).target())))
        .isFalse();
  }

  // what is asked

  @Test
  void asksFromTheNextByteToTheLast() {
    assertThat(sent(whole(), "Range")).isEqualTo("bytes=4000-10239");
    assertThat(
            part("bytes=100-199", "bytes 100-199/1000", "100")
                .orElseThrow()
                .ask(FetchFixture.request("GET", "Range", "bytes=100-199"), 150)
                .headers()
                .first("Range"))
        .contains("bytes=150-199");
  }

  @Test
  void sendsTheStrongestValidator() {
    assertThat(sent(whole("ETag", "\"t\"", "Last-Modified", "D"), "If-Range")).isEqualTo("\"t\"");
    assertThat(sent(whole("Last-Modified", "D"), "If-Range")).isEqualTo("D");
    assertThat(sent(whole("ETag", "W/\"t\"", "Last-Modified", "D"), "If-Range")).isEqualTo("none");
    assertThat(sent(whole(), "If-Range")).isEqualTo("none");
  }

  // what is taken

  @ParameterizedTest
  @CsvSource({
    "206, bytes 4000-10239/10240, true",
    "206, bytes 4000-4999/10240, true",
    "206, bytes 3999-10239/10240, false",
    "206, bytes 4001-10239/10240, false",
    "206, bytes 0-10239/10240, false",
    "206, bytes 4000-10239/10241, false",
    "206, bytes 4000-10238/10239, false",
    "206, bytes 4000-10239/*, false",
    "206, nonsense, false",
    "200, bytes 4000-10239/10240, false",
    "304, bytes 4000-10239/10240, false",
    "416, bytes */10240, false"
  })
  void takesTheSameTotalFromTheExactStart(int status, String range, boolean isTaken) {
    assertThat(whole().continuesAt(4000, head(status, "Content-Range", range))).isEqualTo(isTaken);
  }

  @Test
  void takesNothingBeyondWhatIsWanted() {
    Resumption part = part("bytes=0-99", "bytes 0-99/1000", "100").orElseThrow();

    assertThat(part.continuesAt(50, head(206, "Content-Range", "bytes 50-99/1000"))).isTrue();
    assertThat(part.continuesAt(50, head(206, "Content-Range", "bytes 50-999/1000"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "ETag, \"t\", \"t\", true",
    "ETag, \"t\", \"u\", false",
    "ETag, \"t\", W/\"t\", false",
    "ETag, W/\"t\", W/\"t\", true",
    "ETag, W/\"t\", W/\"u\", false",
    "Last-Modified, D, D, true",
    "Last-Modified, D, E, false",
    "Content-Encoding, br, br, true",
    "Content-Encoding, br, gzip, false"
  })
  void comparesWhatTheOriginSaysOfTheContent(
      String name, String before, String after, boolean isTaken) {
    UpstreamHead answer = head(206, "Content-Range", RANGE, name, after);

    assertThat(whole(name, before).continuesAt(4000, answer)).isEqualTo(isTaken);
  }

  @Test
  void asksForTheTag_butNotForTheDateThatWasSent() {
    UpstreamHead answer = head(206, "Content-Range", RANGE);

    assertThat(whole("ETag", "\"t\"").continuesAt(4000, answer)).isFalse();
    assertThat(whole("ETag", "W/\"t\"").continuesAt(4000, answer)).isFalse();
    assertThat(whole("Last-Modified", "D").continuesAt(4000, answer)).isTrue();
    assertThat(whole("Content-Encoding", "br").continuesAt(4000, answer)).isFalse();
  }

  @Test
  void ignoresWhatWasNotSaidBefore() {
    UpstreamHead answer = head(206, "Content-Range", RANGE, "ETag", "\"t\"", "Last-Modified", "D");

    assertThat(whole().continuesAt(4000, answer)).isTrue();
  }

  @Test
  void ignoresADate_whenThereIsATag() {
    Resumption body = whole("ETag", "\"t\"", "Last-Modified", "D");
    UpstreamHead answer =
        head(206, "Content-Range", RANGE, "ETag", "\"t\"", "Last-Modified", "another mirror's");

    assertThat(body.continuesAt(4000, answer)).isTrue();
  }

  // what is tried again

  @ParameterizedTest
  @CsvSource({
    "408, true", "429, true", "502, true", "503, true", "504, true", "509, true",
    "200, false", "206, false", "403, false", "404, false", "416, false", "500, false"
  })
  void asksAgain_whenTheOriginIsBusy(int status, boolean isWorthAnother) {
    assertThat(whole().isWorthAnother(head(status))).isEqualTo(isWorthAnother);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {
        "DNS_FAILED",
        "CONNECT_FAILED",
        "CONNECT_TIMEOUT",
        "UPSTREAM_TIMEOUT",
        "UPSTREAM_IDLE",
        "UPSTREAM_CLOSED"
      })
  void asksAgain_whenTheFailureMayPass(Kind kind) {
    assertThat(whole().isWorthAnother(new UpstreamException(kind))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"TLS_FAILED", "BAD_RESPONSE", "BAD_REDIRECT", "TOO_MANY_REDIRECTS", "CANCELLED"})
  void asksNoMore_whenTheFailureStays(Kind kind) {
    assertThat(whole().isWorthAnother(new UpstreamException(kind))).isFalse();
  }

  @Test
  void asksAgain_whenOurOwnLimitIsReached() {
    assertThat(whole().isWorthAnother(new OverBudgetException("origin_busy", "busy"))).isTrue();
  }

  @Test
  void isSettled_onceAnAnswerGotFar() {
    assertThat(whole().isSettled(65_535, Duration.ofHours(1))).isFalse();
    assertThat(whole().isSettled(65_536, Duration.ZERO)).isTrue();
  }
}
