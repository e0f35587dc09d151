package dev.millrace.proxy;

import static dev.millrace.proxy.ParametersFixture.head;
import static dev.millrace.proxy.ParametersFixture.parameters;
import static dev.millrace.proxy.ParametersFixture.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamPlannerTest {
  /** One line per row of the matrix; a dash stands for an absent field. */
  @ParameterizedTest(name = "{0}")
  @CsvFileSource(
      resources = "range-matrix.csv",
      useHeadersInDisplayName = false,
      numLinesToSkip = 1)
  void followsMatrix(
      String name,
      String clientRange,
      String dropped,
      int upstreamStatus,
      String contentRange,
      String contentLength,
      String acceptRanges,
      int status,
      String plannedRange,
      String plannedLength,
      String plannedAcceptRanges)
      throws ExchangeException {
    UpstreamHead head =
        withPresent(
            head(upstreamStatus, "Content-Type", "video/mp4"),
            "Content-Range",
            contentRange,
            "Content-Length",
            contentLength,
            "Accept-Ranges",
            acceptRanges);

    ResponsePlan plan =
        StreamPlanner.plan(
            parameters("&x_headers=" + dropped), range(clientRange), head, Optional.empty());

    assertThat(plan.status()).isEqualTo(status);
    assertThat(plan.headers().first("Content-Range").orElse("-")).isEqualTo(plannedRange);
    assertThat(text(plan.contentLength())).isEqualTo(plannedLength);
    assertThat(plan.headers().first("Accept-Ranges").orElse("-")).isEqualTo(plannedAcceptRanges);
    assertThat(plan.headers().has("Content-Length")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'',bytes 5-9/10,bad_range",
    "'',bytes 5-9/*,bad_range",
    "bytes=0-9,-,bad_content_range",
    "bytes=0-9,garbage,bad_content_range",
    "bytes=0-9,bytes */10,bad_content_range",
    "bytes=0-9,bytes 9-0/10,bad_content_range",
  })
  void refusesPart_thatCannotBeRelayed(String clientRange, String contentRange, String reason)
      throws ExchangeException {
    UpstreamHead head = withPresent(head(206), "Content-Range", contentRange);
    RangeRequest range = range(clientRange);

    assertThatThrownBy(() -> plan(range, head))
        .isInstanceOfSatisfying(
            OriginAnswerException.class,
            e -> {
              assertThat(e.status()).isEqualTo(502);
              assertThat(e.reason()).isEqualTo(reason);
            });
  }

  @Test
  void refusesPart_whenItIsLongerThanTheWhole() throws ExchangeException {
    UpstreamHead head = head(206, "Content-Range", "bytes 5-8/10", "Content-Length", "6");
    RangeRequest range = range("bytes=5-8");

    assertThatThrownBy(() -> plan(range, head)).isInstanceOf(OriginAnswerException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "bytes=0-1"})
  void refusesMultipart(String clientRange) throws ExchangeException {
    UpstreamHead head =
        head(
            206,
            "Content-Type",
            "Multipart/ByteRanges; boundary=b",
            "Content-Range",
            "bytes 0-1/2");
    RangeRequest range = range(clientRange);

    assertThatThrownBy(() -> plan(range, head))
        .isInstanceOfSatisfying(
            OriginAnswerException.class,
            e -> assertThat(e.reason()).isEqualTo("bad_content_range"));
  }

  @Test
  void passesWhitelistedFieldsOnly() throws ExchangeException {
    UpstreamHead head =
        head(
            200,
            "content-type",
            "video/mp4",
            "etag",
            "\"abc\"",
            "last-modified",
            "Thu, 01 Jan 1970 00:00:00 GMT",
            "cache-control",
            "max-age=1",
            "expires",
            "0",
            "Set-Cookie",
            "a=b",
            "Location",
            "/x",
            "Retry-After",
            "7",
            "Content-Disposition",
            "inline",
            "Vary",
            "*",
            "Server",
            "s",
            "Connection",
            "close, X-Foo",
            "Keep-Alive",
            "timeout=5",
            "Transfer-Encoding",
            "chunked",
            "Trailer",
            "x",
            "Upgrade",
            "h2c",
            "Proxy-Authenticate",
            "Basic",
            "Access-Control-Allow-Origin",
            "*",
            "Content-Security-Policy",
            "default-src *",
            "X-Foo",
            "1");

    assertThat(plan(RangeRequest.NONE, head).headers())
        .containsAll(ResponsePlan.SAFETY.with("Content-Security-Policy", ResponsePlan.MEDIA_POLICY))
        .hasSize(ResponsePlan.SAFETY.lines().size() + 5)
        .containsAll(
            Headers.of(
                "Content-Type", "video/mp4",
                "ETag", "\"abc\"",
                "Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT",
                "Cache-Control", "private, max-age=1",
                "Expires", "0"));
  }

  @ParameterizedTest
  @CsvSource({"200,''", "206,bytes=0-9"})
  void passesCodedBody_withItsCoding(int status, String clientRange) throws ExchangeException {
    UpstreamHead head =
        head(
            status,
            "Content-Encoding",
            "br",
            "Content-Length",
            "10",
            "Content-Range",
            "bytes 0-9/10");

    ResponsePlan plan =
        StreamPlanner.plan(
            parameters("&x_headers=content-encoding"), range(clientRange), head, Optional.empty());

    assertThat(plan.headers().first("content-encoding")).hasValue("br");
    assertThat(plan.contentLength()).hasValue(10);
  }

  @Test
  void ranksOverrides_aboveUpstream() throws ExchangeException {
    ProxyParameters parameters =
        parameters(
            "&x_headers=etag,cache-control&rp_etag=rp&rp_expires=rp&r_expires=r&rp_x-a=1"
                + "&r_content-type=x/y&rp_content-type=a/b&r_content-disposition=inline",
            "My Movie.mkv");
    UpstreamHead head =
        head(
            200, "ETag", "up", "Expires", "up", "Cache-Control", "up", "Content-Type", "video/mp4");

    Headers headers =
        StreamPlanner.plan(parameters, RangeRequest.NONE, head, Optional.empty()).headers();

    assertThat(headers.first("etag")).hasValue("rp");
    assertThat(headers.first("expires")).hasValue("r");
    assertThat(headers.first("x-a")).hasValue("1");
    assertThat(headers.first("cache-control")).hasValue("private");
    assertThat(headers.first("content-type")).hasValue("x/y");
    assertThat(headers.first("content-disposition"))
        .hasValue("attachment; filename=\"My Movie.mkv\"");
    assertThat(headers.lines().stream().filter(line -> line.is("content-type"))).hasSize(1);
  }

  @Test
  void dropsLength_whenAsked() throws ExchangeException {
    ProxyParameters parameters = parameters("&x_headers=Content-Length,%20etag");
    UpstreamHead head = head(206, "Content-Range", "bytes 0-9/10", "ETag", "x");

    ResponsePlan plan = StreamPlanner.plan(parameters, range(""), head, Optional.empty());

    assertThat(plan.contentLength()).isEmpty();
    assertThat(plan.headers().has("etag")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"204,-", "205,0"})
  void hasNoBody_whenStatusForbidsIt(int status, String length) throws ExchangeException {
    ResponsePlan plan = plan(RangeRequest.NONE, head(status, "Content-Length", "5"));

    assertThat(plan.status()).isEqualTo(status);
    assertThat(text(plan.contentLength())).isEqualTo(length);
    assertThat(plan.headers().has("content-type")).isFalse();
  }

  private static ResponsePlan plan(RangeRequest range, UpstreamHead head) throws ExchangeException {
    return StreamPlanner.plan(parameters(""), range, head, Optional.empty());
  }

  private static UpstreamHead withPresent(UpstreamHead head, String... namesAndValues) {
    Headers headers = head.headers();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (!namesAndValues[i + 1].equals("-")) {
        headers = headers.with(namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return new UpstreamHead(head.status(), headers, head.target());
  }

  private static String text(OptionalLong length) {
    return length.isPresent() ? Long.toString(length.getAsLong()) : "-";
  }
}
