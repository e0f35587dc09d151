package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardPlannerTest {
  private static final ProxyConfig CONFIG =
      new ProxyConfig(Optional.of("pw"), false, "agent", false);

  private static ForwardParameters parameters(String query) throws ExchangeException {
    return ForwardParameters.parse(QueryParameters.parse("d=http://a.example/&" + query), CONFIG);
  }

  private static ResponsePlan plan(String query, int status, String... fields)
      throws ExchangeException, BadTargetException {
    UpstreamHead head =
        new UpstreamHead(status, Headers.of(fields), Target.parse("http://a.example/"));
    return ForwardPlanner.plan(parameters(query), head, false);
  }

  @ParameterizedTest
  @CsvSource({"200,true", "404,true", "204,false", "304,false"})
  void tellsTheLength_whereThereCanBeABody(int status, boolean isTold) throws Exception {
    ResponsePlan plan = plan("", status, "Content-Length", "7");

    assertThat(plan.status()).isEqualTo(status);
    assertThat(plan.contentLength().isPresent()).isEqualTo(isTold);
    assertThat(plan.headers().has("Content-Length")).isFalse();
  }

  @Test
  void dropsTheLength_ifAskedTo() throws Exception {
    assertThat(plan("x_headers=Content-Length", 200, "Content-Length", "7").contentLength())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "image/svg+xml", "text/javascript", "nonsense"})
  void relabelsWhatABrowserWouldRun(String type) throws Exception {
    assertThat(plan("", 200, "Content-Type", type).headers().first("Content-Type"))
        .contains("application/octet-stream");
    assertThat(
            plan("r_content-type=" + type.replace("+", "%2B"), 200).headers().first("Content-Type"))
        .contains("application/octet-stream");
  }

  @Test
  void namesATypeOnlyWhereThereIsABody() throws Exception {
    assertThat(plan("", 200).headers().has("Content-Type")).isTrue();
    assertThat(plan("", 302, "Content-Length", "0").headers().has("Content-Type")).isFalse();
    assertThat(plan("", 304).headers().has("Content-Type")).isFalse();
  }

  @Test
  void leavesOutValuesThatCannotBeSent() throws Exception {
    assertThat(plan("", 200, "X-A", "a\u0001b", "X-B", "c").headers().has("X-A")).isFalse();
  }

  @Test
  void setsParametersOverTheOriginsFields_inheritedOnesFirst() throws Exception {
    Headers headers = plan("r_x-a=3&rp_x-a=2&rp_x-b=4", 200, "X-A", "1").headers();
    assertThat(headers.first("X-A")).contains("3");
    assertThat(headers.first("X-B")).contains("4");
  }

  @Test
  void parametersNeverShowValues() throws Exception {
    assertThat(parameters("h_authorization=secret&r_x-a=secret").toString())
        .contains("authorization")
        .doesNotContain("secret");
  }

  @Test
  void refusesControlCharacters() {
    assertThatThrownBy(() -> parameters("h_x=a%0d%0ab")).isInstanceOf(BadParameterException.class);
    assertThatThrownBy(() -> parameters("r_x=a%0d%0ab")).isInstanceOf(BadParameterException.class);
  }

  @Test
  void fieldsForTheOrigin_areDefaults_thenTheClients_thenParameters() throws Exception {
    Headers client = Headers.of("Accept", "text/plain", "Content-Type", "a/b");
    Headers headers =
        HeaderPolicy.forwarded(
            parameters("h_content-type=c/d&h_referrer=http://r/"), client, CONFIG);
    assertThat(headers)
        .isEqualTo(
            Headers.of(
                "User-Agent", "agent",
                "Accept-Encoding", "identity",
                "Accept", "text/plain",
                "content-type", "c/d",
                "Referer", "http://r/"));
  }

  @Test
  void credentialsOfTheAddressAreSent() throws Exception {
    ForwardParameters parameters =
        ForwardParameters.parse(QueryParameters.parse("d=http://u:p@a.example/"), CONFIG);
    assertThat(HeaderPolicy.forwarded(parameters, Headers.EMPTY, CONFIG).first("Authorization"))
        .contains("Basic dTpw");
  }
}
