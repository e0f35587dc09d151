package dev.millrace.proxy;

import static dev.millrace.proxy.ParametersFixture.head;
import static dev.millrace.proxy.ParametersFixture.parameters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.ExchangeException.Hop;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginStatusExceptionTest {
  @ParameterizedTest
  @CsvSource({
    "400,400", "401,502", "402,402", "403,403", "404,404", "405,405", "407,502", "410,410",
    "416,416", "418,418", "429,429", "451,451", "500,502", "501,502", "502,502", "503,503",
    "504,504", "505,502", "509,509", "520,502", "599,502", "304,502", "301,502", "101,502",
    "600,502",
  })
  void mapsStatus(int origin, int client) throws ExchangeException {
    OriginStatusException mapped = OriginStatusException.of(head(origin, "Content-Length", "9"));

    assertThat(mapped.status()).isEqualTo(client);
    assertThat(mapped.originStatus()).isEqualTo(origin);
    assertThat(mapped.reason()).isEqualTo("upstream_" + origin);
    assertThat(mapped.hop()).isEqualTo(Hop.ORIGIN);
    assertThat(mapped.getMessage()).contains("" + origin).doesNotContain("cdn.example");
    assertThat(mapped.headers()).isEqualTo(Headers.EMPTY);
  }

  @Test
  void keepsTextsThatClientsLookAt() throws ExchangeException {
    assertThat(OriginStatusException.of(head(404))).hasMessage("Not found (404)");
    assertThat(OriginStatusException.of(head(429))).hasMessage("Upstream rate limited: 429");
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503, 509})
  void keepsRetryAfter(int status) throws ExchangeException {
    String date = "Fri, 31 Dec 1999 23:59:59 GMT";

    assertThat(OriginStatusException.of(head(status, "retry-after", "7")).headers())
        .isEqualTo(Headers.of("Retry-After", "7"));
    assertThat(OriginStatusException.of(head(status, "retry-after", date)).headers())
        .isEqualTo(Headers.of("Retry-After", date));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7\r\nX: y",
        "<b>",
        "77777777777777777777777777777777777777777777777777777777777777777"
      })
  void dropsRetryAfter_whenItIsNotOne(String value) throws ExchangeException {
    assertThat(OriginStatusException.of(head(503, "Retry-After", value)).headers())
        .isEqualTo(Headers.EMPTY);
  }

  @Test
  void keepsTotal_whenRangeLiesOutside() throws ExchangeException {
    assertThat(OriginStatusException.of(head(416, "content-range", "bytes */10240")).headers())
        .isEqualTo(Headers.of("Content-Range", "bytes */10240"));
    assertThat(OriginStatusException.of(head(416, "content-range", "x")).headers())
        .isEqualTo(Headers.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 304, 302, 401, 404, 416, 503})
  void isThrownByPlanner(int status) throws ExchangeException {
    UpstreamHead head = head(status);
    ProxyParameters parameters = parameters("");

    assertThatThrownBy(
            () -> StreamPlanner.plan(parameters, RangeRequest.NONE, head, Optional.empty()))
        .isInstanceOf(OriginStatusException.class);
  }
}
