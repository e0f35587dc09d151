package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.servlet.ForwardConfig;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ForwardClient;
import dev.millrace.testing.ForwardLink;
import dev.millrace.testing.Http2Origin;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RawHttp2;
import dev.millrace.testing.RawHttp2Answer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.MetaData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a request reaches the origin, and what of its answer the client. */
class ForwardIT {
  /** Answers with the content it was sent. */
  private static final Script ECHO =
      exchange ->
          exchange.bytes(200, exchange.requestBody(), "Content-Type: application/json", "X-A: b");

  private static RunningMillrace millrace;
  private static ForwardClient client;

  @BeforeAll
  static void start() {
    millrace = RunningMillrace.start(settings -> settings.password(ForwardLink.PASSWORD));
    client = new ForwardClient(millrace.port());
  }

  @AfterAll
  static void stop() {
    millrace.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS"})
  void passesBodiesBothWays(String method) throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      String json = "{\"a\":1}";
      RawAnswer answer =
          client.send(
              method, ForwardLink.to(origin.url("/api")), json, "Content-Type: application/json");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo(json);
      assertThat(answer.field("X-A")).contains("b");
      RecordedRequest request = origin.onlyRequest();
      assertThat(request.method()).isEqualTo(method);
      assertThat(request.field("Content-Length")).contains("7");
      assertThat(request.field("Content-Type")).contains("application/json");
    }
  }

  @ParameterizedTest
  @CsvSource({"GET,false", "HEAD,false", "OPTIONS,false", "DELETE,false", "POST,true", "PUT,true"})
  void tellsTheLengthOfNoBody_onlyWhereOneIsExpected(String method, boolean isTold)
      throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      RawAnswer answer = millrace.fetch(method, ForwardLink.to(origin.url("/api?x=1")).toString());

      assertThat(answer.status()).isEqualTo(200);
      RecordedRequest request = origin.onlyRequest();
      assertThat(request.requestLine()).isEqualTo(method + " /api?x=1 HTTP/1.1");
      assertThat(request.fieldNames().contains("content-length")).isEqualTo(isTold);
      assertThat(request.fieldNames()).doesNotContain("transfer-encoding", "range");
    }
  }

  @Test
  void answersPreflightsItself() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      RawAnswer answer =
          millrace.fetch(
              "OPTIONS",
              ForwardLink.to(origin.url("/")).toString(),
              "Origin: http://a.b",
              "Access-Control-Request-Method: PUT");

      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.field("Access-Control-Allow-Methods").orElse("")).contains("PUT", "PATCH");
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  void tellsTheOriginNothingAboutTheClient() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      millrace.fetch(
          "GET",
          ForwardLink.to(origin.url("/"))
              .with("h_x-forwarded-for", "10.9.8.7")
              .with("h_x-real-ip", "10.9.8.7")
              .toString(),
          "api_password: " + ForwardLink.PASSWORD,
          "Cookie: a=10.9.8.7",
          "Authorization: Basic 10.9.8.7",
          "Origin: http://10.9.8.7",
          "Referer: http://10.9.8.7",
          "User-Agent: 10.9.8.7",
          "Forwarded: for=10.9.8.7",
          "X-Forwarded-For: 10.9.8.7",
          "X-Forwarded-Host: 10.9.8.7",
          "X-Real-IP: 10.9.8.7",
          "Via: 1.1 10.9.8.7",
          "CF-Connecting-IP: 10.9.8.7",
          "True-Client-IP: 10.9.8.7",
          "X-Anything: 10.9.8.7",
          "Accept-Encoding: br",
          "Accept: text/plain",
          "Accept-Language: de");

      RecordedRequest request = origin.onlyRequest();
      assertThat(request.fieldNames())
          .containsOnly("host", "user-agent", "accept", "accept-encoding", "accept-language");
      assertThat(request.fieldLines().toString()).doesNotContain("10.9.8.7", "pw");
      assertThat(request.field("Accept")).contains("text/plain");
      assertThat(request.field("Accept-Language")).contains("de");
      assertThat(request.field("Accept-Encoding")).contains("identity");
    }
  }

  @Test
  void setsFieldsOfParameters_overThoseOfTheClient() throws IOException {
    try (OriginServer origin = OriginServer.start(ECHO)) {
      client.send(
          "POST",
          ForwardLink.to(origin.url("/"))
              .with("h_authorization", "Bearer t")
              .with("h_content-type", "text/x-own")
              .with("h_accept-encoding", "gzip")
              .with("h_content-length", "99")
              .with("h_host", "other"),
          "abc",
          "Content-Type: text/plain");

      RecordedRequest request = origin.onlyRequest();
      assertThat(request.field("Authorization")).contains("Bearer t");
      assertThat(request.field("Content-Type")).contains("text/x-own");
      assertThat(request.field("Accept-Encoding")).contains("gzip");
      assertThat(request.field("Content-Length")).contains("3");
      assertThat(request.field("Host").orElse("")).startsWith("127.0.0.1");
    }
  }

  @Test
  void handsFieldsBackAsTheyAre_exceptThoseOfTheConnectionAndOrdersToBrowsers() throws IOException {
    Script script =
        exchange ->
            exchange.text(
                418,
                "tea",
                "Content-Type: text/html",
                "Set-Cookie: a=1",
                "Set-Cookie: b=2",
                "Link: <http://a/2>; rel=next",
                "WWW-Authenticate: Bearer",
                "X-RateLimit: 5",
                "Cache-Control: public, max-age=60",
                "Connection: X-Hop",
                "X-Hop: 1",
                "Keep-Alive: timeout=5",
                "X-Accel-Redirect: /internal",
                "Access-Control-Allow-Origin: http://evil",
                "Content-Security-Policy: default-src *",
                "Clear-Site-Data: \"*\"");
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer =
          millrace.fetch(
              "GET",
              ForwardLink.to(origin.url("/"))
                  .with("x_headers", "x-ratelimit")
                  .with("r_x-own", "1")
                  .toString());

      assertThat(answer.status()).isEqualTo(418);
      assertThat(answer.text()).isEqualTo("tea");
      assertThat(answer.fields("Set-Cookie")).containsExactly("a=1", "b=2");
      assertThat(answer.fields("Cache-Control")).containsExactly("private, max-age=60");
      assertThat(answer.field("Link")).contains("<http://a/2>; rel=next");
      assertThat(answer.field("WWW-Authenticate")).contains("Bearer");
      assertThat(answer.field("Content-Type")).contains("application/octet-stream");
      assertThat(answer.field("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.fields("Content-Security-Policy")).hasSize(1);
      assertThat(answer.field("Content-Security-Policy").orElse("")).startsWith("sandbox");
      assertThat(answer.fields("Access-Control-Allow-Origin")).containsExactly("*");
      assertThat(answer.field("x-own")).contains("1");
      for (String name :
          List.of("X-Hop", "Keep-Alive", "X-Accel-Redirect", "Clear-Site-Data", "X-RateLimit")) {
        assertThat(answer.field(name)).as(name).isEmpty();
      }
    }
  }

  @Test
  void keepsCookiesFromBrowsers() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange ->
                exchange.text(200, "x", "Set-Cookie: a=1", "WWW-Authenticate: Basic realm=x"))) {
      RawAnswer answer =
          millrace.fetch(
              "GET", ForwardLink.to(origin.url("/")).toString(), "Sec-Fetch-Mode: navigate");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Set-Cookie")).isEmpty();
      assertThat(answer.field("WWW-Authenticate")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 205, 304, 401, 404, 407, 416, 429, 500, 503})
  void handsStatusesBack_andAsksOnce(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.head(status, "Content-Length: 0"))) {
      RawAnswer answer = millrace.fetch("GET", ForwardLink.to(origin.url("/")).toString());

      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.bytes()).isEmpty();
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void handsRedirectsBack_evenToInternalTargets() throws IOException {
    Script script = exchange -> exchange.text(307, "", "Location: http://169.254.169.254/latest");
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer = client.send("POST", ForwardLink.to(origin.url("/")), "x");

      assertThat(answer.status()).isEqualTo(307);
      assertThat(answer.field("Location")).contains("http://169.254.169.254/latest");
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  void handsCodedBodiesBackAsTheyCome() throws IOException {
    Script script =
        exchange -> exchange.text(200, "not decoded", "Content-Encoding: gzip", "ETag: \"a\"");
    try (OriginServer origin = OriginServer.start(script)) {
      RawAnswer answer = millrace.fetch("GET", ForwardLink.to(origin.url("/")).toString());

      assertThat(answer.text()).isEqualTo("not decoded");
      assertThat(answer.field("Content-Encoding")).contains("gzip");
      assertThat(answer.field("ETag")).contains("\"a\"");
      assertThat(answer.field("Content-Length")).contains("11");
    }
  }

  @Test
  void refusesInternalTargets() throws IOException {
    RawAnswer answer =
        client.send("POST", ForwardLink.to("http://10.0.0.1/secret-path?k=secret"), "x");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(ErrorBody.of(answer).detail()).doesNotContain("secret", "10.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 600, 999})
  void answers502_whenTheStatusIsNone(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.text(status, "", "Upgrade: x"))) {
      RawAnswer answer = millrace.fetch("GET", ForwardLink.to(origin.url("/")).toString());

      assertThat(answer.status()).isEqualTo(502);
    }
  }

  @Test
  void understandsNoOtherTransferCoding() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10));
        RawHttp raw =
            client.begin(
                "POST", ForwardLink.to(origin.url("/")), "Transfer-Encoding: gzip, chunked")) {
      raw.send("0\r\n\r\n");
      assertThat(raw.head().status()).isEqualTo(501);
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  void needsThePassword() throws IOException {
    assertThat(millrace.fetch("POST", "/proxy/forward?d=http://h/").status()).isEqualTo(403);
    try (RunningMillrace open = RunningMillrace.start()) {
      RawAnswer answer = open.fetch("POST", ForwardLink.to("http://h/").toString());

      assertThat(answer.status()).isEqualTo(403);
      assertThat(ErrorBody.of(answer).detail()).contains("API_PASSWORD");
    }
  }

  @Test
  void refusesHostsThatAreDeniedOrNotAllowed() throws IOException {
    ForwardConfig limits =
        new ForwardConfig(
            List.of("127.0.0.1", "*.allowed.example"), List.of("bad.allowed.example"), 1, 1);
    try (RunningMillrace strict =
            RunningMillrace.start(
                settings -> settings.password(ForwardLink.PASSWORD).forward(limits));
        OriginServer origin = OriginServer.start(exchange -> exchange.text(200, ""))) {
      assertThat(get(strict, origin.url("/")).status()).isEqualTo(200);
      ErrorBody denied = ErrorBody.of(get(strict, "http://bad.allowed.example/x"));
      ErrorBody other = ErrorBody.of(get(strict, "http://other.example/x"));

      assertThat(denied.reason()).isEqualTo("forward_host_denied");
      assertThat(denied.detail()).contains("FORWARD_DENIED_HOSTS").doesNotContain("example");
      assertThat(other.reason()).isEqualTo("forward_host_not_allowed");
      assertThat(other.detail()).contains("FORWARD_ALLOWED_HOSTS").doesNotContain("example");
    }
  }

  private static RawAnswer get(RunningMillrace server, String d) throws IOException {
    return server.fetch("GET", ForwardLink.to(d).toString());
  }

  @ParameterizedTest
  @CsvSource({
    "/proxy/forward?api_password=pw,422",
    "/proxy/forward?api_password=pw&d=file:///e,400"
  })
  void refusesWhatIsNoDestination(String target, int status) throws IOException {
    assertThat(client.send("POST", target, "x").status()).isEqualTo(status);
  }

  @Test
  void asksOnceMore_whenAPooledConnectionWasClosedUnderSafeRequest() throws IOException {
    try (OriginServer origin = OriginServer.start(ForwardIT::answerFirstOnly)) {
      int asked = 0;
      while (origin.requests().size() == asked && asked < 50) { // until one takes a pooled one
        assertThat(get(millrace, origin.url("/")).status()).isEqualTo(200);
        asked++;
      }
      assertThat(origin.requests()).hasSize(asked + 1);
    }
  }

  @Test
  void neverSendsTwice_whatMightChangeSomething() throws IOException {
    try (OriginServer origin = OriginServer.start(ForwardIT::answerFirstOnly)) {
      assertThat(get(millrace, origin.url("/")).status()).isEqualTo(200);
      RawAnswer answer = client.send("POST", ForwardLink.to(origin.url("/")), "x");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(origin.requests()).hasSize(2);
      assertThat(origin.requests().get(1).connection()).isEqualTo(2);
    }
    try (OriginServer origin = OriginServer.start(exchange -> exchange.cut())) {
      RawAnswer answer = client.send("POST", ForwardLink.to(origin.url("/")), "x");

      assertThat(answer.status()).isEqualTo(502);
      assertThat(origin.requests()).hasSize(1);
    }
  }

  private static void answerFirstOnly(OriginExchange exchange) throws IOException {
    exchange.requestBody();
    if (exchange.requestOnConnection() == 1) {
      exchange.text(200, "ok");
    } else {
      exchange.cut();
    }
  }

  @Test
  void servesCurl() throws IOException {
    ExternalProgram curl = ExternalProgram.required("curl");
    try (OriginServer origin = OriginServer.start(ECHO)) {
      String url = millrace.url(ForwardLink.to(origin.url("/")).toString());
      String output =
          curl.run(
                  Duration.ofSeconds(20),
                  "-sS",
                  "-X",
                  "PATCH",
                  "-H",
                  "Expect: 100-continue",
                  "-d",
                  "{\"x\":2}",
                  url)
              .output();

      assertThat(output).isEqualTo("{\"x\":2}");
    }
  }

  @Test
  void forwardsToHttp2Origins() throws IOException {
    try (RunningMillrace http2 =
            RunningMillrace.start(
                settings ->
                    settings.password(ForwardLink.PASSWORD).originHttp2().anyCertificate());
        Http2Origin origin = Http2Origin.start(exchange -> exchange.head(201, true, "x-a: b"))) {
      RawAnswer answer =
          new ForwardClient(http2.port()).send("PUT", ForwardLink.to(origin.url("/")), "abc");

      assertThat(answer.status()).isEqualTo(201);
      assertThat(answer.field("x-a")).contains("b");
      MetaData.Request request = origin.requests().get(0);
      assertThat(request.getMethod()).isEqualTo("PUT");
      assertThat(request.getHttpFields().get("content-length")).isEqualTo("3");
      assertThat(request.getHttpFields().contains("connection")).isFalse();
    }
  }

  @Test
  void servesHttp2Clients() throws Exception {
    try (RunningMillrace secure =
            RunningMillrace.start(
                settings -> settings.password(ForwardLink.PASSWORD).selfSigned());
        OriginServer origin = OriginServer.start(ECHO);
        RawHttp2 http2 = RawHttp2.connect(secure.port())) {
      String target = ForwardLink.to(origin.url("/")).toString();
      RawHttp2Answer empty = http2.ask("POST", target);
      assertThat(empty.status()).isEqualTo(200);
      assertThat(empty.readAll()).isEmpty();

      RawHttp2Answer echo = http2.send("POST", target, "over HTTP/2");
      assertThat(echo.status()).isEqualTo(200);
      assertThat(new String(echo.readAll(), StandardCharsets.UTF_8)).isEqualTo("over HTTP/2");
      assertThat(origin.requests().get(1).field("Content-Length")).contains("11");
    }
  }
}
