package dev.millrace.proxy;

import static dev.millrace.proxy.ParametersFixture.parameters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyParametersTest {
  @Test
  void sortsHeadersByPrefix() throws ExchangeException {
    ProxyParameters read =
        parameters("&h_X-A=1&H_X-B=2&r_X-C=3&R_x-d=4&rp_X-E=5&RP_x-f=6&x_headers=ETag,%20Expires,");

    assertThat(read.requestHeaders()).isEqualTo(Headers.of("x-a", "1", "x-b", "2"));
    assertThat(read.responseHeaders()).isEqualTo(Headers.of("x-c", "3", "x-d", "4"));
    assertThat(read.inheritedHeaders()).isEqualTo(Headers.of("x-e", "5", "x-f", "6"));
    assertThat(read.droppedHeaders()).containsExactlyInAnyOrder("etag", "expires");
  }

  @Test
  void ignoresEmptyValuesAndUnknownParameters() throws ExchangeException {
    ProxyParameters read =
        parameters(
            "&h_range=&h_if-range=&r_x=&rp_x=&h_y=%20&x_headers=&foo=bar&ratelimit=none&start=");

    assertThat(read.requestHeaders()).isEqualTo(Headers.EMPTY);
    assertThat(read.responseHeaders()).isEqualTo(Headers.EMPTY);
    assertThat(read.inheritedHeaders()).isEqualTo(Headers.EMPTY);
    assertThat(read.droppedHeaders()).isEmpty();
  }

  @Test
  void readsOfASegment_onlyWhatASegmentHas() throws ExchangeException {
    ProxyParameters read =
        ProxyParameters.ofSegment(
            QueryParameters.parse(
                "destination=http://u/s&h_x=1&transformer=t&live=1&filename=f&fallback=http://v/"
                    + "&transcode=1"),
            "ts",
            ProxyConfig.defaults());

    assertThat(read.destination().path()).isEqualTo("/s");
    assertThat(read.segmentEnding()).contains("ts");
    assertThat(read.transformer()).contains("t");
    assertThat(read.requestHeaders()).isEqualTo(Headers.of("x", "1"));
    assertThat(read.isLive()).isFalse();
    assertThat(read.filename()).isEmpty();
    assertThat(read.fallbacks()).isEmpty();
    assertThat(parameters("").segmentEnding()).isEmpty();
    assertThat(read.isPart()).isFalse();
  }

  @Test
  void asksForAnotherBody_withTheSameFields() throws ExchangeException {
    ProxyParameters read = parameters("&h_x=1&fallback=http://v/&live=1");
    ProxyParameters other = read.to(Target.parse("http://k/"));

    assertThat(other.destination().path()).isEqualTo("/");
    assertThat(other.requestHeaders()).isEqualTo(read.requestHeaders());
    assertThat(other.fallbacks()).isEmpty();
    assertThat(other.isLive()).isFalse();
  }

  @Test
  void takesLastValue_whenNamesDifferInCaseOnly() throws ExchangeException {
    assertThat(parameters("&h_X-A=1&H_x-a=2").requestHeaders()).isEqualTo(Headers.of("x-a", "2"));
  }

  @Test
  void readsReferrerAsReferer_unlessThereIsOne() throws ExchangeException {
    assertThat(parameters("&h_referrer=http://r/").requestHeaders())
        .isEqualTo(Headers.of("referer", "http://r/"));
    assertThat(parameters("&h_referrer=http://r/&h_referer=http://s/").requestHeaders())
        .isEqualTo(Headers.of("referer", "http://s/"));
  }

  @Test
  void putsUtf8OnTheWire() throws ExchangeException {
    assertThat(parameters("&h_referer=%C3%BC").requestHeaders().first("referer"))
        .hasValue("\u00c3\u00bc");
  }

  @ParameterizedTest
  @CsvSource({
    "h_x=1%0D%0Ay,h_x",
    "r_x=1%0D%0AX-Inj:y,r_x",
    "rp_x=1%0Ay,rp_x",
    "h_x=1%0A,h_x",
    "h_x=a%00b,h_x",
    "h_x=%7F,h_x",
    "h_host=%0D%0Ax,h_host",
    "h_x%20y=1,h_x y",
    "h_x:y=1,h_x:y",
    "r_x%0D%0A=1,r_x??",
    "h_%C3%BC=1,h_?",
    "rp_=1,rp_",
    "h_(=1,h_(",
  })
  void refusesWhatIsNoField(String parameter, String name) {
    assertThatThrownBy(() -> parameters("&" + parameter))
        .isInstanceOfSatisfying(
            BadParameterException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(e.parameter()).isEqualTo(name);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host",
        "content-length",
        "connection",
        "te",
        "upgrade",
        "transfer-encoding",
        "trailer",
        "keep-alive",
        "proxy-connection",
        "proxy-authorization",
        "expect",
        "accept-encoding",
        "if-none-match",
        "if-modified-since",
        "http2-settings",
        "Content-Length",
      })
  void leavesOutRequestField_whenItIsDenied(String name) throws ExchangeException {
    assertThat(parameters("&h_" + name + "=1").requestHeaders()).isEqualTo(Headers.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "content-length",
        "content-range",
        "transfer-encoding",
        "connection",
        "content-encoding",
        "set-cookie",
        "location",
        "access-control-allow-origin",
        "content-security-policy",
        "x-content-type-options",
        "strict-transport-security",
        "clear-site-data",
        "refresh",
        "service-worker-allowed",
        "www-authenticate",
        "alt-svc",
        "link",
        "x-accel-redirect",
        "x-sendfile",
        "cross-origin-resource-policy",
        "referrer-policy",
        "Set-Cookie",
        "upgrade",
      })
  void leavesOutResponseField_whenItIsDenied(String name) throws ExchangeException {
    ProxyParameters read = parameters("&r_" + name + "=1&rp_" + name + "=1");

    assertThat(read.responseHeaders()).isEqualTo(Headers.EMPTY);
    assertThat(read.inheritedHeaders()).isEqualTo(Headers.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"authorization", "cookie", "via", "forwarded", "x-forwarded-for", "origin"})
  void takesRequestField_whenItIsAsked(String name) throws ExchangeException {
    assertThat(parameters("&h_" + name + "=1").requestHeaders()).isEqualTo(Headers.of(name, "1"));
  }

  @Test
  void takesHost_whenSwitchIsOn() throws ExchangeException {
    ProxyConfig config = new ProxyConfig(Optional.empty(), false, "ua", true);
    QueryParameters query = QueryParameters.parse("d=http://u.example/&h_host=v.example");

    assertThat(ProxyParameters.parse(query, "", config).requestHeaders())
        .isEqualTo(Headers.of("host", "v.example"));
  }

  @ParameterizedTest
  @CsvSource({"h_x,16384", "r_x,4096", "rp_x,4096", "filename,1024"})
  void refusesTooMuch(String parameter, int limit) {
    assertThatThrownBy(() -> parameters("&" + parameter + "=" + "a".repeat(limit + 1)))
        .isInstanceOf(BadParameterException.class)
        .hasMessageStartingWith(parameter + ": too long");
  }

  @ParameterizedTest
  @CsvSource({
    "My Movie.mkv,,My Movie.mkv",
    "a/b/c.mkv,,c.mkv",
    "'',q.mkv,q.mkv",
    "a.mkv,q.mkv,a.mkv",
    "a/,x/q.mkv,q.mkv",
  })
  void takesFilename_ofPathThenQuery(String suffix, String query, String expected)
      throws ExchangeException {
    String parameter = query == null ? "" : "&filename=" + query;

    assertThat(parameters(parameter, suffix).filename()).hasValue(expected);
  }

  @Test
  void hasNoFilename_whenNoneIsGiven() throws ExchangeException {
    assertThat(parameters("&filename=").filename()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "T", "yes", "Y", "ON"})
  void refusesTranscoding(String value) {
    assertThatThrownBy(() -> parameters("&transcode=" + value + "&start=1.5"))
        .isInstanceOfSatisfying(
            NotOfferedException.class, e -> assertThat(e.status()).isEqualTo(503))
        .hasMessage("Transcoding support is disabled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "false", "F", "no", "N", "Off"})
  void goesOn_whenTranscodingIsOff(String value) throws ExchangeException {
    assertThat(parameters("&transcode=" + value + "&start=x").transformer()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "transcode=,bool_parsing",
    "transcode=2,bool_parsing",
    "live=2,bool_parsing",
    "live=live,bool_parsing",
    "transcode=1&start=x,float_parsing"
  })
  void says422_whenTypeIsWrong(String query, String type) {
    assertThatThrownBy(() -> parameters("&" + query))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.status()).isEqualTo(422);
              assertThat(e.type()).isEqualTo(type);
              assertThat(e.input()).isPresent();
            });
  }

  @ParameterizedTest
  @CsvSource({"'',false", "live=,false", "live=0,false", "live=Off,false", "live=1,true"})
  void isLive_whenSaid(String query, boolean isLive) throws ExchangeException {
    assertThat(parameters("&" + query).isLive()).isEqualTo(isLive);
  }

  @Test
  void takesFallbacks() throws ExchangeException {
    assertThat(parameters("&fallback=http://b.example/secret").fallbacks()).hasSize(1);
    assertThat(parameters("&fallback=http://b.example/secret").toString())
        .contains("http://b.example:80")
        .doesNotContain("secret");
  }

  @Test
  void hidesValues() throws ExchangeException {
    assertThat(parameters("&h_authorization=secret&r_x=secret&filename=secret").toString())
        .contains("authorization")
        .doesNotContain("secret")
        .doesNotContain("v.mp4");
  }
}
