package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProxyServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import dev.millrace.upstream.RouteConfig;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nobody gets at what stands behind the proxy, with the password or a link of either format
 * (contract §19 F8, report A01). {@code INTERNAL} in a destination is the port of what must not
 * hear of it. Further: {@link HardeningIT} (forms of addresses), {@link RedirectIT} (hops), {@link
 * RebindingIT} (names that change their minds).
 */
@Timeout(60)
class SsrfIT {
  private static final String PASSWORD = "correct-horse";

  /** Spellings of this machine and of networks round it; refused by what they lead to. */
  private static final List<String> INTERNAL =
      List.of(
          "http://127.0.0.1:INTERNAL/",
          "http://localhost:INTERNAL/",
          "http://LocalHost:INTERNAL/",
          "http://[::1]:INTERNAL/",
          "http://[0:0:0:0:0:0:0:1]:INTERNAL/",
          "http://[::ffff:127.0.0.1]:INTERNAL/",
          "http://[::FFFF:7F00:0001]:INTERNAL/",
          "http://[::127.0.0.1]:INTERNAL/",
          "http://[::ffff:0:127.0.0.1]:INTERNAL/",
          "http://[64:ff9b::127.0.0.1]:INTERNAL/",
          "http://[2002:7f00:1::]:INTERNAL/",
          "http://0.0.0.0:INTERNAL/",
          "http://127.255.255.254:INTERNAL/",
          "http://169.254.169.254/latest/meta-data/",
          "http://[::ffff:169.254.169.254]/latest/meta-data/",
          "http://[fd00:ec2::254]/latest/meta-data/",
          "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:INTERNAL/",
          "http://127\u30020\u30020\u30021:INTERNAL/",
          "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3:INTERNAL/",
          "http://public.example@127.0.0.1:INTERNAL/",
          "http://public.example:80@127.0.0.1:INTERNAL/",
          "http://public.example\\@127.0.0.1:INTERNAL/",
          "http://a@public.example@127.0.0.1:INTERNAL/",
          "http://127.0.0.1:INTERNAL#@public.example/",
          "http://127.0.0.1:INTERNAL?@public.example/",
          "HTTP://127.0.0.1:INTERNAL/",
          "http:\"//127.0.0.1:INTERNAL/",
          "https%22//127.0.0.1:INTERNAL/");

  /** Spellings that some would read as an internal address: nobody gets to. */
  private static final List<String> UNREADABLE =
      List.of(
          "http://2130706433:INTERNAL/",
          "http://0x7f000001:INTERNAL/",
          "http://017700000001:INTERNAL/",
          "http://0177.0.0.01:INTERNAL/",
          "http://127.1:INTERNAL/",
          "http://127.0.1:INTERNAL/",
          "http://0x7f.0.0.0x1:INTERNAL/",
          "http://0:INTERNAL/",
          "http://[::1%25lo]:INTERNAL/",
          "http://[::1%lo]:INTERNAL/",
          "http://[fe80::1%1]:INTERNAL/",
          "http://127.0.0.1%00.public.example:INTERNAL/",
          "http://%31%32%37.0.0.1:INTERNAL/",
          "http://127.0.0.1.:INTERNAL/",
          "http://127.0.0.1\t:INTERNAL/",
          "http:127.0.0.1:INTERNAL/",
          "http:/127.0.0.1:INTERNAL/",
          "///127.0.0.1:INTERNAL/",
          "file:///etc/passwd",
          "gopher://127.0.0.1:INTERNAL/_x",
          "ftp://127.0.0.1:INTERNAL/",
          "jar:http://127.0.0.1:INTERNAL/!/",
          "unix:/run/docker.sock");

  @AutoClose private final OriginServer internal = OriginServer.start(ToyOrigins.file(100));

  private static Stream<String> internal() {
    return INTERNAL.stream();
  }

  private static Stream<String> unreadable() {
    return UNREADABLE.stream();
  }

  @AfterEach
  void nobodyCame() {
    assertThat(internal.acceptedConnections()).isZero();
  }

  private String here(String destination) {
    return destination.replace("INTERNAL", String.valueOf(internal.port()));
  }

  /** The same request with the password and as links of both formats. */
  private static List<String> requests(Map<String, String> parameters) {
    StreamLink plain = StreamLink.to(parameters.getOrDefault("d", ""));
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      if (!parameter.getKey().equals("d")) {
        plain = plain.with(parameter.getKey(), parameter.getValue());
      }
    }
    return List.of(
        plain.with("api_password", PASSWORD).toString(),
        "/_token_" + token(LinkFormat.V2, parameters) + "/proxy/stream",
        "/_token_" + token(LinkFormat.COMPATIBLE, parameters) + "/proxy/stream/film.mp4",
        "/proxy/stream?token=" + token(LinkFormat.V2, parameters));
  }

  private static String token(LinkFormat format, Map<String, String> parameters) {
    return new LinkTokens(PASSWORD, TestSettings.LINKS.secrets(), format, true)
        .seal(new ProxyLink(parameters, LinkRights.UNLIMITED));
  }

  private static RunningMillrace closed() {
    return RunningMillrace.start(settings -> settings.password(PASSWORD).allowTargets());
  }

  private static void assertRefused(RunningMillrace proxy, Map<String, String> parameters)
      throws IOException {
    for (String request : requests(parameters)) {
      RawAnswer answer = proxy.fetch("GET", request);
      assertThat(answer.status()).as(parameters.toString()).isEqualTo(403);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("target_refused");
    }
  }

  @Test
  void refusesEverySpellingOfAnInternalAddress() throws IOException {
    try (RunningMillrace proxy = closed()) {
      for (String spelling : INTERNAL) {
        assertRefused(proxy, Map.of("d", here(spelling)));
      }
    }
  }

  @Test
  void refusesThem_hiddenInBase64() throws IOException {
    try (RunningMillrace proxy = closed()) {
      for (String spelling : INTERNAL) {
        byte[] bytes = here(spelling).getBytes(UTF_8);
        assertRefused(proxy, Map.of("d", Base64.getEncoder().encodeToString(bytes)));
        assertRefused(
            proxy, Map.of("d", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
      }
    }
  }

  @Test
  void reachesNobody_byANameThatSomeResolversKnow() throws IOException {
    try (RunningMillrace proxy = closed()) {
      for (String name :
          List.of("localhost.", "a.localhost", "localhost.localdomain", "ip6-localhost")) {
        for (String request : requests(Map.of("d", here("http://" + name + ":INTERNAL/")))) {
          assertThat(proxy.fetch("GET", request).status()).isIn(403, 502);
        }
      }
    }
  }

  @Test
  void understandsNoOtherSpelling() throws IOException {
    try (RunningMillrace proxy = closed()) {
      for (String spelling : UNREADABLE) {
        for (String request : requests(Map.of("d", here(spelling)))) {
          assertThat(proxy.fetch("GET", request).status()).as(spelling).isEqualTo(400);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void refusesFallbacks(String method) throws IOException {
    try (OriginServer broken = OriginServer.start(ToyOrigins.status(404));
        RunningMillrace proxy = onlyTo(broken)) {
      Map<String, String> film = new LinkedHashMap<>();
      film.put("d", broken.url("/v.mp4"));
      film.put("fallback", here("http://127.0.0.1:INTERNAL/"));
      for (String request : requests(film)) {
        assertThat(proxy.fetch(method, request).status()).isIn(403, 404);
      }
      assertThat(broken.requests()).isNotEmpty();
    }
  }

  private static RunningMillrace onlyTo(OriginServer allowed) {
    String target = "127.0.0.1:" + allowed.port();
    return RunningMillrace.start(settings -> settings.password(PASSWORD).allowTargets(target));
  }

  @ParameterizedTest
  @MethodSource("internal")
  void refusesRedirects_fromWhereItMayGo(String spelling) throws IOException {
    String location = here(spelling).replaceAll("[^\\x21-\\x7e]", "");
    try (OriginServer allowed = OriginServer.start(ToyOrigins.redirect(location));
        RunningMillrace proxy = onlyTo(allowed)) {
      for (String request : requests(Map.of("d", allowed.url("/v.mp4")))) {
        assertThat(proxy.fetch("GET", request).status()).isIn(400, 403, 502);
      }
      assertThat(allowed.requests()).hasSizeBetween(4, 48);
    }
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void followsNoRedirect_thatItCannotRead(String spelling) throws IOException {
    String location = here(spelling).replaceAll("[^\\x21-\\x7e]", "");
    try (OriginServer allowed = OriginServer.start(ToyOrigins.redirect(location));
        RunningMillrace proxy = onlyTo(allowed)) {
      RawAnswer answer = proxy.fetch("GET", requests(Map.of("d", allowed.url("/v.mp4"))).get(1));
      assertThat(answer.status()).isIn(400, 403, 502);
      assertThat(answer.field("Location")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "socks4a", "socks5", "socks5h"})
  void asksNoForwardProxyForThem(String scheme) throws IOException {
    try (ProxyServer forward = scheme.equals("http") ? ProxyServer.http() : ProxyServer.socks();
        RunningMillrace proxy =
            RunningMillrace.start(
                settings ->
                    settings
                        .password(PASSWORD)
                        .allowTargets()
                        .routes(
                            new RouteConfig(
                                List.of(), Optional.of(forward.url(scheme, "")), true)))) {
      for (String spelling : INTERNAL) {
        assertRefused(proxy, Map.of("d", here(spelling)));
      }
      assertThat(forward.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "router",
        "router.",
        "nas.local",
        "NAS.LAN",
        "x.y.internal",
        "metadata.google.internal",
        "a.home.arpa",
        "b.corp"
      })
  void asksNoForwardProxyForNamesOfItsNetwork(String name) throws IOException {
    try (ProxyServer forward = ProxyServer.http();
        RunningMillrace proxy =
            RunningMillrace.start(
                settings ->
                    settings
                        .password(PASSWORD)
                        .allowTargets()
                        .routes(
                            new RouteConfig(
                                List.of(), Optional.of(forward.url("http", "")), true)))) {
      assertRefused(proxy, Map.of("d", "http://" + name + "/v.mp4"));
      assertThat(forward.requests()).isEmpty();
    }
  }

  @Test
  void sendsNoCredentialsOfAnAddress_anywhereElse() throws IOException {
    try (OriginServer other = OriginServer.start(ToyOrigins.file(10));
        OriginServer first = OriginServer.start(ToyOrigins.redirect(other.url("/v.mp4")));
        RunningMillrace proxy = RunningMillrace.start(settings -> settings.password(PASSWORD))) {
      String d = first.url("/v.mp4").replace("http://", "http://user:hush@");
      for (String request : requests(Map.of("d", d))) {
        RawAnswer answer = proxy.fetch("GET", request);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.head().toString()).doesNotContain("hush");
      }
      assertThat(first.requests())
          .allSatisfy(r -> assertThat(r.field("Authorization")).isPresent());
      assertThat(other.requests()).hasSize(4);
      assertThat(other.requests()).allSatisfy(r -> assertThat(r.field("Authorization")).isEmpty());
    }
  }
}
