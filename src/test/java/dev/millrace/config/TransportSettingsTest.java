package dev.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.RouteConfig.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of outbound proxies: JSON, TOML, nested names, and a shell's own. */
final class TransportSettingsTest {
  private static final String SECRET = "socks5://user:hunter2@p:1080";

  @TempDir private Path directory;

  @Test
  void readsRoutes_withTheirDefaults() throws Exception {
    String json =
        """
        {"all://*.x.test": {"proxy": true, "proxy_url": "socks5://p:1080", "verify_ssl": true},
         "https://self.test": {"proxy": false, "verify_ssl": false},
         "all://c.test": {}, "all://d.test": {"proxy_url": null}, "all://e.test": {"proxy_url": ""}}
        """;

    assertThat(routes(Map.of("TRANSPORT_ROUTES", json, "PROXY_URL", SECRET)))
        .isEqualTo(
            new RouteConfig(
                List.of(
                    new Route("all://*.x.test", true, Optional.of("socks5://p:1080"), true),
                    new Route("https://self.test", false, Optional.empty(), false),
                    Route.through("all://c.test"),
                    Route.through("all://d.test"),
                    Route.through("all://e.test")),
                Optional.of(SECRET),
                false));
  }

  @Test
  void readsTheSameFromToml() throws Exception {
    toml(
        """
        [proxy]
        proxy_url = "http://common:3128"
        all_proxy = true
        [proxy.transport_routes]
        "all://*.x.test" = { proxy_url = "socks5h://p" }
        [proxy.transport_routes."https://self.test"]
        proxy = false
        verify_ssl = false
        """);

    assertThat(routes(Map.of("CONFIG_PATH", "x.toml")))
        .isEqualTo(
            new RouteConfig(
                List.of(
                    new Route("all://*.x.test", true, Optional.of("socks5h://p"), true),
                    new Route("https://self.test", false, Optional.empty(), false)),
                Optional.of("http://common:3128"),
                true));
  }

  @Test
  void readsTheNestedNames() throws Exception {
    Map<String, String> nested =
        Map.of(
            "APP__PROXY__PROXY_URL", "http://common",
            "APP__PROXY__ALL_PROXY", "true",
            "APP__PROXY__TRANSPORT_ROUTES", "{\"all://x.test\":{\"proxy\":false}}");

    assertThat(routes(nested))
        .isEqualTo(
            new RouteConfig(
                List.of(new Route("all://x.test", false, Optional.empty(), true)),
                Optional.of("http://common"),
                true));
  }

  @Test
  void readsSeveralSettingsInOne() throws Exception {
    String json =
        """
        {"proxy_url": "http://common", "all_proxy": true, "timeout": 7.5,
         "disable_ssl_verification_globally": true,
         "transport_routes": {"all://x.test": {"proxy_url": "socks5://p"}}}
        """;

    MillraceConfig config = read(Map.of("TRANSPORT_CONFIG", json)).config();

    assertThat(config.upstream().routes().proxyUrl()).contains("http://common");
    assertThat(config.upstream().routes().allProxy()).isTrue();
    assertThat(config.upstream().routes().routes()).hasSize(1);
    assertThat(config.upstream().verifyTls()).isFalse();
    assertThat(config.upstream().idleTimeout()).isEqualTo(Duration.ofMillis(7500));
  }

  @Test
  void prefersPlainNames_evenFromAWeakerPlace() throws Exception {
    toml("[proxy]\nproxy_url = \"http://toml\"\n");

    LoadedConfig loaded =
        read(
            Map.of(
                "CONFIG_PATH", "x.toml",
                "TRANSPORT_CONFIG", "{\"proxy_url\":\"http://json\",\"all_proxy\":true}"));

    assertThat(loaded.config().upstream().routes().proxyUrl()).contains("http://toml");
    assertThat(loaded.settings())
        .contains(new SettingValue("ALL_PROXY", "true", "TRANSPORT_CONFIG all_proxy"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL_PROXY", "all_proxy", "All_Proxy"})
  void ignoresAShellsAddress_andSaysSo(String name) throws Exception {
    LoadedConfig loaded = read(Map.of(name, SECRET));

    assertThat(loaded.config().upstream().routes()).isEqualTo(RouteConfig.defaults());
    assertThat(loaded.warnings())
        .containsExactly(
            "ALL_PROXY (environment "
                + name
                + ") is an address and ignored: here it is a switch, and PROXY_URL the address");
  }

  @Test
  void looksAtWeakerPlaces_whenAShellsAddressIsIgnored() throws Exception {
    Files.writeString(directory.resolve(".env"), "ALL_PROXY=true\nPROXY_URL=http://common\n");

    assertThat(routes(Map.of("ALL_PROXY", SECRET)).allProxy()).isTrue();
  }

  @Test
  void treatsEmptyAsUnset() throws Exception {
    assertThat(
            routes(
                Map.of(
                    "PROXY_URL",
                    "",
                    "ALL_PROXY",
                    " ",
                    "TRANSPORT_ROUTES",
                    "",
                    "TRANSPORT_CONFIG",
                    "")))
        .isEqualTo(RouteConfig.defaults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nonsense hunter2 | not valid JSON at column 1 (or a name given twice)",
        "{\"all://x\":{} | not valid JSON at column 14 (or a name given twice)",
        "{\"all://x\":{},\"all://x\":{}} | not valid JSON at column 24 (or a name given twice)",
        "[] | not a JSON object (expected: {…})",
        "{} {} | more than one JSON value (expected: one object)",
        "{\"all://x\":true} | route 1: not a JSON object (expected: {…})",
        "{\"all://x\":{\"proxy\":\"hunter2\"}} | route 1: proxy: not a truth value (expected: true or false)",
        "{\"all://x\":{\"proxy_url\":7}} | route 1: proxy_url: not a text (expected: an address or null)",
        "{\"all://x\":{\"hunter2\":1}} | route 1: unknown member (expected: proxy, proxy_url, verify_ssl)",
        "{\"all://x\":{}} | route 1 \"all://x\": neither proxy_url nor PROXY_URL names its proxy",
        "{\"all://y\":{\"proxy\":false},\"x\":{}} | route 2 \"x\": pattern (expected: http://, https:// or all://, then a host and perhaps a port, nothing else)",
        "{\"all://u:hunter2@x\":{}} | route 1: pattern (expected: http://, https:// or all://, then a host and perhaps a port, nothing else)",
        "{\"all://x\":{\"proxy_url\":\"ftp://u:hunter2@p\"}} | route 1 \"all://x\": scheme of the proxy (expected: http, https, socks4, socks4a, socks5, socks5h)",
      })
  void refusesBadRoutes_namingThePlace(String json, String problem) {
    assertThat(refused(Map.of("TRANSPORT_ROUTES", json)).problems())
        .containsExactly("TRANSPORT_ROUTES (environment TRANSPORT_ROUTES): " + problem);
  }

  @Test
  void refusesRoutesThatAreTooLong() {
    String json = "{}" + " ".repeat(TransportRoutes.MAX_LENGTH) + "{}";

    assertThat(refused(Map.of("TRANSPORT_ROUTES", json)).problems())
        .singleElement()
        .asString()
        .contains("too long");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[]", "{\"hunter2\":1}", "{\"timeout\":[1]}", "{", "{}{}", "{\"a\" hunter2"})
  void refusesBadTransportConfig(String json) {
    assertThat(refused(Map.of("TRANSPORT_CONFIG", json)).problems())
        .singleElement()
        .asString()
        .startsWith("TRANSPORT_CONFIG (environment TRANSPORT_CONFIG): ")
        .doesNotContain("hunter2");
  }

  @Test
  void refusesAProxyThatIsNone_withoutShowingIt() {
    assertThat(refused(Map.of("PROXY_URL", "user:hunter2@p:8080")).problems())
        .singleElement()
        .asString()
        .startsWith("PROXY_URL (environment PROXY_URL): refused (expected: scheme://")
        .doesNotContain("hunter2");
  }

  @Test
  void refusesAllProxyWithoutAnAddress() {
    assertThat(refused(Map.of("ALL_PROXY", "true")).problems())
        .containsExactly("ALL_PROXY: on, but PROXY_URL is not set");
  }

  @Test
  void warns_whenTheProxyIsNotUsed() throws Exception {
    assertThat(read(Map.of("PROXY_URL", SECRET)).warnings())
        .singleElement()
        .asString()
        .startsWith("PROXY_URL is set and not used");
    assertThat(read(Map.of("PROXY_URL", SECRET, "ALL_PROXY", "1")).warnings()).isEmpty();
  }

  @Test
  void warns_whenCertificatesAreNotChecked() throws Exception {
    String json =
        "{\"all://a.test\":{\"proxy\":false,\"verify_ssl\":false},"
            + "\"all://*.b.test\":{\"proxy\":false,\"verify_ssl\":false},"
            + "\"all://c.test\":{\"proxy\":false}}";

    assertThat(read(Map.of("TRANSPORT_ROUTES", json)).warnings())
        .singleElement()
        .asString()
        .endsWith("of all://a.test, all://*.b.test");
  }

  @Test
  void neverShowsAddressesOfProxies() throws Exception {
    String json = "{\"all://x.test\":{\"proxy_url\":\"" + SECRET + "\"}}";
    LoadedConfig loaded =
        read(
            Map.of(
                "PROXY_URL", SECRET,
                "TRANSPORT_ROUTES", json,
                "TRANSPORT_CONFIG", "{\"proxy_url\":\"" + SECRET + "\"}"));

    assertThat(loaded.toString()).doesNotContain("hunter2");
    assertThat(loaded.settings())
        .contains(
            new SettingValue("PROXY_URL", "***", "environment PROXY_URL"),
            new SettingValue("TRANSPORT_ROUTES", "***", "environment TRANSPORT_ROUTES"),
            new SettingValue("TRANSPORT_CONFIG", "***", "environment TRANSPORT_CONFIG"));
  }

  @Test
  void routesReadBackAsThemselves() {
    List<Route> routes =
        List.of(
            new Route("all://*.x.test", true, Optional.of(SECRET), false),
            new Route("https://y", false, Optional.empty(), true));
    Syntax<List<Route>> syntax = TransportRoutes.syntax();

    assertThat(syntax.parse(syntax.format(routes))).isEqualTo(routes);
  }

  private void toml(String text) throws IOException {
    Files.writeString(directory.resolve("x.toml"), text);
  }

  private LoadedConfig read(Map<String, String> environment) throws ConfigException {
    return new ConfigReader(environment, Map.of(), Map.of(), directory).read();
  }

  private RouteConfig routes(Map<String, String> environment) throws ConfigException {
    return read(environment).config().upstream().routes();
  }

  private ConfigException refused(Map<String, String> environment) {
    return catchThrowableOfType(ConfigException.class, () -> read(environment));
  }
}
