package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProxyServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.RouteConfig;
import dev.millrace.upstream.RouteConfig.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every request is routed by its own address (contract §17.3, reports N01, N12). The toy proxies
 * know names in {@code .test}, and nobody else does.
 */
@Timeout(60)
class OutboundRoutesIT {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static Route route(String pattern, String proxyUrl) {
    return new Route(pattern, true, Optional.of(proxyUrl), true);
  }

  private static RunningMillrace routed(Route... routes) {
    RouteConfig config = new RouteConfig(List.of(routes), Optional.empty(), false);
    return RunningMillrace.start(settings -> settings.routes(config));
  }

  private static RunningMillrace through(String proxyUrl) {
    return routed(route("all://", proxyUrl));
  }

  private static String named(OriginServer origin, String host, String target) {
    return origin.url(target).replace("127.0.0.1", host);
  }

  @Test
  void routesEachHopByItsOwnAddress() throws IOException {
    try (OriginServer last = OriginServer.start(ToyOrigins.file(99));
        OriginServer first =
            OriginServer.start(ToyOrigins.redirect(named(last, "cdn.b.test", "/v.mp4")));
        ProxyServer a = ProxyServer.http();
        ProxyServer b = ProxyServer.socks();
        RunningMillrace millrace =
            routed(route("all://a.test", a.url()), route("all://*.b.test", b.url("socks5h", "")))) {
      RawAnswer answer = millrace.get(named(first, "a.test", "/x"));

      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 99));
      assertThat(a.lines()).containsExactly("GET http://a.test:" + first.port() + "/x HTTP/1.1");
      assertThat(b.lines()).containsExactly("SOCKS5 cdn.b.test:" + last.port() + " login=");
    }
  }

  @Test
  void leavesAProxyOrTakesOne_onTheWay() throws IOException {
    try (OriginServer direct = OriginServer.start(ToyOrigins.file(99));
        OriginServer proxied = OriginServer.start(ToyOrigins.redirect(direct.url("/v.mp4")));
        OriginServer start =
            OriginServer.start(ToyOrigins.redirect(named(proxied, "a.test", "/y")));
        ProxyServer proxy = ProxyServer.http();
        RunningMillrace millrace = routed(route("all://*.test", proxy.url()))) {
      assertThat(millrace.get(start.url("/x")).bytes()).hasSize(99);

      assertThat(proxy.lines()).hasSize(1);
      assertThat(direct.requests()).hasSize(1);
    }
  }

  @Test
  void sendsEverythingThroughTheCommonProxy_butForRoutesThatSayNo() throws IOException {
    Route direct = new Route("all://127.0.0.1", false, Optional.empty(), true);
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(99));
        ProxyServer proxy = ProxyServer.http();
        RunningMillrace millrace =
            RunningMillrace.start(
                settings ->
                    settings.routes(
                        new RouteConfig(List.of(direct), Optional.of(proxy.url()), true)))) {
      assertThat(millrace.get(origin.url("/")).status()).isEqualTo(200);
      assertThat(proxy.requests()).isEmpty();
      assertThat(millrace.get(named(origin, "any.test", "/")).status()).isEqualTo(200);
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void servesRangesAndHeads(String scheme) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000_000));
        ProxyServer proxy = proxy(scheme);
        RunningMillrace millrace = through(proxy.url(scheme, ""))) {
      String url = named(origin, "a.test", "/v.mp4");

      assertThat(millrace.get(url, "Range: bytes=5-9").bytes()).isEqualTo(OffsetBytes.range(5, 10));
      assertThat(millrace.head(url).field("Content-Length")).contains("1000000");
      assertThat(millrace.count(url).body().length()).isEqualTo(1_000_000);
      assertThat(millrace.count(url).body().firstWrongAt()).isNegative();
    }
  }

  /** Tunnels offer HTTP/1.1 only, and so does what is said to a proxy, over TLS too. */
  @ParameterizedTest
  @ValueSource(strings = {"http", "https", "socks5h"})
  void speaksHttp1ThroughProxies_whenHttp2IsOffered(String scheme) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(99));
        OriginServer secure = OriginServer.startTls(ToyOrigins.file(300_000));
        ProxyServer proxy = proxy(scheme);
        RunningMillrace millrace =
            RunningMillrace.start(
                settings ->
                    settings
                        .originHttp2()
                        .anyCertificate()
                        .routes(
                            new RouteConfig(
                                List.of(), Optional.of(proxy.url(scheme, "")), true)))) {
      assertThat(millrace.get(named(origin, "a.test", "/")).bytes()).hasSize(99);
      assertThat(millrace.get(named(secure, "a.test", "/")).bytes())
          .isEqualTo(OffsetBytes.range(0, 300_000));
      assertThat(proxy.requests()).hasSize(2);
    }
  }

  private static ProxyServer proxy(String scheme) {
    return switch (scheme) {
      case "http" -> ProxyServer.http();
      case "https" -> ProxyServer.https();
      default -> ProxyServer.socks();
    };
  }

  @Test
  void keepsItsLoginToTheProxyToItself() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.mirror());
        ProxyServer proxy = ProxyServer.http("me:right");
        RunningMillrace millrace = through(proxy.url("http", "me:right@"))) {
      RawAnswer answer = millrace.get(named(origin, "a.test", "/"));

      assertThat(answer.status()).isEqualTo(200);
      assertThat(origin.onlyRequest().fieldNames()).noneMatch(name -> name.startsWith("proxy-"));
      assertThat(proxy.requests()).extracting(RecordedRequest::method).containsExactly("GET");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a.test/", "https://a.test/"})
  void tellsThatTheProxyWantsOtherCredentials_onceAndWithoutThem(String url) throws IOException {
    try (ProxyServer proxy = ProxyServer.http("me:right");
        RunningMillrace millrace = through(proxy.url("http", "me:hunter2@"))) {
      RawAnswer answer = millrace.get(url);

      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("proxy_refused");
      assertThat(ErrorBody.of(answer).hop()).isEqualTo("outbound_proxy");
      assertThat(answer.text()).doesNotContain("hunter2").doesNotContain("127.0.0.1");
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @Test
  void tellsThatANameMayBeUnknown_whenSocksClosesSilently() throws IOException {
    try (ProxyServer proxy = ProxyServer.saying("\u0005\u0000");
        RunningMillrace millrace = through(proxy.url("socks5h", ""))) {
      RawAnswer answer = millrace.get("http://nx.test/");

      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).detail()).contains("proxy refused or name unknown at proxy");
    }
  }

  @Test
  void refusesInternalTargets_whateverTheProxyWouldSay() throws IOException {
    try (ProxyServer proxy = ProxyServer.http();
        RunningMillrace millrace =
            RunningMillrace.start(
                settings ->
                    settings
                        .allowTargets()
                        .routes(new RouteConfig(List.of(), Optional.of(proxy.url()), true)))) {
      assertThat(millrace.get("http://localhost/").status()).isEqualTo(403);
      assertThat(millrace.get("https://169.254.169.254/").status()).isEqualTo(403);
      assertThat(proxy.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void closesTheWholeWay_whenTheClientLeaves(String scheme) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        ProxyServer proxy = proxy(scheme);
        RunningMillrace millrace = through(proxy.url(scheme, ""))) {
      try (RawHttp client = millrace.ask(named(origin, "a.test", "/"))) {
        assertThat(client.head().status()).isEqualTo(200);
      }
      Await.until("the origin's close", SOON, () -> origin.openConnections() == 0);
      Await.until("the proxy's closes", SOON, () -> proxy.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void abortsTheClient_whenTheBodyIsCutOnTheWay(String scheme) throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(1_000_000, true));
        ProxyServer proxy = proxy(scheme);
        RunningMillrace millrace = through(proxy.url(scheme, ""))) {
      assertThat(millrace.count(named(origin, "a.test", "/")).body().end())
          .isNotEqualTo(BodyEnd.COMPLETE);
    }
  }
}
