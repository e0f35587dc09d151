package dev.millrace.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkFormat;
import dev.millrace.link.LinkTokenException;
import dev.millrace.link.LinkTokens;
import dev.millrace.link.LinkTokens.OpenedLink;
import dev.millrace.proxy.FrontEndConfig;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.TestSettings;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The routes that make links, as clients call them (contract §6, §7, §21 rows 28 to 32). */
@Timeout(60)
class LinkGenerationIT {
  private static final String PASSWORD = "pw-of-this-test";
  private static final LinkTokens TOKENS =
      new LinkTokens(PASSWORD, TestSettings.LINKS.secrets(), LinkFormat.V2, true);

  @AutoClose
  private static final RunningMillrace PROXY =
      RunningMillrace.start(settings -> settings.password(PASSWORD));

  /** Apostrophes stand for quotes. */
  private static RawAnswer post(RunningMillrace proxy, String route, String json)
      throws IOException {
    String bytes = new String(json.replace('\'', '"').getBytes(UTF_8), ISO_8859_1);
    try (RawHttp client = RawHttp.connect(proxy.port())) {
      client.request(
          "POST", route, "Content-Type: application/json", "Content-Length: " + bytes.length());
      client.send(bytes);
      return client.answer("POST");
    }
  }

  private static RawAnswer post(String route, String json) throws IOException {
    return post(PROXY, route, json);
  }

  private static String url(RawAnswer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return ErrorBody.json(answer).path("url").asString();
  }

  private static List<String> urls(RawAnswer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return ErrorBody.json(answer).path("urls").valueStream().map(JsonNode::asString).toList();
  }

  private static OpenedLink opened(String url) throws LinkTokenException {
    return TOKENS.open(url.replaceFirst(".*/_token_([^/]*).*", "$1"));
  }

  /** What it asks for at the server under test, whatever host it names. */
  private static RawAnswer follow(RunningMillrace proxy, String url) throws IOException {
    return proxy.fetch("GET", url.replaceFirst("https?://[^/]*", ""));
  }

  // rows of the contract

  private static final String EXAMPLE =
      "{'mediaflow_proxy_url':'http://p:8888','endpoint':'/proxy/stream',"
          + "'destination_url':'http://cdn/v.mp4','query_params':{'a':'b c'},"
          + "'request_headers':{'Referer':'http://r/','Range':'bytes=1-'},"
          + "'response_headers':{'r_cache-control':'no-cache'},"
          + "'propagate_response_headers':{'content-type':'video/mp2t'},"
          + "'remove_response_headers':['content-length','etag'],'filename':'A b.mp4'%s}";

  @ParameterizedTest
  @ValueSource(strings = {"/generate_url", "/proxy/generate_url"})
  void row28_makesTheLinkOfTheContract(String route) throws IOException {
    RawAnswer answer = post(route, EXAMPLE.formatted(""));

    assertThat(answer.text())
        .isEqualTo(
            "{\"url\":\"http://p:8888/proxy/stream/A%20b.mp4?a=b+c&d=http%3A%2F%2Fcdn%2Fv.mp4"
                + "&h_Referer=http%3A%2F%2Fr%2F&r_cache-control=no-cache"
                + "&rp_content-type=video%2Fmp2t&x_headers=content-length%2Cetag\"}");
    assertThat(answer.field("Cache-Control")).contains("no-store");
    assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    assertThat(answer.field("X-Content-Type-Options")).contains("nosniff");
  }

  @Test
  void row28_sealsTheLinkOfTheContract() throws Exception {
    String url =
        url(
            post(
                "/generate_url",
                EXAMPLE.formatted(",'api_password':'" + PASSWORD + "','expiration':3600")));

    assertThat(url).matches("http://p:8888/_token_[A-Za-z0-9._-]+/proxy/stream/A%20b\\.mp4");
    OpenedLink link = opened(url);
    assertThat(link.isAuthentic()).isTrue();
    assertThat(link.link().parameters())
        .containsEntry("a", "b c")
        .containsEntry("d", "http://cdn/v.mp4")
        .containsEntry("h_Referer", "http://r/")
        .doesNotContainKey("api_password");
    assertThat(link.link().rights().routeFamily()).contains("stream");
    assertThat(link.link().rights().expiry().orElseThrow())
        .isBetween(Instant.now().plusSeconds(3_540), Instant.now().plusSeconds(3_601));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/generate_urls", "/proxy/generate_urls"})
  void row29_sealsManyInOrder(String route) throws Exception {
    List<String> urls =
        urls(
            post(
                route,
                "{'mediaflow_proxy_url':'https://h/mfp','api_password':'"
                    + PASSWORD
                    + "','ip':'203.0.113.7','urls':["
                    + "{'endpoint':'/proxy/stream','destination_url':'http://u/1','query_params':null},"
                    + "{'endpoint':'/proxy/hls/manifest.m3u8','destination_url':'http://u/2',"
                    + "'query_params':null}]}"));

    assertThat(urls).hasSize(2);
    assertThat(urls.get(0)).matches("https://h/mfp/_token_[^/]+/proxy/stream");
    assertThat(urls.get(1)).matches("https://h/mfp/_token_[^/]+/proxy/hls/manifest\\.m3u8");
    assertThat(opened(urls.get(0)).link().parameters()).containsEntry("d", "http://u/1");
    assertThat(opened(urls.get(0)).link().rights().clientAddress()).contains("203.0.113.7");
    assertThat(opened(urls.get(1)).link().rights().routeFamily()).contains("hls");
  }

  @Test
  void row30_isOpen() throws IOException {
    assertThat(
            urls(
                post(
                    "/generate_urls",
                    "{'mediaflow_proxy_url':'http://p','urls':[{'endpoint':'/proxy/stream',"
                        + "'destination_url':'http://u/1'}]}")))
        .containsExactly("http://p/proxy/stream?d=http%3A%2F%2Fu%2F1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/generate_encrypted_or_encoded_url", "/proxy/generate_encrypted_or_encoded_url"})
  void row31_callsItOtherwise(String route) throws IOException {
    RawAnswer answer =
        post(
            route,
            "{'mediaflow_proxy_url':'http://p','endpoint':'/proxy/stream',"
                + "'destination_url':'http://u/?>','base64_encode_destination':true}");

    assertThat(answer.text())
        .isEqualTo("{\"encoded_url\":\"http://p/proxy/stream?d=aHR0cDovL3UvPz4\"}");
  }

  @Test
  void row32_keepsThePathOfTheBase() throws IOException {
    assertThat(
            url(
                post(
                    "/generate_url",
                    "{'mediaflow_proxy_url':'https://h/mfp','endpoint':'/proxy/stream',"
                        + "'destination_url':'http://u/'}")))
        .isEqualTo("https://h/mfp/proxy/stream?d=http%3A%2F%2Fu%2F");
  }

  @Test
  void answersAsTheDocumentationSays() throws IOException {
    String[] blocks = Files.readString(Path.of("docs/links-api.md")).split("```json\n", -1);
    assertThat(blocks).hasSize(3);
    String json = blocks[1].substring(0, blocks[1].indexOf("```"));
    String expected = blocks[2].substring(0, blocks[2].indexOf("```")).strip();

    assertThat(post("/generate_url", json).text()).isEqualTo(expected);
    RawAnswer refused =
        post(
            "/generate_urls", "{'mediaflow_proxy_url':'http://p','urls':[{},{'query_params':[]}]}");
    assertThat(blocks[2]).contains(refused.text());
  }

  // from the request to the bytes

  /** As an add-on server asks: absent keys are left out, one link has a file name, one headers. */
  private static String addOn(OriginServer origin, String root, String queryParams) {
    return "{'mediaflow_proxy_url':'https://media.example/mfp'"
        + root
        + ",'urls':[{'endpoint':'/proxy/stream','filename':'Film é (2020).mkv','destination_url':'"
        + origin.url("/1?sig=a%2Bb")
        + "'"
        + queryParams
        + "},{'endpoint':'/proxy/stream','filename':'b.mp4','destination_url':'"
        + origin.url("/2")
        + "','request_headers':{'User-Agent':'x/1','Referer':'http://r/'},"
        + "'response_headers':{'content-type':'video/x-matroska'}"
        + queryParams
        + "}]}";
  }

  private static List<RawAnswer> followAll(RunningMillrace proxy, List<String> urls)
      throws IOException {
    List<RawAnswer> answers = new ArrayList<>();
    for (String url : urls) {
      assertThat(url).startsWith("https://media.example/mfp/");
      answers.add(follow(proxy, url.replace("/mfp", "")));
    }
    return answers;
  }

  private static void assertPlays(OriginServer origin, List<RawAnswer> answers) {
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).as(answer.text()).isEqualTo(200);
              assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 500));
            });
    assertThat(answers.get(0).field("Content-Disposition").orElse("")).contains("Film");
    assertThat(answers.get(1).field("Content-Type")).contains("video/x-matroska");
    assertThat(origin.requests().get(0).target()).isEqualTo("/1?sig=a%2Bb");
    assertThat(origin.requests().get(1).field("User-Agent")).contains("x/1");
  }

  @Test
  void playsWhatAnAddOnServerAskedFor_sealed() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(500))) {
      String json = addOn(origin, ",'api_password':'" + PASSWORD + "'", "");
      List<String> urls = urls(post("/generate_urls", json));

      assertThat(urls).allSatisfy(url -> assertThat(url).contains("/_token_").doesNotContain("?"));
      assertPlays(origin, followAll(PROXY, urls));
    }
  }

  /** Then the password stands in the parameters, unchecked until the link is used. */
  @Test
  void playsWhatAnAddOnServerAskedFor_plain() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(500))) {
      String json = addOn(origin, "", ",'query_params':{'api_password':'" + PASSWORD + "'}");
      List<String> urls = urls(post("/generate_urls", json));

      assertThat(urls).allSatisfy(url -> assertThat(url).contains("api_password=" + PASSWORD));
      assertPlays(origin, followAll(PROXY, urls));
      List<String> wrong = urls(post("/generate_urls", json.replace(PASSWORD, "wrong")));
      assertThat(followAll(PROXY, wrong)).extracting(RawAnswer::status).containsOnly(403);
    }
  }

  @Test
  void playsCompatibleLinks_whenThatIsTheFormat() throws Exception {
    LinkConfig compatible =
        new LinkConfig(
            TestSettings.LINKS.secrets(), Optional.empty(), false, LinkFormat.COMPATIBLE, true);
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(500));
        RunningMillrace proxy =
            RunningMillrace.start(settings -> settings.password(PASSWORD).link(compatible))) {
      List<String> urls =
          urls(
              post(
                  proxy,
                  "/generate_urls",
                  addOn(origin, ",'api_password':'" + PASSWORD + "'", "")));

      assertThat(opened(urls.get(0)).isAuthentic()).isFalse();
      assertPlays(origin, followAll(proxy, urls));
    }
  }

  // passwords

  @ParameterizedTest
  @ValueSource(strings = {"/generate_url", "/generate_urls", "/generate_encrypted_or_encoded_url"})
  void makesNoSealedLink_forAnotherPassword(String route) throws IOException {
    RawAnswer answer =
        post(
            route,
            "{'mediaflow_proxy_url':'http://p','api_password':'hunter2','urls':[],"
                + "'destination_url':'http://u/'}");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(ErrorBody.of(answer).detail()).isEqualTo("Could not validate credentials");
    assertThat(answer.text()).doesNotContain("hunter2").doesNotContain("_token_");
  }

  @Test
  void takesAnEmptyPasswordForNone() throws IOException {
    assertThat(
            url(
                post(
                    "/generate_url",
                    "{'mediaflow_proxy_url':'http://p','endpoint':'','api_password':'',"
                        + "'destination_url':'http://u/'}")))
        .isEqualTo("http://p?d=http%3A%2F%2Fu%2F");
  }

  @Test
  void makesPlainLinks_whenTheServerHasNoPassword() throws IOException {
    try (RunningMillrace open = RunningMillrace.start()) {
      String json =
          "{'mediaflow_proxy_url':'http://p','endpoint':'/proxy/stream','api_password':'hunter2',"
              + "'destination_url':'http://u/'%s}";

      assertThat(url(post(open, "/generate_url", json.formatted(""))))
          .isEqualTo("http://p/proxy/stream?d=http%3A%2F%2Fu%2F");
      for (String limit : List.of(",'expiration':5", ",'ip':'192.0.2.1'")) {
        RawAnswer refused = post(open, "/generate_url", json.formatted(limit));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text()).contains("API_PASSWORD").doesNotContain("hunter2");
      }
    }
  }

  @Test
  void refusesToSealMoreThanATokenHolds() throws IOException {
    RawAnswer answer =
        post(
            "/generate_url",
            "{'mediaflow_proxy_url':'http://p','api_password':'"
                + PASSWORD
                + "','destination_url':'http://u/"
                + "a".repeat(16_000)
                + "'}");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("too long").doesNotContain("aaa");
  }

  // bodies

  @Test
  void tellsWhatIsMissing_whenThereIsNoBody() throws IOException {
    for (String[] fields : new String[][] {{}, {"Content-Length: 0"}}) {
      RawAnswer answer = PROXY.fetch("POST", "/generate_url", fields);

      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.text())
          .isEqualTo(
              "{\"detail\":[{\"type\":\"missing\",\"loc\":[\"body\"],\"msg\":\"Field required\","
                  + "\"input\":null}]}");
    }
  }

  @Test
  void tellsWhere_whenTheBodyIsNoJson() throws IOException {
    RawAnswer answer = post("/generate_url", "{'a':1,,}");
    JsonNode detail = ErrorBody.json(answer).path("detail").path(0);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(detail.path("type").asString()).isEqualTo("json_invalid");
    assertThat(detail.path("loc").path(0).asString()).isEqualTo("body");
    assertThat(detail.path("loc").path(1).isIntegralNumber()).isTrue();
  }

  @Test
  void tellsTheIndexOfTheLinkThatIsWrong() throws IOException {
    RawAnswer answer =
        post(
            "/generate_urls", "{'mediaflow_proxy_url':'http://p','urls':[{},{'query_params':[]}]}");

    assertThat(answer.text()).contains("\"loc\":[\"body\",\"urls\",1,\"query_params\"]");
  }

  @Test
  void makesAThousandLinksAtOnce_andNoMore() throws IOException {
    assertThat(urls(post("/generate_urls", thousand(1_000)))).hasSize(1_000);
    assertThat(post("/generate_urls", thousand(1_001)).status()).isEqualTo(422);
  }

  private static String thousand(int count) {
    return "{'mediaflow_proxy_url':'http://p','api_password':'"
        + PASSWORD
        + "','urls':["
        + IntStream.range(0, count)
            .mapToObj(i -> "{'endpoint':'/proxy/stream','destination_url':'http://u/" + i + "'}")
            .collect(Collectors.joining(","))
        + "]}";
  }

  @Test
  void namesItself_whenTheBaseIsNull() throws IOException {
    assertThat(
            url(
                post(
                    "/generate_url",
                    "{'mediaflow_proxy_url':null,'endpoint':'/proxy/stream',"
                        + "'destination_url':'http://u/'}")))
        .isEqualTo("http://127.0.0.1:" + PROXY.port() + "/proxy/stream?d=http%3A%2F%2Fu%2F");
  }

  @Test
  void namesItselfAsClientsKnowIt_whenTheBaseIsEmpty() throws IOException {
    FrontEndConfig front =
        new FrontEndConfig(List.of(), Optional.of("https://pub.example/mfp"), "/mfp");
    try (RunningMillrace proxy =
        RunningMillrace.start(settings -> settings.password(PASSWORD).frontEnd(front))) {
      String sealed =
          url(
              post(
                  proxy,
                  "/generate_url",
                  "{'mediaflow_proxy_url':'','endpoint':'/proxy/stream','api_password':'"
                      + PASSWORD
                      + "','destination_url':'http://u/'}"));

      assertThat(sealed).matches("https://pub\\.example/mfp/_token_[^/]+/proxy/stream");
    }
  }

  @Test
  void makesLinksOverHttp2() throws IOException {
    ExternalProgram curl = ExternalProgram.required("curl");
    try (RunningMillrace proxy = RunningMillrace.start(TestSettings::selfSigned)) {
      String out =
          curl.run(
                  Duration.ofSeconds(20),
                  "-sk",
                  "--http2",
                  "-w",
                  " %{http_version} %{http_code}",
                  "-d",
                  "{\"mediaflow_proxy_url\":\"http://p\",\"destination_url\":\"http://u/\"}",
                  proxy.url("/generate_url"))
              .output();

      assertThat(out).isEqualTo("{\"url\":\"http://p?d=http%3A%2F%2Fu%2F\"} 2 200");
    }
  }

  @Test
  void answersGetAsEverywhere() throws IOException {
    RawAnswer answer = PROXY.fetch("GET", "/generate_url");

    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.field("Allow")).contains("OPTIONS, POST");
  }

  // base64

  private static final String CODED = "aHR0cHM6Ly9leGFtcGxlLmNvbS92aWRlby5tcDQ";

  private static final String CLEAR = "https://example.com/video.mp4";

  /** Without body, Content-Length and Content-Type, as the older program wants it. */
  @Test
  void convertsWhatStandsInTheQuery() throws IOException {
    assertThat(
            PROXY.fetch("POST", "/base64/encode?url=https%3A%2F%2Fexample.com%2Fvideo.mp4").text())
        .isEqualTo("{\"encoded_url\":\"" + CODED + "\",\"original_url\":\"" + CLEAR + "\"}");
    assertThat(PROXY.fetch("POST", "/base64/decode?encoded_url=" + CODED).text())
        .isEqualTo("{\"decoded_url\":\"" + CLEAR + "\",\"encoded_url\":\"" + CODED + "\"}");
    assertThat(PROXY.fetch("GET", "/base64/check?url=" + CODED).text())
        .isEqualTo(
            "{\"url\":\"" + CODED + "\",\"is_base64\":true,\"decoded_url\":\"" + CLEAR + "\"}");
  }

  @Test
  void convertsWhatStandsInTheBody() throws IOException {
    assertThat(post("/base64/encode", "{'url':'" + CLEAR + "'}").text()).contains(CODED);
    assertThat(post("/base64/decode", "{'encoded_url':'" + CODED + "'}").text()).contains(CLEAR);
  }

  @ParameterizedTest
  @CsvSource({
    "aHR0cDovL3UvPz4_Pw,http://u/?>??",
    "aHR0cDovL3UvPz4/Pw,http://u/?>??",
    "aHR0cDovL3UvPz4/Pw%3D%3D,http://u/?>??",
    "aHR0cDovL3UvPj4+,http://u/>>>",
    "aHR0cDovL3UvPj4%2B,http://u/>>>",
    "aHR0cDovL3UvPj4-,http://u/>>>",
  })
  void readsBothAlphabets(String coded, String clear) throws IOException {
    RawAnswer answer = PROXY.fetch("POST", "/base64/decode?encoded_url=" + coded);

    assertThat(ErrorBody.json(answer).path("decoded_url").asString()).isEqualTo(clear);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"aGVsbG8gd29ybGQ", "https%3A%2F%2Fexample.com", "%25%25%25", "aHR0cDovLw", "x"})
  void decodesAddressesOnly(String coded) throws IOException {
    RawAnswer answer = PROXY.fetch("POST", "/base64/decode?encoded_url=" + coded);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).isEqualTo("{\"detail\":\"Invalid base64 encoded URL\"}");
    assertThat(PROXY.fetch("GET", "/base64/check?url=" + coded).text())
        .endsWith(",\"is_base64\":false}");
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/base64/encode,url",
    "POST,/base64/decode,encoded_url",
    "GET,/base64/check,url"
  })
  void tellsWhichParameterIsMissing(String method, String route, String parameter)
      throws IOException {
    RawAnswer answer = PROXY.fetch(method, route);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text())
        .startsWith("{\"detail\":[{\"type\":\"missing\",\"loc\":[\"query\",\"" + parameter + "\"]");
  }
}
