package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.UpstreamException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked in place of a HEAD that an origin does not serve. */
class NextHeadAttemptTest {
  private static final int MAX_REDIRECTS = 10;

  private static NextAttempt head(String... fields) throws BadTargetException {
    Target target = Target.parse("http://a.example/v.mp4");
    return NextAttempt.first(
        new UpstreamRequest("HEAD", target, Headers.of(fields)), target, ResumeConfig.defaults());
  }

  private static NextAttempt.Verdict answer(NextAttempt attempt, int status, String... fields) {
    return attempt.after(
        new UpstreamHead(status, Headers.of(fields), attempt.target()), MAX_REDIRECTS);
  }

  private static NextAttempt next(NextAttempt attempt, int status, String... fields) {
    return answer(attempt, status, fields).next().orElseThrow();
  }

  private static NextAttempt closed(NextAttempt attempt) {
    return attempt.after(new UpstreamException(Kind.UPSTREAM_CLOSED)).next().orElseThrow();
  }

  private static Headers delivered(NextAttempt attempt, int status, String... fields) {
    return answer(attempt, status, fields).head().orElseThrow().headers();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 405, 501})
  void asksForTheFirstByte_whenHeadIsNotServed(int status) throws BadTargetException {
    UpstreamRequest request = next(head(), status).request();

    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.headers().first("Range")).contains("bytes=0-0");
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410, 401, 451, 500})
  void believesOtherStatuses(int status) throws BadTargetException {
    assertThat(answer(head(), status).head()).isPresent();
  }

  @Test
  void asksAgainAsGet_onlyOnce() throws BadTargetException {
    NextAttempt get = next(head(), 405);

    assertThat(answer(get, 403).head()).isPresent();
  }

  @Test
  void asksForTheFirstByte_whenTheConnectionIsClosedTwice() throws BadTargetException {
    NextAttempt again = closed(head());
    NextAttempt get = closed(again);

    assertThat(again.request().method()).isEqualTo("HEAD");
    assertThat(get.request().method()).isEqualTo("GET");
    assertThat(get.request().headers().first("Connection")).isEmpty();
  }

  @Test
  void keepsTheRangeOfTheRequest() throws BadTargetException {
    NextAttempt get = next(head("Range", "bytes=5-9"), 405);

    assertThat(get.request().method()).isEqualTo("GET");
    assertThat(get.request().headers().first("Range")).contains("bytes=5-9");
    assertThat(delivered(get, 206, "Content-Range", "bytes 5-9/100").first("Content-Range"))
        .contains("bytes 5-9/100");
  }

  @Test
  void translatesTheFirstByteIntoTheWhole() throws BadTargetException {
    NextAttempt get = next(head(), 405);
    Headers headers =
        delivered(get, 206, "Content-Range", "bytes 0-0/1234", "Content-Length", "1", "ETag", "x");

    assertThat(headers.first("Content-Range")).contains("bytes 0-1233/1234");
    assertThat(headers.first("Content-Length")).contains("1234");
    assertThat(headers.first("ETag")).contains("x");
  }

  @Test
  void claimsNoLength_whenTheTotalIsUnknown() throws BadTargetException {
    NextAttempt get = next(head(), 405);
    Headers headers = delivered(get, 206, "Content-Range", "bytes 0-0/*", "Content-Length", "1");

    assertThat(headers.has("Content-Length")).isFalse();
  }

  @Test
  void takesTheHeadersAsTheyAre_whenTheRangeIsIgnored() throws BadTargetException {
    NextAttempt get = next(head(), 405);

    assertThat(delivered(get, 200, "Content-Length", "1234").first("Content-Length"))
        .contains("1234");
  }

  @Test
  void asksForEverything_whenTheFirstByteCannotBeHad() throws BadTargetException {
    NextAttempt get = next(head(), 405);

    assertThat(next(get, 416).request().headers().has("Range")).isFalse();
    assertThat(next(get, 206).request().headers().has("Range")).isFalse();
    assertThat(next(get, 206, "Content-Range", "bytes 7-7/9").request().method()).isEqualTo("GET");
    assertThat(answer(next(get, 416), 206).head()).isPresent();
  }

  @Test
  void followsRedirectsOfTheSubstitute() throws BadTargetException {
    NextAttempt further = next(next(head(), 405), 302, "Location", "/w");

    assertThat(further.request().method()).isEqualTo("GET");
    assertThat(further.request().headers().first("Range")).contains("bytes=0-0");
  }

  @Test
  void wantsNoBody() throws BadTargetException {
    assertThat(head().isBodyUnwanted()).isTrue();
    assertThat(next(head(), 405).isBodyUnwanted()).isTrue();
  }
}
