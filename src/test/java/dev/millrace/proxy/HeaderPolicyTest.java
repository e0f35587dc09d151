package dev.millrace.proxy;

import static dev.millrace.proxy.ParametersFixture.parameters;
import static dev.millrace.proxy.ParametersFixture.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeaderPolicyTest {
  private static final ProxyConfig CONFIG = ProxyConfig.defaults();

  @Test
  void sendsDefaultsOnly_whenNothingIsAsked() throws ExchangeException {
    assertThat(HeaderPolicy.toUpstream(parameters(""), RangeRequest.NONE, CONFIG))
        .isEqualTo(
            Headers.of(
                "User-Agent", ProxyConfig.DEFAULT_USER_AGENT,
                "Accept", "*/*",
                "Accept-Encoding", "identity"));
  }

  @Test
  void sendsWhatParametersSet_inUsualSpelling() throws ExchangeException {
    ProxyParameters parameters =
        parameters("&h_USER-AGENT=ua&h_accept=a/b&h_referrer=http://r/&h_x-abc=1&h_cookie=c");

    assertThat(HeaderPolicy.toUpstream(parameters, RangeRequest.NONE, CONFIG))
        .isEqualTo(
            Headers.of(
                "User-Agent", "ua",
                "Accept", "a/b",
                "x-abc", "1",
                "Cookie", "c",
                "Referer", "http://r/",
                "Accept-Encoding", "identity"));
  }

  @Test
  void sendsRangeOnce() throws ExchangeException {
    ProxyParameters parameters = parameters("&h_range=bytes=5-&h_if-range=x");
    RangeRequest range =
        RangeRequest.of(parameters, Optional.of("bytes=1-2"), Optional.of("\"e\""));

    Headers sent = HeaderPolicy.toUpstream(parameters, range, CONFIG);

    assertThat(sent.lines().stream().filter(line -> line.is("range"))).hasSize(1);
    assertThat(sent.first("range")).hasValue("bytes=5-");
    assertThat(sent.first("if-range")).hasValue("x");
  }

  @Test
  void sendsNoIfRange_withoutRange() throws ExchangeException {
    ProxyParameters parameters = parameters("&h_if-range=x");
    RangeRequest range = RangeRequest.of(parameters, Optional.empty(), Optional.of("\"e\""));

    assertThat(HeaderPolicy.toUpstream(parameters, range, CONFIG).has("if-range")).isFalse();
  }

  @Test
  void sendsNoInheritedResponseField() throws ExchangeException {
    assertThat(
            HeaderPolicy.toUpstream(parameters("&rp_x-foo=1&r_x-bar=1"), RangeRequest.NONE, CONFIG)
                .lines())
        .noneMatch(line -> line.name().startsWith("x-"));
  }

  @Test
  void sendsCredentialsOfAddress() throws ExchangeException {
    Headers sent =
        HeaderPolicy.toUpstream(
            to("http://us%C3%BCr:p%40ss@u.example/"), RangeRequest.NONE, CONFIG);

    assertThat(sent.first("authorization")).hasValue("Basic dXPDvHI6cEBzcw==");
  }

  @Test
  void sendsEmptyPassword_whenAddressNamesUserOnly() throws ExchangeException {
    Headers sent = HeaderPolicy.toUpstream(to("http://user@u.example/"), RangeRequest.NONE, CONFIG);

    assertThat(sent.first("authorization")).hasValue("Basic dXNlcjo=");
  }

  @Test
  void prefersAuthorizationOfParameter() throws ExchangeException {
    ProxyParameters parameters =
        ParametersFixture.parse("d=http://u:p@u.example/&h_authorization=Bearer+t", "");

    Headers sent = HeaderPolicy.toUpstream(parameters, RangeRequest.NONE, CONFIG);

    assertThat(sent.first("authorization")).hasValue("Bearer t");
    assertThat(sent.lines().stream().filter(line -> line.is("authorization"))).hasSize(1);
  }
}
