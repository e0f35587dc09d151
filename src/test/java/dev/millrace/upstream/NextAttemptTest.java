package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.NextAttempt.Verdict;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NextAttemptTest {
  private static final ResumeConfig LIMITS = ResumeConfig.defaults();
  private static final int MAX_REDIRECTS = 10;

  private static NextAttempt get(String... fields) throws BadTargetException {
    return first(request("GET", fields));
  }

  private static NextAttempt head(String... fields) throws BadTargetException {
    return first(request("HEAD", fields));
  }

  private static NextAttempt first(UpstreamRequest request) {
    return NextAttempt.first(request, request.target(), LIMITS);
  }

  private static UpstreamRequest request(String method, String... fields)
      throws BadTargetException {
    return new UpstreamRequest(
        method, Target.parse("http://u:p@a.example/v.mp4"), Headers.of(fields));
  }

  private static Verdict answer(NextAttempt attempt, int status, String... fields) {
    return attempt.after(
        new UpstreamHead(status, Headers.of(fields), attempt.target()), MAX_REDIRECTS);
  }

  private static NextAttempt next(NextAttempt attempt, int status, String... fields) {
    return answer(attempt, status, fields).next().orElseThrow();
  }

  private static NextAttempt next(NextAttempt attempt, Kind kind) {
    return attempt.after(new UpstreamException(kind)).next().orElseThrow();
  }

  private static String sent(NextAttempt attempt, String name) {
    return attempt.request().headers().first(name).orElse("none");
  }

  // what is asked first

  @Test
  void asksForADocument_withoutRange() throws BadTargetException {
    UpstreamRequest document =
        UpstreamRequest.document(Target.parse("http://a.example/x.m3u8"), Headers.of());

    assertThat(sent(first(document), "Range")).isEqualTo("none");
  }

  @Test
  void asksForEverythingFromZero_withoutRange() throws BadTargetException {
    assertThat(sent(get(), "Range")).isEqualTo("bytes=0-");
    assertThat(sent(head(), "Range")).isEqualTo("bytes=0-");
  }

  @Test
  void keepsTheRangeOfTheRequest() throws BadTargetException {
    assertThat(sent(get("Range", "bytes=5-9"), "Range")).isEqualTo("bytes=5-9");
  }

  // redirects

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void followsRedirects(int status) throws BadTargetException {
    NextAttempt further = next(get(), status, "Location", "/w.mp4?x=1");

    assertThat(further.request().target().requestTarget()).isEqualTo("/w.mp4?x=1");
    assertThat(further.request().method()).isEqualTo("GET");
    assertThat(sent(further, "Range")).isEqualTo("bytes=0-");
    assertThat(further.delay()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 304, 305})
  void deliversOther3xx(int status) throws BadTargetException {
    assertThat(answer(get(), status, "Location", "/w.mp4").head()).isPresent();
  }

  @Test
  void deliversRedirect_withoutLocation() throws BadTargetException {
    assertThat(answer(get(), 302).head()).isPresent();
  }

  @Test
  void refusesTheEleventhRedirect() throws BadTargetException {
    NextAttempt attempt = get();
    for (int i = 0; i < 10; i++) {
      attempt = next(attempt, 302, "Location", "/" + i);
    }

    assertThat(answer(attempt, 302, "Location", "/x").failure())
        .hasValueSatisfying(e -> assertThat(e.reason()).isEqualTo("too_many_redirects"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a.example/", "http://", "file:///etc/passwd", "http://0x7f.1/"})
  void fails_whenLocationIsBad(String location) throws BadTargetException {
    assertThat(answer(get(), 302, "Location", location).failure())
        .hasValueSatisfying(e -> assertThat(e.reason()).isEqualTo("bad_redirect"));
  }

  @Test
  void dropsCredentials_acrossOrigins() throws BadTargetException {
    NextAttempt attempt =
        get(
            "authorization", "Basic x",
            "cookie", "a=b",
            "Proxy-Authorization", "Basic y",
            "Host", "virtual.example",
            "Referer", "http://r/");
    NextAttempt further = next(attempt, 302, "Location", "http://b.example/");

    assertThat(further.request().headers().lines())
        .extracting(Header::name)
        .containsExactlyInAnyOrder("Referer", "Range");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://a.example/", "http://a.example:81/", "//b.example/"})
  void takesSchemeAndPortForPartsOfTheOrigin(String location) throws BadTargetException {
    NextAttempt further = next(get("Authorization", "x"), 302, "Location", location);

    assertThat(sent(further, "Authorization")).isEqualTo("none");
  }

  @Test
  void keepsCredentials_onTheSameOrigin() throws BadTargetException {
    NextAttempt further =
        next(
            get("Authorization", "x", "Cookie", "a=b", "Host", "v"),
            302,
            "Location",
            "http://A.example:80/w");

    assertThat(sent(further, "Authorization")).isEqualTo("x");
    assertThat(sent(further, "Cookie")).isEqualTo("a=b");
    assertThat(sent(further, "Host")).isEqualTo("v");
  }

  @Test
  void takesCredentialsOfTheNewTarget() throws BadTargetException {
    NextAttempt named = next(get("Authorization", "x"), 302, "Location", "http://c:d@b.example/");
    NextAttempt withoutPassword = next(get(), 302, "Location", "http://c@b.example/");

    assertThat(sent(named, "Authorization")).isEqualTo("Basic Yzpk");
    assertThat(sent(withoutPassword, "Authorization")).isEqualTo("Basic Yzo=");
    assertThat(sent(next(named, 302, "Location", "http://e.example/"), "Authorization"))
        .isEqualTo("none");
  }

  @Test
  void sendsCookiesThatARedirectSet_toItsSiteOnly() throws BadTargetException {
    NextAttempt attempt = get("Cookie", "a=b");
    NextAttempt second = next(attempt, 302, "Location", "/w", "Set-Cookie", "s=1; Path=/");
    NextAttempt third = next(second, 302, "Location", "http://b.example/", "Set-Cookie", "t=2");
    NextAttempt fourth = next(third, 302, "Location", "http://a.example/x");

    assertThat(sent(second, "Cookie")).isEqualTo("a=b; s=1");
    assertThat(sent(third, "Cookie")).isEqualTo("none");
    assertThat(sent(fourth, "Cookie")).isEqualTo("a=b; s=1; t=2");
    assertThat(sent(next(second, Kind.CONNECT_FAILED), "Cookie")).isEqualTo("a=b; s=1");
  }

  // retries

  @Test
  void retriesAtOnceOnAFreshConnection_whenThePooledOneWasClosed() throws BadTargetException {
    NextAttempt again = next(get(), Kind.UPSTREAM_CLOSED);

    assertThat(again.delay()).isZero();
    assertThat(sent(again, "Connection")).isEqualTo("close");
  }

  @Test
  void retriesTwiceAtMost_whenConnectionsFail() throws BadTargetException {
    NextAttempt third = next(next(get(), Kind.CONNECT_FAILED), Kind.UPSTREAM_CLOSED);

    assertThat(third.delay()).isEqualTo(Duration.ofMillis(200));
    assertThat(third.after(new UpstreamException(Kind.CONNECT_FAILED)).failure()).isPresent();
    assertThat(third.after(new UpstreamException(Kind.UPSTREAM_CLOSED)).failure()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CONNECT_FAILED", "UPSTREAM_CLOSED"})
  void neverRetriesOtherFailures(Kind kind) throws BadTargetException {
    ExchangeException failure = new UpstreamException(kind);

    assertThat(get().after(failure).failure()).containsSame(failure);
  }

  @Test
  void neverRetries_whenOurOwnLimitIsReached() throws BadTargetException {
    OverBudgetException busy = new OverBudgetException("origin_busy", "busy");

    assertThat(get().after(busy).failure()).containsSame(busy);
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void retriesBusyOriginsTwice(int status) throws BadTargetException {
    NextAttempt second = next(get(), status);
    NextAttempt third = next(second, status);

    assertThat(second.delay()).isEqualTo(Duration.ofMillis(200));
    assertThat(third.delay()).isEqualTo(Duration.ofMillis(400));
    assertThat(sent(second, "Connection")).isEqualTo("none");
    assertThat(answer(third, status).head()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 501, 505, 429, 404})
  void deliversOtherErrorsAtOnce(int status) throws BadTargetException {
    assertThat(answer(get(), status).head()).isPresent();
  }

  @Test
  void deliversBusy_whenItSaysWhenToComeBack() throws BadTargetException {
    assertThat(answer(get(), 503, "Retry-After", "7").head()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void retriesAsOftenAsTheLimitSays(int attempts) throws BadTargetException {
    UpstreamRequest request = request("GET");
    NextAttempt attempt =
        NextAttempt.first(request, request.target(), LIMITS.withAttempts(attempts));
    for (int i = 0; i < attempts; i++) {
      attempt = next(attempt, i % 2 == 0 ? 503 : 504);
    }

    assertThat(answer(attempt, 503).head()).isPresent();
    assertThat(attempt.after(new UpstreamException(Kind.CONNECT_FAILED)).failure()).isPresent();
  }

  @Test
  void waitsNoLongerThanTheLimitSays() throws BadTargetException {
    ResumeConfig hasty = new ResumeConfig(true, 2, Duration.ofMillis(300), Duration.ofSeconds(30));
    UpstreamRequest request = request("GET");
    NextAttempt second = next(NextAttempt.first(request, request.target(), hasty), 503);

    assertThat(second.delay()).isEqualTo(Duration.ofMillis(200));
    assertThat(next(second, 503).delay()).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void makesOneClosedConnectionGood_whateverTheLimit() throws BadTargetException {
    NextAttempt again = next(get().withoutRetries(), Kind.UPSTREAM_CLOSED);

    assertThat(sent(again, "Connection")).isEqualTo("close");
    assertThat(again.after(new UpstreamException(Kind.UPSTREAM_CLOSED)).failure()).isPresent();
  }

  // other sources

  @Test
  void keepsCredentialsFromOtherSources() throws BadTargetException {
    UpstreamRequest request =
        request("GET", "Authorization", "x", "Cookie", "a=b", "Host", "v", "Referer", "http://r/");
    Target other = Target.parse("http://b.example/w.mp4");

    assertThat(NextAttempt.first(request, other, LIMITS).request().headers().lines())
        .extracting(Header::name)
        .containsExactlyInAnyOrder("Referer", "Range");
  }

  @Test
  void takesTheAccountThatASourceNames() throws BadTargetException {
    UpstreamRequest request = request("GET", "Authorization", "x", "Cookie", "a=b");
    Target account = Target.parse("http://c:d@a.example/v.mp4");
    Target other = Target.parse("http://c:d@b.example/v.mp4");

    assertThat(sent(NextAttempt.first(request, account, LIMITS), "Authorization"))
        .isEqualTo("Basic Yzpk");
    assertThat(sent(NextAttempt.first(request, account, LIMITS), "Cookie")).isEqualTo("a=b");
    assertThat(sent(NextAttempt.first(request, other, LIMITS), "Authorization"))
        .isEqualTo("Basic Yzpk");
    assertThat(sent(NextAttempt.first(request, other, LIMITS), "Cookie")).isEqualTo("none");
  }

  // other forms of the question

  @Test
  void asksPlainly_whenTheOriginDoesNotLikeOurRange() throws BadTargetException {
    NextAttempt plain = next(get(), 416, "Content-Range", "bytes */0");

    assertThat(sent(plain, "Range")).isEqualTo("none");
    assertThat(answer(plain, 416).head()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 5-99/100", "nonsense", "bytes */100"})
  void asksPlainly_whenThePartIsUseless(String range) throws BadTargetException {
    assertThat(sent(next(get(), 206, "Content-Range", range), "Range")).isEqualTo("none");
  }

  @Test
  void asksPlainly_whenThePartIsNotNamed() throws BadTargetException {
    NextAttempt plain = next(get(), 206);

    assertThat(plain.form()).isEqualTo(NextAttempt.Form.PLAIN);
    assertThat(answer(plain, 206).head()).isPresent();
  }

  @Test
  void delivers416And206_whenTheClientAskedForARange() throws BadTargetException {
    NextAttempt ranged = get("Range", "bytes=5-9");

    assertThat(answer(ranged, 416).head()).isPresent();
    assertThat(answer(ranged, 206, "Content-Range", "nonsense").head()).isPresent();
  }
}
