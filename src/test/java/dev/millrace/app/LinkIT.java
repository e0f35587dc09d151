package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.Endpoint;
import dev.millrace.testing.Await;
import dev.millrace.testing.CapturedLog;
import dev.millrace.testing.CompatibleToken;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that come by a link (contract §5, §19 F1–F6, F38, §21 #24–#27). */
@Timeout(120)
class LinkIT {
  private static final String PASSWORD = "correct-horse";
  private static final String SECRET = TestSettings.LINKS.secrets().get(0);
  private static final String OTHER_SECRET = "another secret of a server";
  private static final String REFUSED = "{\"error\":\"Invalid or expired token\"}";

  /** The test vector of §5.1. */
  private static final String VECTOR =
      "AAECAwQFBgcICQoLDA0OD-35Yu1UK40Gv4FS4xN9SipUUZBxmRs2M6WG9GU62MhM5uLbUSpQNExHo1L9WM4V8ElDks"
          + "WVYSeMfW2c06FXdU2L10-PJVqtOQ3E-ZKw9yNB6vmYCS9EUNe2aAt7iyAC4IRQbD32iVogdvRmiSzJllc8wxZyYgFd"
          + "t0DGfJCZ5RDFskdCXRc2hGLL4mtwydGeEg";

  private static final AtomicInteger STRANGERS = new AtomicInteger();

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));

  private static LinkTokens tokens(LinkFormat format, String secret) {
    return new LinkTokens(PASSWORD, List.of(secret), format, true);
  }

  private String token(LinkFormat format, LinkRights rights) {
    return tokens(format, SECRET).seal(new ProxyLink(film(), rights));
  }

  private Map<String, String> film() {
    Map<String, String> film = new LinkedHashMap<>();
    film.put("api_password", PASSWORD); // first, as older proxies write it
    film.put("d", origin.url("/v.mp4?key=hush"));
    film.put("h_referer", "https://site.example/hush");
    return film;
  }

  private static LinkRights until(Instant expiry) {
    return new LinkRights(Optional.of(expiry), Optional.empty(), Optional.of("stream"));
  }

  private static LinkRights boundTo(String address) {
    return new LinkRights(Optional.empty(), Optional.of(address), Optional.of("stream"));
  }

  /** An address of this machine that nobody has come from yet. */
  private static String stranger() {
    int number = STRANGERS.incrementAndGet();
    return "127.1." + (number >> 8) + "." + (number & 0xFF);
  }

  private static RawAnswer stream(String token) throws IOException {
    return PROXY.fetchFrom(stranger(), "GET", "/_token_" + token + "/proxy/stream");
  }

  private static int statusOf(String token) {
    try {
      return stream(token).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertRefused(RawAnswer answer) {
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.text()).isEqualTo(REFUSED);
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void servesWhatTheLinkAsksFor_fromPathAndQuery(LinkFormat format) throws IOException {
    String token = token(format, LinkRights.UNLIMITED);
    for (String target :
        List.of(
            "/_token_" + token + "/proxy/stream",
            "/_token_" + token + "/proxy/stream/",
            "/_token_" + token + "/proxy/stream/My%20Movie.mkv?_HLS_msn=1",
            "/proxy/stream?token=" + token,
            "/proxy/stream?d=http://10.0.0.1/&token=" + token,
            "/_token_" + token + "/proxy/stream?token=bad",
            "/_token_" + token + "/proxy/stream?d=http://10.0.0.1/&h_referer=no&api_password=no")) {
      RawAnswer answer = PROXY.fetch("GET", target, "Range: bytes=0-9");
      assertThat(answer.status()).as(target).isEqualTo(206);
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10));
    }
    assertThat(origin.requests())
        .hasSize(7)
        .allSatisfy(
            request -> {
              assertThat(request.target()).isEqualTo("/v.mp4?key=hush");
              assertThat(request.field("Referer")).contains("https://site.example/hush");
              assertThat(request.toString()).doesNotContain(PASSWORD);
            });
  }

  @Test
  void case24_servesALinkThatAClientMade_ofFlatJsonWithItsAddress() throws IOException {
    String json =
        "{\"api_password\": \"%s\", \"d\": \"%s\", \"h_referer\": \"https://site.example/\","
            + " \"exp\": 4102444800, \"ip\": \"127.9.9.9\"}";
    String token = CompatibleToken.seal(PASSWORD, json.formatted(PASSWORD, origin.url("/v.mp4")));
    for (String target :
        List.of("/_token_" + token + "/proxy/stream", "/proxy/stream?token=" + token)) {
      assertThat(PROXY.fetchFrom("127.9.9.9", "GET", target).status()).isEqualTo(200);
      assertRefused(PROXY.fetchFrom("127.9.9.8", "GET", target));
    }
    assertThat(origin.requests()).hasSize(2);
    assertThat(origin.requests().get(0).field("Referer")).contains("https://site.example/");
  }

  @Test
  void case24_believesTheAddressThatAFrontEndNames_ifItIsTrusted() throws IOException {
    String vector =
        "/_token_" + token(LinkFormat.COMPATIBLE, boundTo("203.0.113.7")) + "/proxy/stream";
    String bound = "X-Forwarded-For: 203.0.113.7";
    assertThat(PROXY.fetch("GET", vector, bound).status()).isEqualTo(200);
    assertThat(PROXY.fetch("GET", vector, "X-Forwarded-For: 1.2.3.4, 203.0.113.7").status())
        .isEqualTo(200);
    assertRefused(PROXY.fetch("GET", vector, "X-Forwarded-For: 203.0.113.7, 1.2.3.4"));
    assertRefused(PROXY.fetchFrom("127.0.0.9", "GET", vector, bound));
  }

  @Test
  void case24_opensThePublishedVector_forItsAddress() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start(settings -> settings.password("secret"))) {
      RawAnswer answer =
          proxy.fetch(
              "GET", "/_token_" + VECTOR + "/proxy/transcode/x", "X-Forwarded-For: 203.0.113.7");
      assertThat(answer.status()).isEqualTo(501); // let in, to what is not built
    }
  }

  @Test
  void case25_refusesThePublishedVector_fromAnyOtherAddress() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start(settings -> settings.password("secret"))) {
      assertRefused(proxy.fetch("GET", "/_token_" + VECTOR + "/proxy/stream"));
      assertRefused(proxy.fetch("GET", "/proxy/stream?token=" + VECTOR));
    }
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void case26_refusesAlike_whateverIsWrong(LinkFormat format) throws IOException {
    Instant longAgo = Instant.now().minusSeconds(60);
    String other =
        new LinkTokens("wrong", List.of(SECRET), format, true)
            .seal(new ProxyLink(film(), LinkRights.UNLIMITED));
    String good = token(format, LinkRights.UNLIMITED);
    for (String token :
        List.of(
            token(format, until(longAgo)),
            token(format, boundTo("203.0.113.7")),
            other,
            good.substring(0, good.length() - 4),
            good + good,
            "",
            "v2.",
            "x".repeat(16_384),
            "A".repeat(20_000))) {
      assertRefused(stream(token));
      if (!token.isEmpty()) {
        assertRefused(PROXY.fetchFrom(stranger(), "GET", "/proxy/stream?token=" + token));
      }
    }
    assertThat(origin.acceptedConnections()).isZero();
  }

  @Test
  void refusesWhatAnOldSecretHasSealed_onceItIsGone() throws IOException {
    String old =
        tokens(LinkFormat.V2, OTHER_SECRET).seal(new ProxyLink(film(), LinkRights.UNLIMITED));
    assertRefused(stream(old));
    LinkConfig both =
        new LinkConfig(
            List.of(SECRET, OTHER_SECRET), Optional.empty(), false, LinkFormat.V2, false);
    try (RunningMillrace rotating =
        RunningMillrace.start(settings -> settings.password(PASSWORD).link(both))) {
      assertThat(rotating.fetch("GET", "/_token_" + old + "/proxy/stream").status()).isEqualTo(200);
      String compatible = token(LinkFormat.COMPATIBLE, LinkRights.UNLIMITED);
      assertRefused(rotating.fetch("GET", "/_token_" + compatible + "/proxy/stream"));
    }
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void refusesOnceItHasExpired(LinkFormat format) throws IOException {
    Instant expiry = Instant.now().plusSeconds(2);
    String token = token(format, until(expiry));
    assertThat(stream(token).status()).isEqualTo(200);
    Await.until("it expires", Duration.ofSeconds(10), () -> statusOf(token) == 401);
    assertThat(Instant.now()).isAfter(expiry);
    assertRefused(stream(token));
  }

  @Test
  void refusesAnotherAddress() throws IOException {
    String target = "/_token_" + token(LinkFormat.V2, boundTo("127.8.8.8")) + "/proxy/stream";
    assertThat(PROXY.fetchFrom("127.8.8.8", "GET", target).status()).isEqualTo(200);
    assertRefused(PROXY.fetchFrom("127.8.8.7", "GET", target));
  }

  @ParameterizedTest
  @EnumSource(Endpoint.class)
  void refusesAnotherRoute(Endpoint endpoint) throws IOException {
    String token =
        token(
            LinkFormat.V2,
            new LinkRights(Optional.empty(), Optional.empty(), Optional.of("stream")));
    for (String path : endpoint.paths()) {
      String method = endpoint.methods().contains("GET") ? "GET" : "POST";
      String target = "/_token_" + token + path.replace("*", "x") + "?api_password=" + PASSWORD;
      RawAnswer answer = PROXY.fetch(method, target, "api_password: " + PASSWORD);
      if (endpoint.isForOperators()) {
        assertThat(answer.status()).isEqualTo(403);
      } else if (endpoint.needsPassword() && endpoint != Endpoint.STREAM) {
        assertRefused(answer);
      } else {
        assertThat(answer.status()).isNotIn(401, 403, 429);
      }
    }
  }

  @Test
  void knowsNoOtherPathUnderALink_andTellsNobodyWithoutOne() throws IOException {
    String token = token(LinkFormat.V2, LinkRights.UNLIMITED);
    for (String path : List.of("/nope", "/a/b/c", "/_token_" + token + "/proxy/stream", "//")) {
      assertThat(PROXY.fetch("GET", "/_token_" + token + path).status()).isEqualTo(404);
      assertRefused(PROXY.fetch("GET", "/_token_v2.bad" + path));
    }
    assertThat(PROXY.fetch("GET", "/%5Ftoken_" + token + "/proxy/stream").status()).isEqualTo(404);
    assertThat(PROXY.fetch("GET", "/x/_token_" + token + "/proxy/stream").status()).isEqualTo(404);
  }

  @Test
  void understandsNoLink_withoutPassword() throws IOException {
    String token = token(LinkFormat.V2, LinkRights.UNLIMITED);
    try (RunningMillrace open = RunningMillrace.start()) {
      RawAnswer answer = open.fetch("GET", "/_token_" + token + "/proxy/stream");
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.text()).isEqualTo("{\"detail\":\"Not Found\"}");
      String plain = "/proxy/stream?token=" + token + "&d=" + origin.url("/w.mp4");
      assertThat(open.fetch("GET", plain).status()).isEqualTo(200);
      assertThat(origin.onlyRequest().target()).isEqualTo("/w.mp4");
    }
  }

  @Test
  void refusesEveryTruncation_andEveryFlippedBit() throws IOException {
    String token = token(LinkFormat.V2, LinkRights.UNLIMITED);
    byte[] sealed = Base64.getUrlDecoder().decode(token.substring(3));
    try (CapturedLog log = CapturedLog.start();
        RawHttp client = RawHttp.connectFrom(stranger(), PROXY.port())) {
      for (int length = 0; length < token.length(); length++) {
        assertRefused(ask(client, token.substring(0, length)));
      }
      for (int bit = 0; bit < sealed.length * 8; bit++) {
        assertRefused(ask(client, "v2." + flipped(sealed, bit)));
      }
      assertThat(log.text()).doesNotContain("hush", token.substring(0, 99));
    }
    assertThat(origin.acceptedConnections()).isZero();
  }

  @Test
  void opensNothingByATruncationOrAFlippedBit_whereNothingAuthenticates() throws IOException {
    String token = token(LinkFormat.COMPATIBLE, LinkRights.UNLIMITED);
    byte[] sealed = Base64.getUrlDecoder().decode(token);
    try (CapturedLog log = CapturedLog.start()) {
      for (int length = 0; length < token.length(); length++) {
        assertRefused(stream(token.substring(0, length)));
      }
      for (int bit = 0; bit < sealed.length * 8; bit++) {
        RawAnswer answer = stream(flipped(sealed, bit));
        assertThat(answer.status()).as("bit " + bit).isIn(401, 403);
        assertTellsNothing(answer);
      }
      assertThat(log.text()).doesNotContain("hush", PASSWORD, token.substring(0, 99));
    }
    assertThat(origin.acceptedConnections()).isZero();
  }

  private static RawAnswer ask(RawHttp client, String token) throws IOException {
    client.request("GET", "/_token_" + token + "/proxy/stream");
    return client.answer("GET");
  }

  private static String flipped(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << bit % 8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(flipped);
  }

  private static void assertTellsNothing(RawAnswer answer) {
    assertThat(answer.head() + answer.text()).doesNotContain("hush", PASSWORD, SECRET);
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void case27_tellsNothingOfWhatIsInALink(LinkFormat format) throws IOException {
    Map<String, String> secrets = new LinkedHashMap<>();
    secrets.put("api_password", PASSWORD);
    for (String name :
        List.of(
            "d",
            "live",
            "transcode",
            "start",
            "transformer",
            "h_a b",
            "r_\n",
            "x_headers",
            "fallback",
            "upstream")) {
      secrets.put(name, "http://hush.invalid/hush?hush=" + name);
    }
    String good = tokens(format, SECRET).seal(new ProxyLink(secrets, LinkRights.UNLIMITED));
    try (CapturedLog log = CapturedLog.start()) {
      for (String token : List.of(good, good.substring(4), good.substring(0, good.length() - 9))) {
        for (Endpoint endpoint : Endpoint.values()) {
          for (String path : endpoint.paths()) {
            assertTellsNothing(token, path.replace("*", "hls/x.m3u8"));
          }
        }
        for (String path :
            List.of("", "/", "/nope", "/hls/x/1.m3u8?upstream=aHR0cDovL2E", "/..", "//x", "/;a")) {
          assertTellsNothing(token, path);
        }
      }
      assertThat(log.text()).doesNotContain("hush", PASSWORD, SECRET, good);
      assertThat(log.lines()).noneMatch(line -> line.contains("failed unexpectedly"));
    }
  }

  private static void assertTellsNothing(String token, String path) throws IOException {
    for (String method : List.of("GET", "HEAD", "POST", "OPTIONS", "DELETE")) {
      RawAnswer answer = PROXY.fetchFrom(stranger(), method, "/_token_" + token + path);
      assertTellsNothing(answer);
      assertThat(answer.head() + answer.text()).doesNotContain(token);
    }
  }

  @Test
  void f1_tellsNothingOfADestination_thatCannotBeReached() throws IOException {
    for (Map<String, String> film :
        List.of(
            Map.of("d", "http://hush.invalid/hushed", "live", "hush"),
            Map.of("d", "http://hush.invalid/hushed"),
            Map.of("d", "hush://hush"),
            Map.of("d", "http://127.0.0.1:1/hushed"),
            Map.of("d", "http://10.0.0.1/hushed"),
            Map.of("d", origin.url("/hushed"), "transformer", "hush"),
            Map.of("d", origin.url("/hushed"), "h_a b", "hush"),
            Map.of("d", origin.url("/hushed"), "r_a", "hush\r\n"))) {
      String token = tokens(LinkFormat.V2, SECRET).seal(new ProxyLink(film, LinkRights.UNLIMITED));
      try (CapturedLog log = CapturedLog.start()) {
        RawAnswer answer = PROXY.fetch("GET", "/_token_" + token + "/proxy/stream");
        assertTellsNothing(answer);
        assertThat(log.text()).doesNotContain("hushed", token);
      }
    }
  }

  @Test
  void tellsTheLogWhy_andNobodyElse() throws IOException {
    try (CapturedLog log = CapturedLog.start()) {
      RawAnswer answer = stream(token(LinkFormat.V2, until(Instant.now().minusSeconds(9))));
      assertRefused(answer);
      String id = answer.field("X-Request-Id").orElseThrow();
      Await.until("it is logged", Duration.ofSeconds(5), () -> log.text().contains("outcome="));
      assertThat(log.lines())
          .anyMatch(line -> line.endsWith("Request " + id + ": its link was refused: expired"));
      assertThat(log.lines()).anyMatch(line -> line.contains("outcome=link_refused"));
    }
  }
}
