package dev.millrace.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.link.LinkTokens.OpenedLink;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinkBuilderTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.9Z");
  private static final String DESTINATION = "http://cdn/v.mp4";
  private static final LinkTokens V2 = tokens(LinkFormat.V2);
  private static final LinkTokens COMPATIBLE = tokens(LinkFormat.COMPATIBLE);

  private static LinkTokens tokens(LinkFormat format) {
    return new LinkTokens("pw", List.of("a secret for tests only"), format, true);
  }

  private static LinkRequest request(String base, Optional<String> endpoint) {
    return new LinkRequest(
        base,
        endpoint,
        Optional.of(DESTINATION),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        List.of(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }

  private static LinkRequest request(String base, String endpoint) {
    return request(base, Optional.of(endpoint));
  }

  private static LinkRequest named(String filename) {
    LinkRequest plain = request("http://p", "/proxy/stream");
    return new LinkRequest(
        plain.proxyUrl(),
        plain.endpoint(),
        plain.destination(),
        plain.queryParameters(),
        plain.requestHeaders(),
        plain.responseHeaders(),
        plain.inheritedHeaders(),
        plain.droppedHeaders(),
        Optional.of(filename),
        true,
        Optional.of(Duration.ofHours(1)),
        Optional.of("203.0.113.7"));
  }

  private static LinkRequest withHeaders(
      Map<String, String> query,
      Map<String, String> sent,
      Map<String, String> shown,
      Map<String, String> inherited,
      List<String> dropped) {
    return new LinkRequest(
        "http://p:8888",
        Optional.of("/proxy/stream"),
        Optional.of(DESTINATION),
        query,
        sent,
        shown,
        inherited,
        dropped,
        Optional.of("A b.mp4"),
        false,
        Optional.of(Duration.ofHours(1)),
        Optional.empty());
  }

  private static Map<String, String> inOrder(String... namesAndValues) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }

  private static LinkRequest ofTheContract() {
    return withHeaders(
        Map.of("a", "b c"),
        inOrder("Referer", "http://r/", "Range", "bytes=1-"),
        Map.of("r_cache-control", "no-cache"),
        Map.of("content-type", "video/mp2t"),
        List.of("content-length", "etag"));
  }

  @Test
  void makesThePublishedExample() {
    assertThat(LinkBuilder.plain(ofTheContract()))
        .isEqualTo(
            "http://p:8888/proxy/stream/A%20b.mp4?a=b+c&d=http%3A%2F%2Fcdn%2Fv.mp4"
                + "&h_Referer=http%3A%2F%2Fr%2F&r_cache-control=no-cache"
                + "&rp_content-type=video%2Fmp2t&x_headers=content-length%2Cetag");
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void sealsThePublishedExample(LinkFormat format) throws Exception {
    String link = LinkBuilder.sealed(ofTheContract(), tokens(format), NOW, Optional.of("stream"));

    assertThat(link).matches("http://p:8888/_token_[A-Za-z0-9._-]+/proxy/stream/A%20b\\.mp4");
    OpenedLink opened = V2.open(token(link));
    assertThat(opened.link().rights().expiry()).contains(Instant.parse("2026-11-30T13:00:00Z"));
    assertThat(opened.link().parameters())
        .containsAllEntriesOf(
            inOrder(
                "a", "b c",
                "d", DESTINATION,
                "h_Referer", "http://r/",
                "r_cache-control", "no-cache",
                "rp_content-type", "video/mp2t",
                "x_headers", "content-length,etag"))
        .hasSize(format == LinkFormat.V2 ? 6 : 7);
  }

  private static String token(String link) {
    return link.replaceFirst(".*/_token_([^/?]+).*", "$1");
  }

  @Test
  void putsThePasswordIntoCompatibleLinksOnly() throws Exception {
    LinkRequest request = request("http://p", "/proxy/stream");

    assertThat(V2.open(token(sealed(request, COMPATIBLE))).link().parameters())
        .containsEntry("api_password", "pw");
    assertThat(V2.open(token(sealed(request, V2))).link().parameters()).containsOnlyKeys("d");
  }

  private static String sealed(LinkRequest request, LinkTokens tokens) {
    return LinkBuilder.sealed(request, tokens, NOW, Optional.empty());
  }

  @Test
  void carriesTheLimits() throws Exception {
    String link = LinkBuilder.sealed(named("a.mp4"), V2, NOW, Optional.of("stream"));

    assertThat(V2.open(token(link)).link().rights())
        .isEqualTo(
            new LinkRights(
                Optional.of(Instant.parse("2026-11-30T13:00:00Z")),
                Optional.of("203.0.113.7"),
                Optional.of("stream")));
  }

  /** Contract, case 32. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "https://h/mfp,     /proxy/stream,  https://h/mfp/proxy/stream,  https://h/mfp/_token_T/proxy/stream",
        "https://h/mfp/,    proxy/stream/,  https://h/mfp/proxy/stream,  https://h/mfp/_token_T/proxy/stream",
        "https://h/a/b//,   /proxy/stream,  https://h/a/b/proxy/stream,  https://h/a/b/_token_T/proxy/stream",
        "https://h,         /proxy/stream,  https://h/proxy/stream,      https://h/_token_T/proxy/stream",
        "https://h/,        /proxy/stream,  https://h/proxy/stream,      https://h/_token_T/proxy/stream",
        "https://h/proxy/stream,  -,        https://h/proxy/stream,      https://h/_token_T/proxy/stream",
        "https://h/proxy/stream,  '',       https://h/proxy/stream,      https://h/_token_T/proxy/stream",
        "https://h/,              -,        https://h,                   https://h/_token_T",
        "HTTP://[::1]:80/x, /proxy/stream,  HTTP://[::1]:80/x/proxy/stream, HTTP://[::1]:80/x/_token_T/proxy/stream",
        "https://h/x,       /,              https://h/x,                 https://h/x/_token_T",
      })
  void appendsTheEndpointToThePathOfTheBase(
      String base, String endpoint, String plain, String sealed) {
    LinkRequest request = request(base, Optional.ofNullable(endpoint));

    assertThat(LinkBuilder.plain(request)).isEqualTo(plain + "?d=http%3A%2F%2Fcdn%2Fv.mp4");
    assertThat(sealed(request, V2).replaceFirst("_token_[^/]+", "_token_T")).isEqualTo(sealed);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "https://h/mfp,          /proxy/stream, /proxy/stream",
        "https://h/proxy/stream, -,             /proxy/stream",
        "https://h/mfp/,         /,             /",
        "https://h,              -,             /",
      })
  void tellsTheRoute(String base, String endpoint, String path) {
    assertThat(LinkBuilder.routePath(request(base, Optional.ofNullable(endpoint)))).isEqualTo(path);
  }

  @Test
  void tellsTheRouteWithTheFileName() {
    assertThat(LinkBuilder.routePath(named("A b.mp4"))).isEqualTo("/proxy/stream/A%20b.mp4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "p",
        "/proxy/stream",
        "ftp://p",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "http://p?x=y",
        "http://p/path?token=hunter2",
        "http://p/#top",
        "http://p/a b",
        "http://p\r\nX: y",
        "http://p\\@evil",
      })
  void refusesBasesThatAreNone(String base) {
    assertThatThrownBy(() -> LinkBuilder.plain(request(base, "/proxy/stream")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("mediaflow_proxy_url: ")
        .hasMessageNotContaining("hunter2");
    assertThatThrownBy(() -> sealed(request(base, "/proxy/stream"), V2))
        .hasMessageStartingWith("mediaflow_proxy_url: ");
    assertThatThrownBy(() -> LinkBuilder.routePath(request(base, "/proxy/stream")))
        .hasMessageStartingWith("mediaflow_proxy_url: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil",
        "http://evil/x",
        "/proxy/stream?d=x",
        "/proxy#x",
        "/a b",
        "/a\nb",
        "/\\x"
      })
  void refusesEndpointsThatAreNone(String endpoint) {
    assertThatThrownBy(() -> LinkBuilder.plain(request("http://p", endpoint)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("endpoint: ");
  }

  @Test
  void encodesAsFormsDo() {
    LinkRequest request =
        withHeaders(inOrder("k+&=", "a*b-c_d.e~f g/ü😀%"), Map.of(), Map.of(), Map.of(), List.of());

    assertThat(LinkBuilder.plain(request))
        .endsWith("?k%2B%26%3D=a%2Ab-c_d.e~f+g%2F%C3%BC%F0%9F%98%80%25&d=http%3A%2F%2Fcdn%2Fv.mp4");
  }

  @ParameterizedTest
  @CsvSource({
    "A b.mp4,          A%20b.mp4",
    "a/b c/é+.mkv,     a/b%20c/%C3%A9%2B.mkv",
    "/x.mp4,           x.mp4",
    "'a\";?#%.mp4',    a%22%3B%3F%23%25.mp4",
  })
  void encodesFileNames_slashesKept(String name, String encoded) {
    assertThat(LinkBuilder.plain(named(name))).startsWith("http://p/proxy/stream/" + encoded + "?");
  }

  @Test
  void writesTheDestinationAsBase64() {
    assertThat(LinkBuilder.plain(named("")))
        .isEqualTo("http://p/proxy/stream?d=aHR0cDovL2Nkbi92Lm1wNA");
  }

  @Test
  void keepsPrefixes_andLeavesOutWhatIsEmptyOrARange() {
    LinkRequest request =
        withHeaders(
            inOrder("api_password", "pw", "d", "replaced"),
            inOrder("H_X", "1", "h_range", "bytes=1-", "If-Range", "x", "range", "y", "Empty", ""),
            inOrder("r_a", "2", "b", "3", "empty", ""),
            inOrder("rp_c", "4", "r_d", "5", "empty", ""),
            List.of());

    assertThat(LinkBuilder.plain(request))
        .endsWith("?api_password=pw&d=http%3A%2F%2Fcdn%2Fv.mp4&H_X=1&r_a=2&r_b=3&rp_c=4&rp_r_d=5");
  }

  @Test
  void needsNoDestination() {
    LinkRequest bare =
        new LinkRequest(
            "http://p",
            Optional.of("/proxy/ip"),
            Optional.empty(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            List.of(),
            Optional.empty(),
            true,
            Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
            Optional.empty());

    assertThat(LinkBuilder.plain(bare)).isEqualTo("http://p/proxy/ip");
    assertThatThrownBy(() -> sealed(bare, V2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("expiration: ");
  }

  @Test
  void showsNothingSecret() {
    assertThat(ofTheContract().toString())
        .isEqualTo(
            "LinkRequest[endpoint=Optional[/proxy/stream], queryParameters=[a],"
                + " requestHeaders=[Referer, Range]]");
  }

  @ParameterizedTest
  @CsvSource({
    "../../x.mp4,/x.mp4",
    "a/../b/./c.mp4,/a/b/c.mp4",
    "..,''",
    "..a/b...mp4,/..a/b...mp4",
  })
  void leavesDotSegmentsOfFileNamesOut(String filename, String suffix) {
    assertThat(LinkBuilder.plain(named(filename)))
        .startsWith("http://p/proxy/stream" + suffix + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proxy/../metrics", "/./metrics", "..", "/proxy/%2e%2E/metrics"})
  void refusesDotSegmentsInEndpoints(String endpoint) {
    LinkRequest request = request("http://p", endpoint);

    assertThatThrownBy(() -> LinkBuilder.plain(request)).hasMessageStartingWith("endpoint: ");
  }
}
