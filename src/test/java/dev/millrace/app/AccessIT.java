package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkRights;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.ProxyLink;
import dev.millrace.proxy.Endpoint;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in by the password (contract §4, §21 #1–#4 and #61, report A04). */
@Timeout(60)
class AccessIT {
  private static final String PASSWORD = "correct-horse";
  private static final String REFUSED = "Could not validate credentials";

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(10_240));

  private record Call(Endpoint endpoint, String method, String path) {
    boolean isProtected() {
      return endpoint.needsPassword() || endpoint.isForOperators();
    }
  }

  /** Every path of the table with every method that it has. */
  private static Stream<Call> calls() {
    return Arrays.stream(Endpoint.values())
        .flatMap(
            endpoint ->
                endpoint.paths().stream()
                    .map(path -> path.replace("*", "x"))
                    .flatMap(
                        path ->
                            endpoint.methods().stream()
                                .filter(method -> !method.equals("OPTIONS"))
                                .map(method -> new Call(endpoint, method, path))));
  }

  private static Stream<Call> protectedCalls() {
    return calls().filter(Call::isProtected);
  }

  private static Stream<Call> openCalls() {
    return calls().filter(call -> !call.isProtected());
  }

  private RawAnswer ask(Call call, String query, String... fields) throws IOException {
    String d = StreamLink.to(origin.url("/v.mp4")).toString();
    String target = call.path() + d.substring(d.indexOf('?')) + query;
    return PROXY.fetch(call.method(), target, fields);
  }

  private void assertRefused(RawAnswer answer, Call call) {
    assertThat(answer.status()).isEqualTo(403);
    if (!call.method().equals("HEAD")) {
      assertThat(ErrorBody.of(answer).detail()).isEqualTo(REFUSED);
    }
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("protectedCalls")
  void a04_opensNothingWithoutThePassword(Call call) throws IOException {
    assertRefused(ask(call, ""), call);
    assertRefused(ask(call, "&api_password="), call);
    assertRefused(ask(call, "&api_password=wrong"), call);
    assertRefused(ask(call, "&api_password"), call);
    assertRefused(ask(call, "", "api_password: wrong"), call);
    assertRefused(ask(call, "", "api_password:"), call);
    assertRefused(ask(call, "", "Authorization: Bearer " + PASSWORD), call);
    assertRefused(ask(call, "&API_PASSWORD=" + PASSWORD + "&password=" + PASSWORD), call);
  }

  @ParameterizedTest
  @MethodSource("protectedCalls")
  void opensEverythingWithThePassword(Call call) throws IOException {
    assertThat(ask(call, "&api_password=" + PASSWORD).status()).isNotIn(401, 403, 429);
    assertThat(ask(call, "", "API_Password: " + PASSWORD).status()).isNotIn(401, 403, 429);
  }

  @ParameterizedTest
  @MethodSource("openCalls")
  void asksForNothing_whereTheContractSaysOpen(Call call) throws IOException {
    assertThat(ask(call, "&api_password=wrong").status()).isNotIn(401, 403, 429);
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void case1_isHealthyForEverybody() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/health");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(ErrorBody.json(answer).path("status").asString()).isEqualTo("healthy");
  }

  @Test
  void case2_refusesWithoutPassword_andCallsNobody() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
    assertThat(answer.status()).isEqualTo(403);
    assertThat(ErrorBody.json(answer).path("detail").asString()).isEqualTo(REFUSED);
    assertThat(origin.acceptedConnections()).isZero();
  }

  @Test
  void case3_takesThePasswordFromTheHeader() throws IOException {
    RawAnswer answer =
        PROXY.get(origin.url("/v.mp4"), "api_password: " + PASSWORD, "Range: bytes=0-9");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10));
    assertThat(answer.field("Content-Range")).contains("bytes 0-9/10240");
    assertThat(answer.field("Accept-Ranges")).contains("bytes");
    assertThat(answer.field("Set-Cookie")).isEmpty();
    assertThat(origin.onlyRequest().fieldNames()).doesNotContain("api_password");
  }

  @Test
  void case4_namesWhatIsMissing_onceThePasswordIsRight() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/proxy/stream?api_password=" + PASSWORD);
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("\"loc\":[\"query\",\"d\"]").contains("\"missing\"");
    assertThat(PROXY.fetch("GET", "/proxy/stream").status()).isEqualTo(403);
  }

  private RawAnswer guess(String source, String password) throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("api_password", password);
    return PROXY.fetchFrom(source, "GET", link.toString());
  }

  private int statusOfRight(String source) {
    try {
      return guess(source, PASSWORD).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void looksAtNoPassword_onceTooManyOfAnAddressWereWrong() throws IOException {
    String here = "127.0.0.2";
    for (int i = 1; i <= 11; i++) {
      assertThat(guess(here, "wrong" + i).status()).isEqualTo(403);
    }
    RawAnswer answer = guess(here, PASSWORD);
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.field("Retry-After")).contains("1");
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("too_many_attempts");
    assertThat(ErrorBody.of(answer).detail()).contains("try again in 1 s");
    assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    assertThat(answer.field("X-Content-Type-Options")).contains("nosniff");
    assertThat(guess("127.0.0.3", PASSWORD).status()).isEqualTo(200);
    assertThat(PROXY.fetchFrom(here, "GET", "/health").status()).isEqualTo(200);
    assertThat(PROXY.fetchFrom(here, "GET", "/proxy/stream").status()).isEqualTo(403);
    Await.until("the wait is over", Duration.ofSeconds(10), () -> statusOfRight(here) == 200);
  }

  @Test
  void letsADeviceAskForEverWithAnOldPassword() throws IOException {
    for (int i = 0; i < 30; i++) {
      assertThat(guess("127.0.0.4", "old").status()).isEqualTo(403);
    }
    assertThat(guess("127.0.0.4", PASSWORD).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/index.html",
        "/docs",
        "/docs/oauth2-redirect",
        "/redoc",
        "/openapi.json",
        "/openapi.yaml",
        "/speedtest",
        "/speedtest/",
        "/speedtest/config",
        "/speedtest.html",
        "/speedtest.js",
        "/speedtest-x"
      })
  void case61_saysForbidden_whereAnOperatorHasSwitchedOff(String path) throws IOException {
    String token =
        new LinkTokens(
                PASSWORD,
                TestSettings.LINKS.secrets(),
                TestSettings.LINKS.format(),
                TestSettings.LINKS.acceptsCompatible())
            .seal(new ProxyLink(Map.of(), LinkRights.UNLIMITED));
    OperationConfig off = new OperationConfig(true, true, false, false, false);
    try (RunningMillrace bare =
        RunningMillrace.start(settings -> settings.password(PASSWORD).operation(off))) {
      assertForbidden(bare.fetch("GET", path));
      assertForbidden(bare.fetch("POST", path));
      assertForbidden(bare.fetch("GET", path + "?api_password=" + PASSWORD));
      assertForbidden(bare.fetch("GET", "/_token_" + token + path));
      assertForbidden(bare.fetch("GET", path + "?token=" + token));
      assertThat(bare.fetch("GET", "/_token_v2.bad" + path).status()).isEqualTo(401);
    }
  }

  private static void assertForbidden(RawAnswer answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text()).isEqualTo("Forbidden");
    assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    assertThat(answer.field("X-Content-Type-Options")).contains("nosniff");
  }
}
