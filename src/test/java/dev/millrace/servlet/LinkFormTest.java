package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.link.LinkRequest;
import dev.millrace.proxy.PublicAddress;
import dev.millrace.proxy.ValidationException;
import dev.millrace.servlet.LinkForm.Wanted;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkFormTest {
  private static final PublicAddress OWN = new PublicAddress("https://own.example", "/mfp");

  /** Properties in front of those of the base; quotes are written as apostrophes. */
  private static LinkForm one(String properties) throws ValidationException {
    return LinkForm.one(
        json(
            "{"
                + properties
                + ",'mediaflow_proxy_url':'http://p:8888','endpoint':'/proxy/stream'}"),
        OWN);
  }

  private static LinkForm many(String json) throws ValidationException {
    return LinkForm.many(json(json), OWN);
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static LinkRequest request(String properties) throws ValidationException {
    return one(properties).links().get(0).request();
  }

  private static void assertRefused(String properties, String type, Object... loc) {
    assertThatThrownBy(() -> one(properties))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.type()).isEqualTo(type);
              assertThat(e.loc()).containsExactly(loc);
            })
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void readsEveryProperty() throws ValidationException {
    LinkRequest link =
        request(
            "'destination_url':'http://cdn/v','query_params':{'a':'b'},'request_headers':{'X':'1'},"
                + "'response_headers':{'Y':'2'},'propagate_response_headers':{'Z':'3'},"
                + "'remove_response_headers':['etag'],'expiration':60,'ip':'192.0.2.1',"
                + "'api_password':'pw','filename':'a b.mp4','base64_encode_destination':true");

    assertThat(link.destination()).contains("http://cdn/v");
    assertThat(link.queryParameters()).containsEntry("a", "b");
    assertThat(link.requestHeaders()).containsEntry("X", "1");
    assertThat(link.responseHeaders()).containsEntry("Y", "2");
    assertThat(link.inheritedHeaders()).containsEntry("Z", "3");
    assertThat(link.droppedHeaders()).containsExactly("etag");
    assertThat(link.lifetime()).contains(Duration.ofMinutes(1));
    assertThat(link.clientAddress()).contains("192.0.2.1");
    assertThat(link.filename()).contains("a b.mp4");
    assertThat(link.isDestinationBase64()).isTrue();
  }

  /** Fault F32. */
  @Test
  void takesNullForNothing_everywhere() throws ValidationException {
    LinkForm form =
        one(
            "'destination_url':null,'query_params':null,'request_headers':null,"
                + "'response_headers':null,'propagate_response_headers':null,"
                + "'remove_response_headers':null,'expiration':null,'ip':null,"
                + "'api_password':null,'filename':null,'base64_encode_destination':null");

    assertThat(form.password()).isEmpty();
    assertThat(form.links().get(0).request().queryParameters()).isEmpty();
    assertThat(form.links().get(0).request().lifetime()).isEmpty();
  }

  @Test
  void ignoresWhatItDoesNotKnow() throws ValidationException {
    assertThat(one("'mediaflow_version':{'x':[1]}").links()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "''", "' '"})
  void takesItsOwnAddress_whenTheBaseIsEmpty(String base) throws ValidationException {
    LinkForm form = LinkForm.one(json("{'mediaflow_proxy_url':" + base + "}"), OWN);

    assertThat(form.links().get(0).request().proxyUrl()).isEqualTo("https://own.example/mfp");
  }

  @Test
  void wantsABase() {
    assertThatThrownBy(() -> LinkForm.one("{}", OWN))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.type()).isEqualTo("missing");
              assertThat(e.loc()).containsExactly("body", "mediaflow_proxy_url");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p:8888",
        "ftp://p",
        "javascript:alert(1)",
        "http://",
        "http:///x",
        "//p",
        "http://p/?a=hunter2",
        "http://p/#hunter2",
        "http://u:hunter2@p/",
        "http://p/a b",
        "http://p:99999",
        "http://p/\\\\x",
        "http://p/\\r\\nX: y",
        "http://127.1/",
      })
  void refusesBasesThatAreNone(String base) {
    assertThatThrownBy(() -> LinkForm.one(json("{'mediaflow_proxy_url':'" + base + "'}"), OWN))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> assertThat(e.loc()).containsExactly("body", "mediaflow_proxy_url"))
        .hasMessageStartingWith("mediaflow_proxy_url: ")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void takesBasesUpToTheirLimit() throws ValidationException {
    String most = "http://p/" + "a".repeat(LinkForm.MAX_BASE_LENGTH - 9);

    assertThat(LinkForm.one(json("{'mediaflow_proxy_url':'" + most + "'}"), OWN).links())
        .hasSize(1);
    assertThatThrownBy(() -> LinkForm.one(json("{'mediaflow_proxy_url':'" + most + "a'}"), OWN))
        .hasMessageContaining("at most 2048");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example/x", "//evil.example", "/a?b=c", "/a#b", "/a b"})
  void refusesEndpointsThatAreNoPaths(String endpoint) {
    assertThatThrownBy(
            () ->
                LinkForm.one(
                    json("{'mediaflow_proxy_url':'http://p','endpoint':'" + endpoint + "'}"), OWN))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> assertThat(e.loc()).containsExactly("body", "endpoint"));
  }

  /** A link for a route that is misspelt would otherwise be one for all. */
  @ParameterizedTest
  @CsvSource({"http://p,/PROXY/stream", "http://p,/no/such/route", "http://p/mfp,"})
  void refusesToSealForRoutesThatAreNone(String base, String endpoint) {
    String end = endpoint == null ? "}" : ",'endpoint':'" + endpoint + "'}";
    String form = json("{'mediaflow_proxy_url':'" + base + "','api_password':'pw'" + end);

    assertThatThrownBy(() -> LinkForm.one(form, OWN))
        .isInstanceOfSatisfying(
            ValidationException.class, e -> assertThat(e.loc()).containsExactly("body", "endpoint"))
        .hasMessageContaining("no route of this server");
  }

  @ParameterizedTest
  @CsvSource({
    "http://p,/proxy/stream,stream",
    "https://h/mfp,/proxy/hls/manifest.m3u8,hls",
    "https://h/mfp,/proxy/mpd/manifest.m3u8,dash",
    "http://p/proxy/stream,,stream",
    "http://p,,",
    "http://p,/health,health",
  })
  void findsTheRoutesThatALinkIsFor(String base, String endpoint, String family)
      throws ValidationException {
    String named = endpoint == null ? "null" : "'" + endpoint + "'";
    LinkForm form =
        LinkForm.one(json("{'mediaflow_proxy_url':'" + base + "','endpoint':" + named + "}"), OWN);

    assertThat(form.links())
        .extracting(wanted -> wanted.routeFamily().orElse(null))
        .containsExactly(family);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/sessions", "metrics"})
  void refusesLinksToWhatIsForOperators(String endpoint) {
    assertThatThrownBy(
            () ->
                LinkForm.one(
                    json("{'mediaflow_proxy_url':'http://p','endpoint':'" + endpoint + "'}"), OWN))
        .isInstanceOf(ValidationException.class)
        .hasMessage("endpoint: no link leads to what is meant for operators");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "315360001", "'0'"})
  void refusesLifetimesOutOfBounds(String seconds) {
    assertRefused(
        "'api_password':'pw','expiration':" + seconds, "value_error", "body", "expiration");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "315360000", "'3600'"})
  void takesLifetimesWithinBounds(String seconds) throws ValidationException {
    assertThat(request("'api_password':'pw','expiration':" + seconds).lifetime()).isPresent();
  }

  @Test
  void ignoresLifetimeAndAddress_withoutPassword() throws ValidationException {
    LinkRequest link = request("'expiration':0,'ip':'192.0.2.1'");

    assertThat(link.lifetime()).isEmpty();
    assertThat(link.clientAddress()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"example.com", "1.2.3", "1.2.3.4/24", "300.1.1.1", "fe80::1%eth0", "[::1]"})
  void refusesAddressesThatAreNone(String address) {
    assertRefused("'ip':'" + address + "'", "ip_any_address", "body", "ip");
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"})
  void takesAddresses(String address) throws ValidationException {
    assertThat(request("'api_password':'pw','ip':'" + address + "'").clientAddress())
        .contains(address);
  }

  @Test
  void takesFilenamesUpToTheirLimit() throws ValidationException {
    assertThat(request("'filename':'" + "é".repeat(512) + "'").filename()).isPresent();
    assertRefused("'filename':'" + "é".repeat(513) + "'", "value_error", "body", "filename");
  }

  @Test
  void takesParametersUpToTheirLimit() throws ValidationException {
    String headers =
        "'request_headers':{" + entries(100) + "},'query_params':{" + entries(155) + "}";

    assertThat(one(headers + ",'destination_url':'http://u/'").links()).hasSize(1);
    assertRefused(
        headers + ",'destination_url':'http://u/','remove_response_headers':['a']",
        "value_error",
        "body",
        "query_params");
  }

  private static String entries(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "'k" + i + "':'1'")
        .collect(Collectors.joining(","));
  }

  // many

  @Test
  void keepsTheOrder_andWhatLinksHaveInCommon() throws ValidationException {
    LinkForm form =
        many(
            "{'urls':[{'destination_url':'http://u/1'},{'destination_url':'http://u/2',"
                + "'endpoint':'/proxy/hls/manifest.m3u8'}],"
                + "'mediaflow_proxy_url':'http://p','api_password':'pw','expiration':5,'ip':'::1'}");

    assertThat(form.password()).contains("pw");
    assertThat(form.links())
        .extracting(Wanted::request)
        .allSatisfy(
            link -> {
              assertThat(link.proxyUrl()).isEqualTo("http://p");
              assertThat(link.lifetime()).contains(Duration.ofSeconds(5));
              assertThat(link.clientAddress()).contains("::1");
            })
        .extracting(link -> link.destination().orElseThrow())
        .containsExactly("http://u/1", "http://u/2");
  }

  @Test
  void hasNoBase64InManyLinks() throws ValidationException {
    LinkForm form =
        many(
            "{'mediaflow_proxy_url':'http://p','base64_encode_destination':true,"
                + "'urls':[{'base64_encode_destination':true}]}");

    assertThat(form.links().get(0).request().isDestinationBase64()).isFalse();
  }

  @Test
  void takesNoLinksForNone() throws ValidationException {
    assertThat(many("{'mediaflow_proxy_url':'http://p','urls':[]}").links()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'mediaflow_proxy_url':'http://p'}",
        "{'mediaflow_proxy_url':'http://p','urls':null}"
      })
  void wantsAList(String json) {
    assertThatThrownBy(() -> many(json))
        .isInstanceOfSatisfying(
            ValidationException.class, e -> assertThat(e.loc()).containsExactly("body", "urls"))
        .hasMessage("Field required");
  }

  @Test
  void namesTheLinkThatIsWrong() {
    assertThatThrownBy(
            () -> many("{'mediaflow_proxy_url':'http://p','urls':[{},{'endpoint':'/metrics'}]}"))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> assertThat(e.loc()).containsExactly("body", "urls", 1, "endpoint"));
  }

  @Test
  void hidesThePassword() throws ValidationException {
    assertThat(one("'api_password':'hunter2'").toString()).doesNotContain("hunter2");
  }
}
