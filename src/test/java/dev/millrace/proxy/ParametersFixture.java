package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamHead;
import java.net.URLEncoder;
import java.util.Optional;

/** Short ways to the values that the tests of this package start from. */
final class ParametersFixture {
  static final String DESTINATION = "http://cdn.example/v.mp4";

  private ParametersFixture() {}

  /**
   * @param query what follows {@code d}, with its ampersand; may be empty
   */
  static ProxyParameters parameters(String query) throws ExchangeException {
    return parameters(query, "");
  }

  static ProxyParameters parameters(String query, String suffix) throws ExchangeException {
    return parse("d=" + URLEncoder.encode(DESTINATION, UTF_8) + query, suffix);
  }

  static ProxyParameters parse(String query, String suffix) throws ExchangeException {
    return ProxyParameters.parse(QueryParameters.parse(query), suffix, ProxyConfig.defaults());
  }

  static ProxyParameters to(String url) throws ExchangeException {
    return parse("d=" + URLEncoder.encode(url, UTF_8), "");
  }

  /**
   * @param value of the client's Range; empty for none
   */
  static RangeRequest range(String value) throws ExchangeException {
    return RangeRequest.of(parameters(""), Optional.of(value), Optional.empty());
  }

  static UpstreamHead head(int status, String... namesAndValues) throws ExchangeException {
    return new UpstreamHead(status, Headers.of(namesAndValues), to(DESTINATION).destination());
  }
}
