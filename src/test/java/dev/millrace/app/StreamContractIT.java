package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ContractOrigin;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The black-box table of the HTTP contract (§21) as far as it concerns the stream route. */
@Timeout(60)
class StreamContractIT {
  private static final String PASSWORD = "api_password: pw";

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password("pw"));

  @AutoClose private final OriginServer origin = OriginServer.start(new ContractOrigin());

  @Test
  void row01_saysThatItIsHealthy_withoutPassword() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/health");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(ErrorBody.json(answer).path("status").asString()).isEqualTo("healthy");
  }

  @Test
  void row02_refusesAndCallsNobody_withoutPassword() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
    assertThat(answer.status()).isEqualTo(403);
    assertThat(ErrorBody.json(answer).path("detail").asString())
        .isEqualTo("Could not validate credentials");
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void row02_refuses_withWrongPassword() throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("api_password", "pww");
    assertThat(PROXY.fetch("GET", link, "api_password: p").status()).isEqualTo(403);
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void row03_servesRange_withPasswordInHeader() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/v.mp4"), PASSWORD, "Range: bytes=0-9");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 10));
    assertThat(answer.field("Content-Range")).contains("bytes 0-9/10240");
    assertThat(answer.field("Accept-Ranges")).contains("bytes");
    assertThat(answer.field("Set-Cookie")).isEmpty();
  }

  @Test
  void row04_namesMissingDestination() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/proxy/stream?api_password=pw");
    assertThat(answer.status()).isEqualTo(422);
    JsonNode first = ErrorBody.json(answer).path("detail").path(0);
    assertThat(first.path("type").asString()).isEqualTo("missing");
    assertThat(first.path("loc").toString()).isEqualTo("[\"query\",\"d\"]");
  }

  @Test
  void row04_asksForPasswordFirst_whenBothAreMissing() throws IOException {
    assertThat(PROXY.fetch("GET", "/proxy/stream").status()).isEqualTo(403);
  }

  @Test
  void row05_turnsWholePartialAnswerInto200_whenNoRangeWasAsked() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/v.mp4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
    assertThat(answer.fields("Content-Length")).containsExactly("10240");
    assertThat(answer.fields("Accept-Ranges")).containsExactly("bytes");
    assertThat(answer.field("Content-Range")).isEmpty();
  }

  @Test
  void row05_asksLikeABrowserForEverything() throws IOException {
    PROXY.fetch("GET", link("/v.mp4"));
    RecordedRequest request = origin.onlyRequest();
    assertThat(request.field("Range")).contains("bytes=0-");
    assertThat(request.field("User-Agent").orElse("")).startsWith("Mozilla/5.0").contains("Chrome");
  }

  @Test
  void row06_servesSuffixRange() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/v.mp4"), "Range: bytes=-5");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 10235-10239/10240");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(10_235, 10_240));
  }

  @Test
  void row07_servesWholeFile_whenOriginIgnoresRange() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/norange.mp4"), "Range: bytes=0-9");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Range")).isEmpty();
    assertThat(answer.bytes()).hasSize(ContractOrigin.SIZE);
  }

  @Test
  @Timeout(5)
  void row08_passesUnsatisfiableRange_afterOneCall() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/v.mp4"), "Range: bytes=99999-");
    assertThat(answer.status()).isEqualTo(416);
    assertThat(answer.field("Content-Range")).contains("bytes */10240");
    assertThat(origin.requests()).hasSize(1);
  }

  @Test
  void row09_answersHeadWithOneHead() throws IOException {
    RawAnswer answer = PROXY.fetch("HEAD", link("/v.mp4"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Length")).contains("10240");
    assertThat(origin.onlyRequest().method()).isEqualTo("HEAD");
  }

  @Test
  void row10_fallsBackToGet_whenOriginRefusesHead() throws IOException {
    StreamLink link = StreamLink.named("My%20Movie.mkv", origin.url("/nohead.mp4"));
    RawAnswer answer = PROXY.fetch("HEAD", link, PASSWORD, "Range: bytes=0-0");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("Content-Range")).contains("bytes 0-0/10240");
    assertThat(answer.field("Content-Disposition").orElse("")).contains("\"My Movie.mkv\"");
  }

  @Test
  void row11_namesFileInUtf8() throws IOException {
    StreamLink link = StreamLink.named("f%C3%A9%20%E6%97%A5.mkv", origin.url("/v.mp4"));
    RawAnswer answer = PROXY.fetch("GET", link, PASSWORD);
    assertThat(answer.field("Content-Disposition").orElse(""))
        .startsWith("attachment")
        .contains("filename*=UTF-8''f%C3%A9%20%E6%97%A5.mkv")
        .isASCII();
  }

  @Test
  void row12_keepsDispositionOneParameter_whenNameHasQuotes() throws IOException {
    StreamLink link = StreamLink.named("a%22;x=%22b.mp4", origin.url("/v.mp4"));
    RawAnswer answer = PROXY.fetch("GET", link, PASSWORD);
    String quoted = answer.field("Content-Disposition").orElse("").replaceAll("\\\\.", "");
    assertThat(quoted).startsWith("attachment; filename=\"");
    assertThat(quoted.replaceAll("\"[^\"]*\"", "")).doesNotContain("x=").doesNotContain("\"");
  }

  @Test
  void row12_usesLastSegmentOfName() throws IOException {
    StreamLink link = StreamLink.named("season%201/e01.mp4", origin.url("/v.mp4"));
    RawAnswer answer = PROXY.fetch("GET", link, PASSWORD);
    assertThat(answer.field("Content-Disposition").orElse("")).contains("\"e01.mp4\"");
  }

  @Test
  void row13_sendsNamedHeadersAndIgnoresEmptyOnes() throws IOException {
    String extra = "&h_referrer=http://r/&h_if-range=&h_range=&h_x-abc=1";
    assertThat(PROXY.fetch("GET", link("/v.mp4") + extra).status()).isEqualTo(200);
    RecordedRequest request = origin.onlyRequest();
    assertThat(request.field("referer")).contains("http://r/");
    assertThat(request.field("x-abc")).contains("1");
    assertThat(request.field("Range")).contains("bytes=0-");
    assertThat(request.fieldNames()).doesNotContain("if-range", "referrer");
  }

  @Test
  void row14_setsAndDropsResponseHeaders() throws IOException {
    String extra = "&r_content-type=x/y&rp_x-foo=bar&x_headers=content-length,etag";
    RawAnswer answer = PROXY.fetch("GET", link("/v.mp4") + extra);
    assertThat(answer.fields("Content-Type")).containsExactly("x/y");
    assertThat(answer.field("x-foo")).contains("bar");
    assertThat(answer.field("ETag")).isEmpty();
    assertThat(answer.field("Content-Length")).isEmpty();
    assertThat(answer.field("Transfer-Encoding")).contains("chunked");
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
    assertThat(origin.onlyRequest().fieldNames()).doesNotContain("x-foo");
  }

  @ParameterizedTest
  @ValueSource(strings = {"r_x=1%0D%0AX-Inj:y", "h_x=1%0D%0Ay", "rp_x=1%0Ay", "h_x=a%00b"})
  void row15_refusesControlCharacters(String parameter) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/v.mp4") + "&" + parameter);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail())
        .contains(parameter.substring(0, parameter.indexOf('=')));
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"?>", "??>", "???>"})
  void row16_readsUrlSafeBase64WithoutPadding(String odd) throws IOException {
    byte[] url = origin.url("/v.mp4?" + odd + "~~~" + odd).getBytes(StandardCharsets.UTF_8);
    String d = Base64.getUrlEncoder().withoutPadding().encodeToString(url);
    RawAnswer answer = PROXY.get(d, PASSWORD);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).hasSize(ContractOrigin.SIZE);
  }

  @Test
  void row16_readsStandardBase64() throws IOException {
    byte[] url = origin.url("/v.mp4?>>>???").getBytes(StandardCharsets.UTF_8);
    assertThat(PROXY.get(Base64.getEncoder().encodeToString(url), PASSWORD).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "notaurl"})
  @Timeout(5)
  void row17_refusesWhatIsNoHttpUrl(String d) throws IOException {
    RawAnswer answer = PROXY.get(d, PASSWORD);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({"404,''", "403,''", "429,7"})
  @Timeout(5)
  void row18_passesStatusAtOnce(int status, String retryAfter) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/st/" + status));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text()).doesNotContain("/st/", String.valueOf(origin.port()));
    assertThat(answer.field("Retry-After").orElse("")).startsWith(retryAfter);
    assertThat(origin.requests()).hasSize(1);
  }

  @Test
  @Timeout(10)
  void row19_givesUpOn503_afterAtMostThreeCalls() throws IOException {
    long start = System.nanoTime();
    RawAnswer answer = PROXY.fetch("GET", link("/st/503"));
    assertThat(System.nanoTime() - start).isLessThan(3_000_000_000L);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.field("Retry-After")).contains("7");
    assertThat(origin.requests()).hasSizeBetween(1, 3);
  }

  @Test
  void row20_decodesGzipNobodyAskedFor() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/gz"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Encoding")).isEmpty();
    assertThat(answer.field("Content-Length")).isEmpty();
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
    assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
  }

  @Test
  void row21_followsRedirect() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", link("/redir"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, ContractOrigin.SIZE));
  }

  @Test
  void row60_answersPreflight_withoutPassword() throws IOException {
    RawAnswer answer =
        PROXY.fetch(
            "OPTIONS",
            "/proxy/stream",
            "Origin: http://a.b",
            "Access-Control-Request-Method: GET",
            "Access-Control-Request-Headers: range");
    assertThat(answer.status()).isIn(200, 204);
    assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    assertThat(answer.field("Access-Control-Allow-Headers").orElse(""))
        .containsIgnoringCase("range");
    assertThat(answer.field("Access-Control-Max-Age")).contains("86400");
  }

  @Test
  void refusesOtherMethods() throws IOException {
    RawAnswer answer = PROXY.fetch("POST", link("/v.mp4"), "Content-Length: 0");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(ErrorBody.json(answer).path("detail").asString()).isEqualTo("Method Not Allowed");
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void treatsTrailingSlashLikeNone() throws IOException {
    String target = link("/v.mp4").replace("/proxy/stream?", "/proxy/stream/?");
    assertThat(PROXY.fetch("GET", target).status()).isEqualTo(200);
  }

  @Test
  void takesLastOfRepeatedParameters() throws IOException {
    String target = link("/st/404") + link("/v.mp4").replace("/proxy/stream?", "&");
    assertThat(PROXY.fetch("GET", target).status()).isEqualTo(200);
  }

  private String link(String path) {
    return StreamLink.to(origin.url(path)).with("api_password", "pw").toString();
  }
}
