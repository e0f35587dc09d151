package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ContractOrigin;
import dev.millrace.testing.CountedAnswer;
import dev.millrace.testing.CountedBody;
import dev.millrace.testing.Deployment;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.ForwardClient;
import dev.millrace.testing.ForwardLink;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client sees is the same in every deployment: the stream rows of the HTTP contract (§21),
 * and bodies that are cut, paused or abandoned. What runs is what the build has made.
 */
@Timeout(120)
interface DeploymentContract {
  String PASSWORD = "api_password: pw";
  Duration SOON = Duration.ofSeconds(20);

  /** Room for 104 exchanges: 100 that are not given back leave none for 100 more. */
  List<String> SETTINGS =
      List.of(
          "API_PASSWORD=pw",
          "LINK_SECRET=a secret for tests only",
          "ALLOW_TARGETS=loopback",
          "BUFFER_MEMORY=13m",
          "TIMEOUT=5");

  int CLIENTS = 100;

  /** Runs with {@link #SETTINGS}. */
  Deployment proxy();

  /** Started with {@link #SETTINGS}. */
  static Deployment start(Deployment.Plan plan) {
    SETTINGS.forEach(plan::set);
    return plan.start();
  }

  private static StreamLink link(OriginServer origin, String path) {
    return StreamLink.to(origin.url(path)).with("api_password", "pw");
  }

  private static OriginServer contractOrigin() {
    return OriginServer.start(new ContractOrigin());
  }

  @Test
  default void row01_saysThatItIsHealthy_withoutPassword() throws IOException {
    RawAnswer answer = proxy().fetch("GET", "/health");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(ErrorBody.json(answer).path("status").asString()).isEqualTo("healthy");
  }

  @Test
  default void row02_refusesAndCallsNobody_withoutPassword() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", StreamLink.to(origin.url("/v.mp4")));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(ErrorBody.of(answer).detail()).isEqualTo("Could not validate credentials");
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  default void row03_servesRange_withPasswordInHeader() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      StreamLink link = StreamLink.to(origin.url("/v.mp4"));
      RawAnswer answer = proxy().fetch("GET", link, PASSWORD, "Range: bytes=0-9");
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10));
      assertThat(answer.field("Content-Range")).contains("bytes 0-9/10240");
      assertThat(answer.field("Accept-Ranges")).contains("bytes");
      assertThat(answer.field("Set-Cookie")).isEmpty();
    }
  }

  @Test
  default void row04_namesMissingDestination() throws IOException {
    RawAnswer answer = proxy().fetch("GET", "/proxy/stream?api_password=pw");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(ErrorBody.json(answer).path("detail").path(0).path("type").asString())
        .isEqualTo("missing");
  }

  @Test
  default void row05_turnsWholePartialAnswerInto200_whenNoRangeWasAsked() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
      assertThat(answer.fields("Content-Length")).containsExactly("10240");
      assertThat(answer.field("Transfer-Encoding")).isEmpty();
      assertThat(answer.field("Content-Range")).isEmpty();
      assertThat(origin.onlyRequest().field("Range")).contains("bytes=0-");
    }
  }

  @Test
  default void row06_servesSuffixRange() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/v.mp4"), "Range: bytes=-5");
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.field("Content-Range")).contains("bytes 10235-10239/10240");
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(10_235, 10_240));
    }
  }

  @Test
  default void row07_servesWholeFile_whenOriginIgnoresRange() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/norange.mp4"), "Range: bytes=0-9");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Range")).isEmpty();
      assertThat(answer.bytes()).hasSize(ContractOrigin.SIZE);
    }
  }

  @Test
  default void row08_passesUnsatisfiableRange_afterOneCall() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/v.mp4"), "Range: bytes=99999-");
      assertThat(answer.status()).isEqualTo(416);
      assertThat(answer.field("Content-Range")).contains("bytes */10240");
      assertThat(origin.requests()).hasSize(1);
    }
  }

  @Test
  default void row09_answersHeadWithOneHead() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("HEAD", link(origin, "/v.mp4"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains("10240");
      assertThat(origin.onlyRequest().method()).isEqualTo("HEAD");
    }
  }

  @Test
  default void row10_fallsBackToGet_whenOriginRefusesHead() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      StreamLink link = StreamLink.named("My%20Movie.mkv", origin.url("/nohead.mp4"));
      RawAnswer answer = proxy().fetch("HEAD", link, PASSWORD, "Range: bytes=0-0");
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.field("Content-Range")).contains("bytes 0-0/10240");
      assertThat(answer.field("Content-Disposition").orElse("")).contains("\"My Movie.mkv\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "f%C3%A9%20%E6%97%A5.mkv,         filename*=UTF-8''f%C3%A9%20%E6%97%A5.mkv",
    "season%201/e01.mp4,              filename=\"e01.mp4\"",
    "season%201%2Fe01.mp4,            filename=\"e01.mp4\"",
    "a%5Cb.mp4,                       filename=\"a\\\\b.mp4\"",
    "100%25.mp4,                      filename=\"100%.mp4\"",
    "a%22;x=%22b.mp4,                 filename=\"a\\\";x=\\\"b.mp4\"",
    "a;b=c.mp4,                       filename=\"a;b=c.mp4\"",
    "a%3Fb%23c.mp4,                   filename=\"a?b#c.mp4\"",
  })
  default void row11And12_namesFile(String name, String expected) throws IOException {
    try (OriginServer origin = contractOrigin()) {
      StreamLink link = StreamLink.named(name, origin.url("/v.mp4"));
      RawAnswer answer = proxy().fetch("GET", link, PASSWORD);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Disposition").orElse(""))
          .startsWith("attachment")
          .contains(expected)
          .isASCII();
    }
  }

  @Test
  default void row13_sendsNamedHeadersAndIgnoresEmptyOnes() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      String extra = "&h_referrer=http://r/&h_if-range=&h_range=&h_x-abc=1";
      assertThat(proxy().fetch("GET", link(origin, "/v.mp4") + extra).status()).isEqualTo(200);
      RecordedRequest request = origin.onlyRequest();
      assertThat(request.field("referer")).contains("http://r/");
      assertThat(request.field("x-abc")).contains("1");
      assertThat(request.fieldNames()).doesNotContain("if-range", "referrer", "via", "forwarded");
    }
  }

  @Test
  default void row14_setsAndDropsResponseHeaders() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      String extra = "&r_content-type=x/y&rp_x-foo=bar&x_headers=content-length,etag";
      RawAnswer answer = proxy().fetch("GET", link(origin, "/v.mp4") + extra);
      assertThat(answer.fields("Content-Type")).containsExactly("x/y");
      assertThat(answer.field("x-foo")).contains("bar");
      assertThat(answer.field("ETag")).isEmpty();
      assertThat(answer.field("Transfer-Encoding")).contains("chunked");
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r_x=1%0D%0AX-Inj:y", "h_x=1%0D%0Ay", "h_x=a%00b"})
  default void row15_refusesControlCharacters(String parameter) throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/v.mp4") + "&" + parameter);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(ErrorBody.of(answer).detail()).isNotBlank();
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  default void row16_readsUrlSafeBase64WithoutPadding() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      byte[] url = origin.url("/v.mp4???>~~~???>").getBytes(StandardCharsets.UTF_8);
      String d = Base64.getUrlEncoder().withoutPadding().encodeToString(url);
      RawAnswer answer = proxy().fetch("GET", StreamLink.to(d), PASSWORD);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bytes()).hasSize(ContractOrigin.SIZE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "notaurl"})
  default void row17_refusesWhatIsNoHttpUrl(String d) throws IOException {
    RawAnswer answer = proxy().fetch("GET", StreamLink.to(d), PASSWORD);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({"404,''", "403,''", "429,7", "503,7"})
  default void row18And19_passesStatus(int status, String retryAfter) throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/st/" + status));
      assertThat(answer.status()).isEqualTo(status);
      assertThat(ErrorBody.of(answer).detail()).doesNotContain("/st/");
      assertThat(answer.field("Retry-After").orElse("")).startsWith(retryAfter);
      assertThat(origin.requests()).hasSizeBetween(1, 3);
    }
  }

  @Test
  default void row20_decodesGzipNobodyAskedFor() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/gz"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Encoding")).isEmpty();
      assertThat(answer.field("Content-Length")).isEmpty();
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  @Test
  default void row21_followsRedirect() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("GET", link(origin, "/redir"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
    }
  }

  @Test
  default void row59And60_answersWhatIsNotTheProxys() throws IOException {
    RawAnswer unknown = proxy().fetch("GET", "/nope");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(ErrorBody.json(unknown).path("detail").asString()).isEqualTo("Not Found");
    assertThat(proxy().fetch("GET", "/.abort").status()).isEqualTo(404);
    RawAnswer preflight =
        proxy()
            .fetch(
                "OPTIONS",
                "/proxy/stream",
                "Origin: http://a.b",
                "Access-Control-Request-Method: GET");
    assertThat(preflight.status()).isIn(200, 204);
    assertThat(preflight.field("Access-Control-Allow-Origin")).contains("*");
  }

  @Test
  default void believesAFrontEndOnThisMachine() throws IOException {
    RawAnswer answer =
        proxy().fetch("GET", "/health/live", "X-Forwarded-For: 198.51.100.1, 203.0.113.5");
    assertThat(answer.status()).isEqualTo(200);
    Await.until(
        "logged", SOON, () -> proxy().output().contains(" 203.0.113.5 GET live origin=- status="));
  }

  @Test
  default void findsRoutesBehindThePrefixOfAFrontEnd() throws IOException {
    String prefix = "X-Forwarded-Prefix: /behind";
    assertThat(proxy().fetch("GET", "/behind/health", prefix).status()).isEqualTo(200);
    assertThat(proxy().fetch("GET", "/behind/health").status()).isEqualTo(404);
    RawAnswer preflight =
        proxy()
            .fetch(
                "OPTIONS",
                "/behind/_token_x/proxy/forward",
                prefix,
                "Origin: http://a.b",
                "Access-Control-Request-Method: POST");
    assertThat(preflight.field("Access-Control-Allow-Methods").orElse("")).contains("POST", "PUT");
  }

  @Test
  default void makesEveryAnswerSafeInABrowser() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      String[] targets = {
        "/",
        "/health",
        "/nope",
        "/proxy/stream",
        "/proxy/stream?api_password=pw",
        "/_token_x/proxy/stream",
        link(origin, "/v.mp4").toString(),
        link(origin, "/st/404").toString()
      };
      for (String target : targets) {
        for (String method : List.of("GET", "HEAD", "OPTIONS", "DELETE")) {
          RawAnswer answer = proxy().fetch(method, target, "Range: bytes=0-9");
          String asked = method + " " + target;
          assertThat(answer.fields("X-Content-Type-Options")).as(asked).containsExactly("nosniff");
          assertThat(answer.fields("Referrer-Policy")).as(asked).containsExactly("no-referrer");
          assertThat(answer.fields("Content-Security-Policy")).as(asked).hasSize(1);
          assertThat(answer.fields("Access-Control-Allow-Origin")).as(asked).containsExactly("*");
        }
      }
    }
  }

  @Test
  default void refusesOtherMethods() throws IOException {
    RawAnswer answer = proxy().fetch("POST", "/proxy/stream?d=http://h/", "Content-Length: 0");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(ErrorBody.json(answer).path("detail").asString()).isEqualTo("Method Not Allowed");
  }

  @Test
  default void takesQueriesAsPlayersSendThem() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.mirror())) {
      String odd = "/v.mp4?a={x}|y[1]^`z<\">\\";
      String target = "/proxy/stream?api_password=pw&d=" + origin.url(odd);
      RawAnswer answer = proxy().fetch("GET", target);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(origin.onlyRequest().path()).isEqualTo("/v.mp4");
    }
  }

  @Test
  default void takesLongQueries() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      StreamLink link = link(origin, "/v.mp4?signature=" + "x".repeat(15_000));
      RawAnswer answer = proxy().fetch("GET", link.with("other", "y".repeat(60_000)));
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  @Test
  default void tellsHeadOfErrorsAsItTellsGet() throws IOException {
    try (OriginServer origin = contractOrigin()) {
      RawAnswer answer = proxy().fetch("HEAD", link(origin, "/st/404"));
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.field("Content-Type").orElse("")).startsWith("application/json");
      assertThat(answer.bytes()).isEmpty();
    }
  }

  @Test
  default void forwardsBodies_withLengthAndChunked() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> exchange.text(200, exchange.requestBody().length + " bytes"))) {
      ForwardClient client = new ForwardClient(proxy().port());
      String target = proxy().path(ForwardLink.to(origin.url("/")).toString());
      assertThat(client.send("POST", target, "abc").text()).isEqualTo("3 bytes");
      assertThat(client.send("PUT", target, "").text()).isEqualTo("0 bytes");
      assertThat(client.sendOffsets("PATCH", target, 5_000_000).text()).isEqualTo("5000000 bytes");
      List<String> chunks = Collections.nCopies(1_000, "x".repeat(700));
      assertThat(client.sendChunks("POST", target, chunks).text()).isEqualTo("700000 bytes");
      assertThat(proxy().fetch("DELETE", ForwardLink.to(origin.url("/")).toString()).text())
          .isEqualTo("0 bytes");
    }
  }

  @Test
  default void endsForwards_whoseClientLeavesOrSendsTooMuch() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            exchange -> exchange.text(200, exchange.requestBody().length + " bytes"))) {
      ForwardClient client = new ForwardClient(proxy().port());
      String target = proxy().path(ForwardLink.to(origin.url("/")).toString());
      assertThat(client.begin("POST", target, "Content-Length: 52428801").answer("POST").status())
          .isEqualTo(413);
      for (int i = 0; i < CLIENTS; i++) {
        RawHttp leaving = client.begin("POST", target, "Content-Length: 1000000");
        ForwardClient.sendOffsets(leaving, 0, 100_000);
        int asked = i + 1;
        Await.until("asked", SOON, () -> origin.requests().size() == asked);
        leaving.reset();
      }
      Await.until("origins closed", SOON, () -> origin.openConnections() == 0);
      assertThat(client.send("POST", target, "abc").text()).isEqualTo("3 bytes");
    }
  }

  @Test
  default void keepsConnection_afterBodiesAndErrors() throws IOException {
    try (OriginServer origin = contractOrigin();
        RawHttp client = RawHttp.connect(proxy().port())) {
      for (String path : List.of("/v.mp4", "/st/404", "/gz", "/st/403", "/v.mp4")) {
        client.request("GET", proxy().path(link(origin, path)));
        assertThat(client.body("GET", client.head()).readAll().end()).isEqualTo(BodyEnd.COMPLETE);
      }
      assertThat(client.isClosedWithin(100)).isFalse();
    }
  }

  @Test
  default void movesLargeBodies_byteExact() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(30_000_000))) {
      CountedAnswer answer = proxy().count(link(origin, "/v.ts"));
      assertThat(answer.body()).isEqualTo(new CountedBody(30_000_000, -1, BodyEnd.COMPLETE));
    }
  }

  @Test
  default void sendsWhatThereIs_whileOriginIsSilent() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        RawHttp client = proxy().ask(0, link(origin, "/v.ts"))) {
      client.patience(Duration.ofSeconds(4));
      RawBody body = client.body("GET", client.head());
      assertThat(body.count(1_000)).isEqualTo(new CountedBody(1_000, -1, BodyEnd.COMPLETE));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void aborts_whenChunkedBodyIsCut(boolean reset) throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(500_000, reset))) {
      CountedAnswer answer = proxy().count(link(origin, "/v.ts"));
      assertThat(answer.head().field("Transfer-Encoding")).contains("chunked");
      assertThat(answer.body().end().isAbort()).isTrue();
      assertThat(answer.body().firstWrongAt()).isEqualTo(-1);
    }
  }

  @Test
  default void aborts_whenChunkedBodyIsCut_thoughTheClientWantsTheConnectionClosed()
      throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(500_000, false))) {
      CountedAnswer answer = proxy().count(link(origin, "/v.ts"), "Connection: close");
      assertThat(answer.head().fields("Transfer-Encoding")).containsExactly("chunked");
      assertThat(answer.body().end().isAbort()).isTrue();
    }
  }

  @Test
  default void aborts_whenBodyOfKnownLengthIsCut() throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.first(
                1, FaultyOrigins.cutAfter(900_000, 400_000), ToyOrigins.status(403)))) {
      CountedAnswer answer = proxy().count(link(origin, "/v.mp4"));
      assertThat(answer.head().field("Content-Length")).contains("900000");
      assertThat(answer.body().end().isAbort()).isTrue();
      assertThat(answer.body().length()).isLessThanOrEqualTo(400_000);
      assertThat(answer.body().firstWrongAt()).isEqualTo(-1);
    }
  }

  @Test
  default void aborts_whenOriginFallsSilentInMidBody() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.silentAfter(1_000));
        RawHttp client = proxy().ask(0, link(origin, "/v.ts"))) {
      CountedBody body = client.body("GET", client.head()).countAll();
      assertThat(body.length()).isEqualTo(1_000);
      assertThat(body.end().isAbort()).isTrue();
      Await.until("origin closed", SOON, () -> origin.openConnections() == 0);
    }
  }

  @Test
  default void givesEverythingBack_whenManyClientsAreReset() throws IOException {
    for (int round = 0; round < 3; round++) {
      try (OriginServer origin = OriginServer.start(ToyOrigins.endless())) {
        List<RawHttp> clients = askMany(origin);
        for (RawHttp client : clients) {
          client.reset();
        }
        Await.until("origins closed", SOON, () -> origin.openConnections() == 0);
      }
    }
  }

  @Test
  default void givesEverythingBack_whenManyClientsCloseInMidBody() throws IOException {
    for (int round = 0; round < 3; round++) {
      try (OriginServer origin =
          OriginServer.start(ToyOrigins.trickle(500, Duration.ofMillis(50)))) {
        List<RawHttp> clients = askMany(origin);
        for (RawHttp client : clients) {
          client.close();
        }
        Await.until("origins closed", SOON, () -> origin.openConnections() == 0);
      }
    }
  }

  @Test
  default void givesEverythingBack_whenManyBodiesAreCut() throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.cutChunked(10_000, false))) {
      for (int round = 0; round < 3 * CLIENTS; round++) {
        CountedAnswer answer = proxy().count(link(origin, "/v.ts"));
        assertThat(answer.head().status()).isEqualTo(200);
        assertThat(answer.body().end().isAbort()).isTrue();
      }
    }
  }

  // bodies of requests

  @Test
  default void row28_makesLinks_howeverTheBodyComes() throws IOException {
    String json = "{\"mediaflow_proxy_url\":\"http://p\",\"destination_url\":\"http://u/\"}";
    for (String framing :
        List.of("Content-Length: " + json.length(), "Transfer-Encoding: chunked")) {
      try (RawHttp client = RawHttp.connect(proxy().port())) {
        client.request("POST", proxy().path("/generate_url"), framing);
        for (String part : json.split("(?<=,)", -1)) {
          boolean isChunked = framing.endsWith("chunked");
          client.send(
              isChunked ? Integer.toHexString(part.length()) + "\r\n" + part + "\r\n" : part);
        }
        client.send(framing.endsWith("chunked") ? "0\r\n\r\n" : "");
        assertThat(client.answer("POST").text())
            .isEqualTo("{\"url\":\"http://p?d=http%3A%2F%2Fu%2F\"}");
      }
    }
  }

  @Test
  default void sealsLinks_thatPlay() throws IOException {
    try (OriginServer origin = contractOrigin();
        RawHttp client = RawHttp.connect(proxy().port())) {
      String json =
          "{\"mediaflow_proxy_url\":null,\"endpoint\":\"/proxy/stream\",\"api_password\":\"pw\","
              + "\"destination_url\":\""
              + origin.url("/v.mp4")
              + "\"}";
      client.request("POST", proxy().path("/generate_url"), "Content-Length: " + json.length());
      client.send(json);
      String url = ErrorBody.json(client.answer("POST")).path("url").asString();

      assertThat(url).startsWith("http://127.0.0.1:" + proxy().port() + proxy().path("/_token_"));
      RawAnswer answer = RawHttp.fetch(proxy().port(), "GET", url.replaceFirst("http://[^/]*", ""));
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
    }
  }

  @Test
  default void readsBodies_upToTheirLimit() throws IOException {
    int most = 1 << 20;
    String json = "{\"mediaflow_proxy_url\":\"http://p\"}";
    try (RawHttp client = RawHttp.connect(proxy().port())) {
      client.request("POST", proxy().path("/generate_url"), "Content-Length: " + most);
      client.send(json + " ".repeat(most - json.length()));
      assertThat(client.answer("POST").text()).isEqualTo("{\"url\":\"http://p\"}");
    }
    for (String framing : List.of("Content-Length: " + (most + 1), "Transfer-Encoding: chunked")) {
      try (RawHttp client = RawHttp.connect(proxy().port())) {
        client.request("POST", proxy().path("/generate_url"), framing);
        if (framing.endsWith("chunked")) {
          client.send(Integer.toHexString(most + 1) + "\r\n" + " ".repeat(most + 1));
        }
        RawAnswer answer = client.answer("POST");
        assertThat(answer.status()).isEqualTo(413);
        assertThat(ErrorBody.of(answer).reason()).isEqualTo("body_too_long");
      }
    }
  }

  @Test
  default void asksForABody_andTakesNoneWhereTheQuerySaysAll() throws IOException {
    assertThat(proxy().fetch("POST", "/generate_url").status()).isEqualTo(422);
    assertThat(proxy().fetch("POST", "/generate_url", "Content-Length: 0").status()).isEqualTo(422);
    assertThat(proxy().fetch("POST", "/base64/encode?url=http%3A%2F%2Fu%2F").text())
        .isEqualTo("{\"encoded_url\":\"aHR0cDovL3Uv\",\"original_url\":\"http://u/\"}");
  }

  /** Far more than there are threads; what they began is forgotten when they leave. */
  @Test
  default void answersOthers_whileManySendersSendNothing() throws IOException {
    List<RawHttp> senders = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      RawHttp sender = RawHttp.connect(proxy().port());
      sender.request("POST", proxy().path("/generate_url"), "Content-Length: 1000");
      sender.send("{");
      senders.add(sender);
    }
    assertThat(proxy().fetch("GET", "/health").status()).isEqualTo(200);
    row28_makesLinks_howeverTheBodyComes();
    for (RawHttp sender : senders) {
      sender.close();
    }
  }

  /** So many at once that have all begun to read; asked again while what others held comes back. */
  private List<RawHttp> askMany(OriginServer origin) throws IOException {
    List<RawHttp> clients = new ArrayList<>();
    Await.until("room for all", SOON, () -> clients.size() == CLIENTS || addOne(origin, clients));
    return clients;
  }

  private boolean addOne(OriginServer origin, List<RawHttp> clients) {
    try {
      RawHttp client = proxy().ask(8 << 10, link(origin, "/v.ts"));
      RawHead head = client.head();
      if (head.status() == 200 && client.body("GET", head).count(500).length() == 500) {
        clients.add(client);
      } else {
        client.close();
      }
      return clients.size() == CLIENTS;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
