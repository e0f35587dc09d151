package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.Await;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProxyServer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.RouteConfig.Route;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire to proxies and through them. Names in {@code .test} only they know. */
@Timeout(60)
class ForwardProxyIT {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int MAX_CONNECTIONS = 2;

  /** Everything through one proxy; certificates are not checked, so that ours pass. */
  private static StartedUpstream through(String proxyUrl, String... allowTargets) {
    Route all = new Route("all://", true, Optional.of(proxyUrl), false);
    RouteConfig routes = new RouteConfig(List.of(all), Optional.empty(), false);
    return new StartedUpstream(MAX_CONNECTIONS, true, routes, allowTargets);
  }

  private static String named(OriginServer origin, String host, String target) {
    return origin.url(target).replace("127.0.0.1", host);
  }

  // HTTP

  @ParameterizedTest
  @ValueSource(strings = {"//path//x", "/?", "/a?", "/a?b=%2F&c=d|e", "/a%2Fb;c=1/../d", "/%7e"})
  void sendsTheAbsoluteForm_withTheTargetAsItIs(String target) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.mirror());
        ProxyServer proxy = ProxyServer.http();
        StartedUpstream upstream = through(proxy.url())) {
      String url = named(origin, "a.test", target);

      upstream.get(url, "X-One", "1").text();

      RecordedRequest seen = proxy.requests().get(0);
      assertThat(seen.target()).isEqualTo(url);
      assertThat(seen.fieldNames()).containsExactlyInAnyOrder("host", "x-one");
      assertThat(seen.field("Host")).contains("a.test:" + origin.port());
      assertThat(origin.onlyRequest().target()).isEqualTo(target);
    }
  }

  @Test
  void logsInToTheProxyAndToNobodyElse() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.mirror());
        OriginServer secure = OriginServer.startTls(ToyOrigins.mirror());
        ProxyServer proxy = ProxyServer.http("me:p@ss");
        StartedUpstream upstream = through(proxy.url("http", "me:p%40ss@"))) {
      upstream.get(named(origin, "a.test", "/")).text();
      String throughTunnel = upstream.get(named(secure, "b.test", "/")).text();

      assertThat(proxy.requests())
          .hasSize(2)
          .allMatch(request -> request.field("Proxy-Authorization").isPresent());
      assertThat(throughTunnel).doesNotContainIgnoringCase("proxy-auth");
    }
  }

  @Test
  void opensATunnel_toAnOriginWithTls() {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(300_000));
        ProxyServer proxy = ProxyServer.http();
        StartedUpstream upstream = through(proxy.url())) {
      ReceivedAnswer answer = upstream.get(named(origin, "a.test", "/x"));

      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 300_000));
      assertThat(origin.onlyRequest().target()).isEqualTo("/x");
      assertThat(proxy.lines()).containsExactly("CONNECT a.test:" + origin.port() + " HTTP/1.1");
    }
  }

  @Test
  void speaksTlsToTheProxy_andThroughItToTheOrigin() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        OriginServer secure = OriginServer.startTls(ToyOrigins.file(2_000));
        ProxyServer proxy = ProxyServer.https();
        StartedUpstream upstream =
            new StartedUpstream(
                2, false, new RouteConfig(List.of(), Optional.of(proxy.url()), true))) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(1_000);
      assertThat(upstream.get(named(secure, "a.test", "/")).bytes()).hasSize(2_000);
      assertThat(proxy.lines()).hasSize(2).last().asString().startsWith("CONNECT ");
    }
  }

  @Test
  void checksTheCertificateOfTheProxy_whateverItsRouteSays() {
    try (OriginServer secure = OriginServer.startTls(ToyOrigins.file(10));
        OriginServer plain = OriginServer.start(ToyOrigins.file(10));
        ProxyServer proxy = ProxyServer.https();
        StartedUpstream upstream = through(proxy.url("https", "me:secret@"))) {
      assertKind(upstream.get(named(secure, "a.test", "/")), Kind.PROXY_FAILED);
      assertKind(upstream.get(named(plain, "a.test", "/")), Kind.PROXY_FAILED);
      assertThat(proxy.requests()).isEmpty();
    }
  }

  // SOCKS

  @ParameterizedTest
  @CsvSource({"socks4a, SOCKS4A", "socks5h, SOCKS5"})
  void leavesTheNameToTheProxy(String scheme, String asked) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(300_000));
        OriginServer secure = OriginServer.startTls(ToyOrigins.file(1_000));
        ProxyServer proxy = ProxyServer.socks();
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(300_000);
      assertThat(upstream.get(named(secure, "b.test", "/")).bytes()).hasSize(1_000);

      assertThat(proxy.lines())
          .containsExactly(
              asked + " a.test:" + origin.port() + " login=",
              asked + " b.test:" + secure.port() + " login=");
    }
  }

  @ParameterizedTest
  @CsvSource({"socks4, SOCKS4", "socks5, SOCKS5"})
  void looksTheNameUp_whenTheProxyTakesAddresses(String scheme, String asked) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        ProxyServer proxy = ProxyServer.socks();
        StartedUpstream upstream = through(proxy.url(scheme, ""), "loopback")) {
      assertThat(upstream.get(named(origin, "localhost", "/")).bytes()).hasSize(1_000);

      assertThat(proxy.lines()).containsExactly(asked + " 127.0.0.1:" + origin.port() + " login=");
    }
  }

  @Test
  void logsInToSocks5() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        ProxyServer proxy = ProxyServer.socks("me:p:ss");
        StartedUpstream upstream = through(proxy.url("socks5h", "me:p%3Ass@"))) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(1_000);
      assertThat(proxy.lines()).singleElement().asString().endsWith("login=me");
    }
  }

  @Test
  void givesSocks4TheUser() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        ProxyServer proxy = ProxyServer.socks();
        StartedUpstream upstream = through(proxy.url("socks4a", "me@"))) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(1_000);
      assertThat(proxy.lines()).singleElement().asString().endsWith("login=me");
    }
  }

  // connections are what they are without a proxy

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void usesConnectionsAgain(String scheme) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        ProxyServer proxy = proxy(scheme);
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      for (int i = 0; i < 5; i++) {
        assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(1_000);
      }
      assertThat(origin.acceptedConnections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void usesAConnectionNoMore_whenItHoldsMoreThanWasPromised(String scheme) {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.surplus(10, 50));
        ProxyServer proxy = proxy(scheme);
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(10);
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(10);

      assertThat(origin.acceptedConnections()).isEqualTo(2);
    }
  }

  @Test
  void usesAConnectionNoMore_whenATunnelHoldsMoreThanWasPromised() {
    try (OriginServer origin = OriginServer.startTls(FaultyOrigins.surplus(10, 50));
        ProxyServer proxy = ProxyServer.http();
        StartedUpstream upstream = through(proxy.url())) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(10);
      assertThat(upstream.get(named(origin, "a.test", "/")).bytes()).hasSize(10);

      assertThat(origin.acceptedConnections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void refuses_whenEveryConnectionIsTaken(String scheme) {
    try (OriginServer origin = OriginServer.start(OriginExchange::hold);
        ProxyServer proxy = proxy(scheme);
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      upstream.get(named(origin, "a.test", "/"));
      upstream.get(named(origin, "a.test", "/"));
      Await.until("two requests", SOON, () -> origin.requests().size() == MAX_CONNECTIONS);

      assertThat(upstream.get(named(origin, "a.test", "/")).failure().reason())
          .isEqualTo("origin_busy");
      assertThat(proxy.requests()).hasSize(MAX_CONNECTIONS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void closesTheWholeWay_whenItIsAborted(String scheme) {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        ProxyServer proxy = proxy(scheme);
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      ReceivedAnswer answer = new ReceivedAnswer();
      Upstream.Exchange exchange = upstream.begin("GET", named(origin, "a.test", "/"), answer);
      answer.head();

      exchange.abort(new UpstreamException(Kind.CANCELLED));

      assertThat(answer.bodyFailure()).isNotNull();
      Await.until("a close", SOON, () -> origin.openConnections() == 0);
      Await.until("the proxy's closes", SOON, () -> proxy.openConnections() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void fails_whenTheBodyIsCutOnTheWay(String scheme) {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutAfter(1_000, 999));
        ProxyServer proxy = proxy(scheme);
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      assertThat(upstream.get(named(origin, "a.test", "/")).bodyFailure()).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks5h"})
  void givesEveryBufferBack_afterManyCuts(String scheme) {
    try (OriginServer origin = OriginServer.startTls(ForwardProxyIT::oftenCut);
        ProxyServer proxy = proxy(scheme);
        StartedUpstream upstream = through(proxy.url(scheme, ""))) {
      for (int i = 0; i < 100; i++) {
        upstream.get(named(origin, "a.test", "/" + i)).awaitEnd();
      }
      Await.until("every buffer", SOON, () -> upstream.buffersInUse() == 0);
    }
  }

  private static void oftenCut(OriginExchange exchange) throws IOException {
    boolean isCut = Math.floorMod(exchange.request().path().hashCode(), 5) == 0;
    (isCut ? FaultyOrigins.cutChunked(20_000, true) : ToyOrigins.file(100_000)).answer(exchange);
  }

  private static ProxyServer proxy(String scheme) {
    return scheme.equals("http") ? ProxyServer.http() : ProxyServer.socks();
  }

  // certificates

  @Test
  void checksCertificates_unlessTheRouteSaysOtherwise() {
    Route lax = new Route("all://127.0.0.1", false, Optional.empty(), false);
    RouteConfig routes = new RouteConfig(List.of(lax), Optional.empty(), false);
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(1_000));
        StartedUpstream upstream = new StartedUpstream(2, true, routes, "loopback")) {
      assertThat(upstream.get(origin.url("/")).bytes()).hasSize(1_000);
      assertKind(upstream.get(named(origin, "localhost", "/")), Kind.TLS_FAILED);
      assertThat(upstream.get(origin.url("/")).bytes()).hasSize(1_000);
    }
  }

  @Test
  void checksCertificatesBehindProxies() {
    try (OriginServer origin = OriginServer.startTls(ToyOrigins.file(10));
        ProxyServer http = ProxyServer.http();
        ProxyServer socks = ProxyServer.socks()) {
      for (String url : List.of(http.url(), socks.url("socks5h", ""))) {
        RouteConfig routes = new RouteConfig(List.of(), Optional.of(url), true);
        try (StartedUpstream upstream = new StartedUpstream(2, true, routes)) {
          assertKind(upstream.get(named(origin, "a.test", "/")), Kind.TLS_FAILED);
        }
      }
    }
  }

  private static void assertKind(ReceivedAnswer answer, Kind kind) {
    ExchangeException failure = answer.failure();
    assertThat(failure)
        .as(() -> failure + " " + failure.getCause())
        .isInstanceOfSatisfying(UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
