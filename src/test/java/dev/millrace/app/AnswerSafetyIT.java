package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proxy.Endpoint;
import dev.millrace.servlet.OperationConfig;
import dev.millrace.testing.ContractOrigin;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every kind of answer says to browsers: that a page of another origin may read it (contract
 * §16), that it is no page itself (F12), and that nobody is told where it was found (F9).
 */
@Timeout(120)
class AnswerSafetyIT {
  private static final String PASSWORD = "api_password: pw";
  private static final String TOKEN = "/_token_AAECAw";

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(
          settings ->
              settings
                  .password("pw")
                  .operation(new OperationConfig(true, true, true, false, false)));

  @AutoClose private static final OriginServer ORIGIN = OriginServer.start(new ContractOrigin());

  @AutoClose private static final OriginServer LIAR = OriginServer.start(AnswerSafetyIT::notGzip);

  @AutoClose
  private static final OriginServer CUT = OriginServer.start(FaultyOrigins.cutChunked(500, false));

  private record Kind(int status, String method, String target, List<String> fields) {
    Kind(int status, String method, String target, String... fields) {
      this(status, method, target, List.of(fields));
    }

    RawAnswer fetch(String... more) throws IOException {
      return PROXY.fetch(
          method,
          target,
          Stream.concat(Arrays.stream(more), fields.stream()).toArray(String[]::new));
    }

    @Override
    public String toString() {
      return status + " " + method + " " + target;
    }
  }

  private static Kind stream(int status, String method, String path, String... fields) {
    String[] all = Stream.concat(Stream.of(PASSWORD), Arrays.stream(fields)).toArray(String[]::new);
    return new Kind(status, method, StreamLink.to(ORIGIN.url(path)).toString(), all);
  }

  static List<Kind> everyKind() {
    return List.of(
        new Kind(200, "GET", "/"),
        new Kind(200, "HEAD", "/"),
        new Kind(204, "GET", "/favicon.ico"),
        new Kind(200, "GET", "/health"),
        new Kind(200, "GET", "/health/ready"),
        new Kind(403, "GET", "/docs"),
        new Kind(403, "GET", "/openapi.json"),
        new Kind(403, "GET", "/speedtest"),
        new Kind(403, "GET", "/speedtest/config"),
        new Kind(403, "GET", "/speedtest-unknown"),
        new Kind(501, "GET", "/proxy/epg", PASSWORD),
        new Kind(404, "GET", "/nope"),
        new Kind(404, "GET", "/.abort"),
        new Kind(405, "POST", "/proxy/stream", "Content-Length: 0"),
        new Kind(204, "OPTIONS", "/proxy/stream"),
        new Kind(403, "GET", "/proxy/stream"),
        new Kind(403, "HEAD", "/proxy/stream"),
        new Kind(401, "GET", TOKEN + "/proxy/stream"),
        new Kind(401, "GET", TOKEN + "/"),
        new Kind(401, "GET", "/proxy/stream?token=AAECAw"),
        new Kind(422, "GET", "/proxy/stream", PASSWORD),
        new Kind(400, "GET", "/proxy/stream?d=notaurl", PASSWORD),
        new Kind(403, "GET", "/proxy/stream?d=http://10.0.0.1/", PASSWORD),
        new Kind(502, "GET", StreamLink.to(LIAR.url("/v.mp4")).toString(), PASSWORD),
        new Kind(200, "GET", StreamLink.to(CUT.url("/v.ts")).toString(), PASSWORD),
        stream(200, "GET", "/v.mp4"),
        stream(200, "HEAD", "/v.mp4"),
        stream(206, "GET", "/v.mp4", "Range: bytes=0-9"),
        stream(416, "GET", "/v.mp4", "Range: bytes=99999-"),
        stream(200, "GET", "/gz"),
        stream(404, "GET", "/st/404"),
        stream(404, "HEAD", "/st/404"),
        stream(429, "GET", "/st/429"),
        stream(502, "GET", "/st/401"));
  }

  private static void notGzip(OriginExchange exchange) throws IOException {
    exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: 8\r\n\r\nnot gzip");
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void isSafeInABrowser(Kind kind) throws IOException {
    RawAnswer answer = kind.fetch("Origin: http://viewer.example");

    assertThat(answer.status()).isEqualTo(kind.status());
    assertSafe(answer);
    assertThat(answer.fields("Access-Control-Allow-Origin")).containsExactly("*");
    assertThat(answer.fields("Access-Control-Expose-Headers"))
        .containsExactly("Content-Length, Content-Range, Accept-Ranges, X-EPG-Cache");
  }

  private static void assertSafe(RawAnswer answer) {
    assertThat(answer.fields("X-Content-Type-Options")).containsExactly("nosniff");
    assertThat(answer.fields("Referrer-Policy")).containsExactly("no-referrer");
    assertThat(answer.fields("Content-Security-Policy")).hasSize(1);
    assertThat(answer.field("Content-Security-Policy").orElse("")).contains("default-src 'none'");
    assertThat(answer.field("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(answer.field("Access-Control-Allow-Private-Network")).isEmpty();
    assertThat(answer.field("Set-Cookie")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/metrics", "/sessions"})
  void showsNoPageWhatIsForOperators(String target) throws IOException {
    for (String[] fields : List.of(new String[] {PASSWORD}, new String[0])) {
      RawAnswer answer = PROXY.fetch("GET", target, fields);
      assertSafe(answer);
      assertThat(answer.field("Access-Control-Allow-Origin")).isEmpty();
    }
    assertThat(preflight(target, "GET").field("Access-Control-Allow-Origin")).isEmpty();
    assertThat(preflight(TOKEN + target, "GET").field("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void isSafeInABrowser_whenGuessesHaveToWait() throws IOException {
    try (RunningMillrace guessed = RunningMillrace.start(settings -> settings.password("pw"))) {
      for (int i = 0; i <= 10; i++) {
        guessed.fetch("GET", "/proxy/stream", "api_password: " + i);
      }
      RawAnswer answer = guessed.fetch("GET", "/proxy/stream", PASSWORD);
      assertThat(answer.status()).isEqualTo(429);
      assertSafe(answer);
      assertThat(answer.fields("Access-Control-Allow-Origin")).containsExactly("*");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "?\r\n\r\n"})
  void isSafeInABrowser_whenTheRequestIsNoHttp(String request) throws IOException {
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.send(request);
      RawAnswer answer = client.answer("GET");
      assertThat(answer.status()).isEqualTo(400);
      assertSafe(answer);
      assertThat(answer.fields("Access-Control-Allow-Origin")).containsExactly("*");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "TEXT/HTML ; charset=utf-7",
        "application/xhtml+xml",
        "image/svg+xml",
        "text/xml",
        "application/xml",
        "application/atom+xml",
        "text/xsl",
        "text/javascript",
        "application/javascript",
        "application/ecmascript",
        "module/javascript",
        "multipart/x-mixed-replace; boundary=b",
        "multipart/related",
        "text/html,video/mp4",
        "video/mp4,text/html",
        "nonsense"
      })
  void letsNoOriginAndNoLinkMakeAPage(String type) throws IOException {
    byte[] page = "<script>1</script>".getBytes(StandardCharsets.UTF_8);
    try (OriginServer origin = OriginServer.start(ToyOrigins.content(page, type))) {
      StreamLink link = StreamLink.to(origin.url("/x"));
      StreamLink asked = StreamLink.to(ORIGIN.url("/v.mp4")).with("r_content-type", type);
      for (RawAnswer answer :
          List.of(
              PROXY.fetch("GET", link, PASSWORD),
              PROXY.fetch("HEAD", link, PASSWORD),
              PROXY.fetch("GET", link, PASSWORD, "Range: bytes=2-5"),
              PROXY.fetch("GET", asked, PASSWORD),
              PROXY.fetch("GET", asked, PASSWORD, "Range: bytes=0-1"),
              PROXY.fetch("HEAD", asked, PASSWORD))) {
        assertThat(answer.status()).isIn(200, 206);
        assertThat(answer.fields("Content-Type")).containsExactly("application/octet-stream");
        assertThat(answer.field("Content-Security-Policy")).contains("sandbox; default-src 'none'");
        assertSafe(answer);
      }
    }
  }

  @Test
  void allowsPagesTheMethodsOfEachRoute_throughLinksToo() throws IOException {
    for (Endpoint endpoint : Endpoint.values()) {
      for (String path : endpoint.isForOperators() ? List.<String>of() : endpoint.paths()) {
        String target = path.replace("*", "");
        for (RawAnswer answer :
            List.of(preflight(target, "GET"), preflight(TOKEN + target, "GET"))) {
          assertThat(answer.status()).isEqualTo(204);
          assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
          assertThat(answer.field("Access-Control-Allow-Methods"))
              .as(target)
              .contains(String.join(", ", new TreeSet<>(endpoint.methods())));
          assertThat(answer.field("Access-Control-Max-Age")).contains("86400");
          assertSafe(answer);
        }
      }
    }
  }

  @Test
  void answersPagesOfOtherOrigins_withoutPassword_row60() throws IOException {
    RawAnswer answer = preflight("/proxy/stream", "GET", "Access-Control-Request-Headers: range");

    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    assertThat(answer.field("Access-Control-Allow-Headers")).contains("range");
    assertThat(preflight("/nope", "GET").field("Access-Control-Allow-Methods"))
        .contains("GET, HEAD, OPTIONS");
  }

  @Test
  void allowsPagesTheFieldsTheyNameInUpTo4096Characters() throws IOException {
    String most = "x".repeat(4096);

    assertThat(allowedFields("a, x-b", "C")).containsExactly("a, x-b, C");
    assertThat(allowedFields(most)).containsExactly(most);
    assertThat(allowedFields(most + "x")).isEmpty();
    assertThat(allowedFields("x".repeat(30_000))).isEmpty();
    assertThat(allowedFields("a<b>")).isEmpty();
    assertThat(allowedFields()).isEmpty();
  }

  private static List<String> allowedFields(String... lines) throws IOException {
    String[] fields =
        Arrays.stream(lines)
            .map(line -> "Access-Control-Request-Headers: " + line)
            .toArray(String[]::new);
    RawAnswer answer = preflight("/proxy/stream", "GET", fields);
    assertThat(answer.status()).isEqualTo(204);
    return answer.fields("Access-Control-Allow-Headers");
  }

  @Test
  void givesNoLeaveToReachPrivateNetworks() throws IOException {
    RawAnswer answer =
        preflight("/proxy/stream", "GET", "Access-Control-Request-Private-Network: true");

    assertThat(answer.field("Access-Control-Allow-Private-Network")).isEmpty();
  }

  private static RawAnswer preflight(String target, String method, String... more)
      throws IOException {
    String[] fields =
        Stream.concat(
                Stream.of(
                    "Origin: http://viewer.example", "Access-Control-Request-Method: " + method),
                Arrays.stream(more))
            .toArray(String[]::new);
    return PROXY.fetch("OPTIONS", target, fields);
  }

  @Test
  void keepsPagesOfItsOwnOutOfCaches() throws IOException {
    for (Kind kind : everyKind()) {
      RawAnswer answer = kind.fetch();
      boolean isOurs = !kind.target().startsWith("/proxy/stream") || kind.status() >= 400;
      boolean hasBody = answer.field("Content-Type").isPresent();
      if (isOurs && hasBody) {
        assertThat(answer.field("Cache-Control")).as(kind.toString()).contains("no-store");
      }
    }
  }
}
