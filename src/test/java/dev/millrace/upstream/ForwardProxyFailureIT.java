package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.ExchangeException.Hop;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProxyServer;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What trouble with a proxy becomes, and which targets are not asked of one at all. */
@Timeout(60)
class ForwardProxyFailureIT {
  private static StartedUpstream through(String proxyUrl, String... allowTargets) {
    RouteConfig routes = new RouteConfig(List.of(), Optional.of(proxyUrl), true);
    return new StartedUpstream(2, true, routes, allowTargets);
  }

  private static ExchangeException failure(String proxyUrl, String url, String... allowTargets) {
    try (StartedUpstream upstream = through(proxyUrl, allowTargets)) {
      ExchangeException failure = upstream.get(url).failure();
      assertThat(failure).hasMessageNotContainingAny("hunter2", "a.test", proxyUrl);
      return failure;
    }
  }

  private static void assertFailure(ExchangeException failure, int status, String reason) {
    assertThat(failure.status()).as(() -> failure + " " + failure.getCause()).isEqualTo(status);
    assertThat(failure.reason()).isEqualTo(reason);
    assertThat(failure.hop()).isEqualTo(Hop.OUTBOUND_PROXY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "https", "socks4a", "socks5", "socks5h"})
  void nobodyListens(String scheme) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    String proxy = scheme + "://me:hunter2@127.0.0.1:" + port;
    assertFailure(failure(proxy, "http://192.0.2.1/"), 502, "proxy_failed");
    assertFailure(failure(proxy, "https://192.0.2.1/"), 502, "proxy_failed");
  }

  @Test
  void nameOfTheProxyIsUnknown() {
    assertFailure(failure("http://no-such-proxy.invalid", "http://a.test/"), 502, "proxy_failed");
  }

  @ParameterizedTest
  @CsvSource({"http, https://a.test/", "socks4a, http://a.test/", "socks5h, http://a.test/"})
  void proxyIsSilent(String scheme, String url) {
    try (ProxyServer proxy = ProxyServer.silent()) {
      assertFailure(failure(proxy.url(scheme, ""), url), 504, "proxy_timeout");
    }
  }

  @Test
  void tlsOfTheProxyIsSilent() {
    try (ProxyServer proxy = ProxyServer.silent()) {
      assertFailure(failure(proxy.url("https", ""), "https://a.test/"), 504, "proxy_timeout");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a.test/", "https://a.test/"})
  void httpProxyWantsOtherCredentials(String url) {
    try (ProxyServer proxy = ProxyServer.http("me:right")) {
      ExchangeException failure = failure(proxy.url("http", "me:hunter2@"), url);

      assertFailure(failure, 502, "proxy_refused");
      assertThat(failure).hasMessageContaining("407");
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @Test
  void socksProxyWantsOtherCredentials() {
    try (ProxyServer proxy = ProxyServer.socks("me:right")) {
      assertFailure(
          failure(proxy.url("socks5h", "me:hunter2@"), "http://a.test/"), 502, "proxy_refused");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http, https://nx.example/",
    "socks4a, http://nx.example/",
    "socks5h, http://nx.example/"
  })
  void nameIsUnknownAtTheProxy(String scheme, String url) {
    try (ProxyServer proxy = scheme.equals("http") ? ProxyServer.http() : ProxyServer.socks()) {
      assertFailure(failure(proxy.url(scheme, ""), url), 502, "proxy_refused");
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http, https://a.test/, ''",
    "socks4a, http://a.test/, ''",
    "socks5h, http://a.test/, ''",
    "socks5h, https://a.test/, '\u0005\u0000'"
  })
  void proxyClosesWithoutAWord(String scheme, String url, String said) {
    try (ProxyServer proxy = ProxyServer.saying(said)) {
      ExchangeException failure = failure(proxy.url(scheme, ""), url);

      assertFailure(failure, 502, "proxy_refused");
      assertThat(failure).hasMessageContaining("proxy refused or name unknown at proxy");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http, https://a.test/, 'SSH-2.0 x\r\n\r\n'",
    "socks4a, http://a.test/, HTTP/1.1 400",
    "socks5h, http://a.test/, HTTP/1.1 400"
  })
  void proxySpeaksAnotherProtocol(String scheme, String url, String said) {
    try (ProxyServer proxy = ProxyServer.saying(said)) {
      assertFailure(failure(proxy.url(scheme, ""), url), 502, "proxy_refused");
    }
  }

  @ParameterizedTest
  @CsvSource({"http, https://nx.example/", "socks5h, http://nx.example/"})
  void asksAProxyOnce_howeverManyAddressesItHas(String scheme, String url) {
    try (ProxyServer proxy = scheme.equals("http") ? ProxyServer.http() : ProxyServer.socks();
        StartedUpstream upstream =
            new StartedUpstream(
                2,
                true,
                new RouteConfig(List.of(), Optional.of(proxy.url(scheme, "")), true),
                ForwardProxyFailureIT::twice)) {
      assertFailure(upstream.get(url).failure(), 502, "proxy_refused");
      assertThat(proxy.requests()).hasSize(1);
    }
  }

  private static SocketAddressResolver twice(SocketAddressResolver resolver) {
    return (host, port, context, promise) ->
        resolver.resolve(
            host,
            port,
            context,
            Promise.from(
                found -> promise.succeeded(List.of(found.get(0), found.get(0))), promise::failed));
  }

  // targets that are not asked for

  @ParameterizedTest
  @CsvSource({
    "http, http://127.0.0.1/",
    "http, https://10.0.0.1/",
    "http, http://localhost/",
    "http, http://LOCALHOST./",
    "http, https://a.localhost/",
    "http, http://localhost.localdomain/",
    "http, http://[::1]/",
    "http, http://[::ffff:10.0.0.1]/",
    "http, http://169.254.169.254/latest",
    "socks4a, http://localhost/",
    "socks5h, http://ip6-localhost/",
    "socks5h, https://192.168.0.1/",
    "socks4, http://localhost/",
    "socks5, http://localhost/",
    "socks5, http://[fd00::1]/"
  })
  void refusesInternalTargets(String scheme, String url) {
    try (ProxyServer proxy = scheme.equals("http") ? ProxyServer.http() : ProxyServer.socks()) {
      ExchangeException failure = failure(proxy.url(scheme, ""), url);

      assertThat(failure).isInstanceOf(TargetRefusedException.class);
      assertThat(proxy.openConnections()).isZero();
    }
  }

  @Test
  void asksForInternalTargetsThatAreAllowed() {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(1_000));
        ProxyServer proxy = ProxyServer.socks();
        StartedUpstream upstream =
            through(proxy.url("socks5h", ""), "127.0.0.1:" + origin.port())) {
      assertThat(upstream.get(origin.url("/")).bytes()).hasSize(1_000);
    }
  }

  @Test
  void failsAtOnce_whenANameIsUnknownHereAndTheProxyTakesAddresses() {
    try (ProxyServer proxy = ProxyServer.socks()) {
      ExchangeException failure = failure(proxy.url("socks5", ""), "http://only-there.invalid/");

      assertThat(failure.reason()).isEqualTo("dns_failed");
      assertThat(proxy.requests()).isEmpty();
    }
  }

  @Test
  void sendsNoIpv6AddressToSocks4() {
    try (ProxyServer proxy = ProxyServer.socks()) {
      assertFailure(
          failure(proxy.url("socks4", ""), "http://[2001:db8::1]/"), 502, "proxy_refused");
      assertThat(proxy.requests()).isEmpty();
    }
  }
}
