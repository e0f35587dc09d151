package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.upstream.RouteConfig.Route;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTableTest {
  private static final Optional<String> COMMON = Optional.of("http://common:3128");

  @ParameterizedTest
  @CsvSource({
    "all://x.test, http://x.test/a, true",
    "all://x.test, https://x.test:8443/a, true",
    "all://x.test, http://X.TEST./a, true",
    "all://x.test, http://a.x.test/, false",
    "all://x.test, http://x.test.evil.test/, false",
    "all://x.test, http://ax.test/, false",
    "ALL://X.Test/, http://x.test/, true",
    "http://x.test, https://x.test/, false",
    "https://x.test, https://x.test/, true",
    "all://x.test:8443, https://x.test:8443/, true",
    "all://x.test:443, https://x.test/, true",
    "all://x.test:80, https://x.test/, false",
    "all://*.x.test, http://a.b.x.test/, true",
    "all://*.x.test, http://x.test/, true",
    "all://*.x.test, http://ax.test/, false",
    "all://*.x.test:81, http://a.x.test:81/, true",
    "all://, http://anything/, true",
    "all://*, https://anything/, true",
    "https://, https://anything/, true",
    "https://, http://anything/, false",
    "all://:81, http://anything:81/, true",
    "all://*:81, http://anything/, false",
    "all://bücher.test, http://xn--bcher-kva.test/, true",
    "all://xn--bcher-kva.test, http://BÜCHER.test/, true",
    "all://*.bücher.test, http://a.bücher.test/, true",
    "all://[::1], http://[0:0::1]/, true",
    "all://[2001:DB8::1]:81, http://[2001:db8::1]:81/, true",
    "all://192.0.2.1, http://192.0.2.1/, true",
  })
  void matchesSchemeHostAndPort(String pattern, String target, boolean isCovered) {
    assertThat(proxyOf(target, pattern).isPresent()).isEqualTo(isCovered);
  }

  @ParameterizedTest
  @CsvSource({
    "all://a.x.test, all://*.a.x.test",
    "all://a.x.test, http://*.x.test:80",
    "all://*.a.x.test, http://*.x.test:80",
    "all://*.x.test, http://:80",
    "all://a.x.test:80, http://a.x.test",
    "http://a.x.test, all://a.x.test",
    "all://*.x.test, all://*.test",
    "http://, all://",
  })
  void prefersTheMoreSpecificPattern(String winner, String loser) {
    assertThat(proxyOf("http://a.x.test/", winner, loser)).contains("http://p0:80");
    assertThat(proxyOf("http://a.x.test/", loser, winner)).contains("http://p1:80");
  }

  @Test
  void prefersTheFirst_whenPatternsAreEqual() {
    assertThat(proxyOf("http://a.x.test/", "all://*.x.test", "all://*.X.test"))
        .contains("http://p0:80");
  }

  @Test
  void goesDirectly_whenNoRouteFitsAndNotEverythingIsProxied() {
    RouteTable table = RouteTable.of(new RouteConfig(List.of(), COMMON, false));

    assertThat(table.routeTo(target("http://x.test/")))
        .isEqualTo(new OutboundRoute(Optional.empty(), true));
    assertThat(table.proxies()).isEmpty();
  }

  @Test
  void takesTheCommonProxy_whenNoRouteFitsAndEverythingIsProxied() {
    RouteTable table = RouteTable.of(new RouteConfig(List.of(), COMMON, true));

    assertThat(table.routeTo(target("http://x.test/")).proxy())
        .map(Object::toString)
        .hasValue(COMMON.get());
    assertThat(table.hasUnverified()).isFalse();
  }

  @Test
  void takesTheCommonProxy_whenARouteNamesNone() {
    RouteConfig config = new RouteConfig(List.of(Route.through("all://x.test")), COMMON, false);

    assertThat(RouteTable.of(config).routeTo(target("http://x.test/")).proxy())
        .map(Object::toString)
        .hasValue(COMMON.get());
  }

  @Test
  void goesDirectly_whenARouteSaysSo() {
    Route direct = new Route("all://x.test", false, Optional.of("http://p"), false);
    RouteTable table = RouteTable.of(new RouteConfig(List.of(direct), COMMON, true));

    assertThat(table.routeTo(target("https://x.test/")))
        .isEqualTo(new OutboundRoute(Optional.empty(), false));
    assertThat(table.hasUnverified()).isTrue();
  }

  @Test
  void refusesARouteWithoutAnyProxy() {
    RouteConfig config =
        new RouteConfig(List.of(Route.through("all://x.test")), Optional.empty(), false);

    assertThatIllegalArgumentException()
        .isThrownBy(config::checked)
        .withMessage("route 1 \"all://x.test\": neither proxy_url nor PROXY_URL names its proxy");
  }

  @Test
  void refusesAllProxyWithoutAProxy() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RouteConfig(List.of(), Optional.empty(), true).checked())
        .withMessageContaining("PROXY_URL is not set");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x.test",
        "//x.test",
        "ftp://x.test",
        "all://user:secret@x.test",
        "all://x.test/path",
        "all://x.test?q",
        "all://x.test:0",
        "all://x.test:65536",
        "all://:99999",
        "all://a*.x.test",
        "all://**.x.test",
        "all://x.*",
        "all://*.",
        "all://*.192.0.2.1",
        "all://*.[::1]",
        "all://[::1",
        "all://0177.0.0.1",
        "all://a b"
      })
  void refusesWhatIsNoPattern(String pattern) {
    RouteConfig config = new RouteConfig(List.of(Route.through(pattern)), COMMON, false);

    assertThatIllegalArgumentException()
        .isThrownBy(config::checked)
        .withMessageStartingWith("route 1")
        .withMessageNotContaining("secret");
  }

  @Test
  void refusesTooManyRoutes() {
    List<Route> routes = Collections.nCopies(RouteConfig.MAX_ROUTES, Route.through("all://x"));
    new RouteConfig(routes, COMMON, false).checked();
    List<Route> more = Collections.nCopies(RouteConfig.MAX_ROUTES + 1, Route.through("all://x"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RouteConfig(more, COMMON, false).checked())
        .withMessageContaining("1000");
  }

  @Test
  void showsNoAddressOfAProxy() {
    String secret = "socks5://user:hunter2@p:1080";
    Route route = new Route("all://x.test", true, Optional.of(secret), true);
    RouteConfig config = new RouteConfig(List.of(route), Optional.of(secret), true);

    assertThat(config.toString()).doesNotContain("hunter2").contains("all://x.test");
    assertThat(RouteTable.of(config).proxies().toString()).isEqualTo("[socks5://p:1080]");
  }

  /** Of the routes through {@code p0}, {@code p1}, … */
  private static Optional<String> proxyOf(String target, String... patterns) {
    List<Route> routes =
        Arrays.stream(patterns)
            .map(
                pattern ->
                    new Route(
                        pattern,
                        true,
                        Optional.of("http://p" + Arrays.asList(patterns).indexOf(pattern)),
                        true))
            .toList();
    return RouteTable.of(new RouteConfig(routes, Optional.empty(), false))
        .routeTo(target(target))
        .proxy()
        .map(ForwardProxy::toString);
  }

  private static Target target(String url) {
    try {
      return Target.parse(url);
    } catch (BadTargetException e) {
      throw new AssertionError(e);
    }
  }
}
