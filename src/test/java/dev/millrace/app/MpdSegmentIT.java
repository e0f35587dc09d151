package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CutMovie;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawBody;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SampleProtector;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /proxy/mpd/segment.mp4} and {@code init.mp4}: media of presentations, clear. */
@Timeout(120)
class MpdSegmentIT {
  private static final byte[] CLIP = CutMovie.clip();
  private static final CutMovie CLEAR = CutMovie.of(CLIP);
  private static final SampleProtector CENC =
      SampleProtector.of("cenc").subsamples(SampleProtector.TWO);
  private static final ProtectedMovie MOVIE = CencEncryptor.of(CENC).encrypt(CLIP);
  private static final SampleProtector OTHER =
      CENC.key("ffeeddccbbaa99887766554433221100", "00112233445566778899aabbccddee00");

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final Map<String, Script> files = new ConcurrentHashMap<>();
  private final OriginServer origin =
      OriginServer.start(
          exchange ->
              files
                  .getOrDefault(exchange.request().path(), ToyOrigins.status(404))
                  .answer(exchange));

  MpdSegmentIT() {
    serve(MOVIE);
  }

  private void serve(ProtectedMovie movie) {
    files.put("/init", content(movie.init()));
    files.put("/all", content(movie.media()));
    for (int i = 0; i < movie.fragments().size(); i++) {
      files.put("/s" + i, content(movie.fragments().get(i)));
    }
  }

  private static Script content(byte[] bytes) {
    return ToyOrigins.content(bytes, "application/octet-stream");
  }

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  private MpdLink initLink() {
    return MpdLink.init(origin.url("/init")).key(CENC);
  }

  private MpdLink link(String path) {
    return MpdLink.segment(origin.url(path)).with("init_url", origin.url("/init")).key(CENC);
  }

  private MpdLink mapped(String path) {
    return link(path).with("use_map", "true");
  }

  private static RawAnswer get(MpdLink link, String... fields) throws IOException {
    return PROXY.fetch("GET", link.toString(), fields);
  }

  private List<String> asked() {
    return origin.requests().stream().map(r -> r.method() + " " + r.path()).sorted().toList();
  }

  static Stream<SampleProtector> schemes() {
    return Stream.of("cenc", "cens", "cbc1", "cbcs")
        .map(SampleProtector::of)
        .map(protector -> protector.subsamples(SampleProtector.TWO));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void deliversInitAndSegmentsClear(SampleProtector scheme) throws IOException {
    ProtectedMovie movie = CencEncryptor.of(scheme).encrypt(CLIP);
    serve(movie);
    RawAnswer init = get(initLink());
    assertThat(init.status()).isEqualTo(200);
    assertThat(init.bytes()).hasSameSizeAs(movie.init());
    assertThat(new String(init.bytes(), StandardCharsets.ISO_8859_1))
        .doesNotContain("encv", "enca", "sinf", "pssh");
    for (int i = 0; i < movie.fragments().size(); i++) {
      RawAnswer segment = get(mapped("/s" + i));
      assertThat(segment.status()).isEqualTo(200);
      assertThat(segment.end()).isEqualTo(BodyEnd.COMPLETE);
      assertThat(segment.field("Content-Type")).contains("video/mp4");
      assertThat(segment.field("Content-Length"))
          .contains(String.valueOf(movie.fragments().get(i).length));
      assertThat(ProtectedMovie.payloads(segment.bytes()))
          .containsExactly(movie.clearPayloads().get(i));
    }
  }

  @Test
  void isPlayedByFfmpeg(@TempDir Path directory) throws IOException {
    byte[] init = get(initLink()).bytes();
    byte[] media = get(mapped("/all")).bytes();
    Path clear = Files.write(directory.resolve("clear.mp4"), CLIP);
    Path made = Files.write(directory.resolve("made.mp4"), CutMovie.joined(init, media));
    assertThat(frames(made)).hasSizeGreaterThan(5_000).isEqualTo(frames(clear));
  }

  private static String frames(Path file) throws IOException {
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg")
            .run(
                Duration.ofSeconds(60),
                ("-v error -i " + file + " -map 0 -f framemd5 -").split(" "));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    assertThat(outcome.errors()).isEmpty();
    return outcome.output();
  }

  @Test
  void putsTheInitBefore_withoutMap() throws IOException {
    byte[] init = get(initLink()).bytes();
    byte[] media = get(mapped("/s1")).bytes();
    RawAnswer answer = get(link("/s1"));
    assertThat(answer.bytes()).isEqualTo(CutMovie.joined(init, media));
    assertThat(answer.field("Content-Length")).contains("" + (init.length + media.length));
  }

  @Test
  void usesTheSegmentsOwnInit() throws IOException {
    files.put("/own", content(CutMovie.joined(MOVIE.init(), MOVIE.fragments().get(0))));
    byte[] expected = CutMovie.joined(get(initLink()).bytes(), get(mapped("/s0")).bytes());
    assertThat(get(link("/own")).bytes()).isEqualTo(expected);
    assertThat(get(MpdLink.segment(origin.url("/own")).key(CENC)).bytes()).isEqualTo(expected);
  }

  @Test
  void blanksTheSegmentsOwnInit_withMap() throws IOException {
    files.put("/own", content(CutMovie.joined(MOVIE.init(), MOVIE.fragments().get(0))));
    byte[] media = get(mapped("/s0")).bytes();
    byte[] answer = get(mapped("/own")).bytes();
    assertThat(answer).hasSize(MOVIE.init().length + media.length).endsWith(media);
    assertThat(new String(answer, 0, MOVIE.init().length, StandardCharsets.ISO_8859_1))
        .doesNotContain("moov", "ftyp", "trak")
        .contains("free");
  }

  @Test
  void passesEverythingAsItIs_withoutKeys() throws IOException {
    MpdLink plain = MpdLink.segment(origin.url("/s0")).with("init_url", origin.url("/init"));
    assertThat(get(plain.with("use_map", "1")).bytes()).isEqualTo(MOVIE.fragments().get(0));
    assertThat(asked()).containsExactly("GET /s0");
    assertThat(get(plain).bytes())
        .isEqualTo(CutMovie.joined(MOVIE.init(), MOVIE.fragments().get(0)));
    assertThat(get(MpdLink.init(origin.url("/init"))).bytes()).isEqualTo(MOVIE.init());
  }

  @Test
  void passesOtherMedia_withoutKeys() throws IOException {
    files.put("/webm", exchange -> exchange.text(200, "\u001aE\u00df\u00a3 other media"));
    MpdLink link = MpdLink.segment(origin.url("/webm")).with("mime_type", "video/webm");
    RawAnswer answer = get(link);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).contains("video/webm");
    assertThat(get(link.with("init_url", origin.url("/webm")).with("shift", "1/1")).status())
        .isEqualTo(502);
    assertThat(get(MpdLink.init(origin.url("/webm")).with("mime_type", "video/webm")).bytes())
        .isEqualTo(answer.bytes());
  }

  @Test
  void shiftsTimes_withAndWithoutKeys() throws IOException {
    byte[] unshifted = get(mapped("/s2")).bytes();
    byte[] shifted = get(mapped("/s2").with("shift", "3/2")).bytes();
    assertThat(shifted).hasSameSizeAs(unshifted).isNotEqualTo(unshifted);
    assertThat(get(mapped("/s2").with("shift", "0/2")).bytes()).isEqualTo(unshifted);
    files.put("/clear", content(CLEAR.fragments().get(2)));
    byte[] clear =
        get(MpdLink.segment(origin.url("/clear"))
                .with("init_url", origin.url("/init"))
                .with("use_map", "true")
                .with("shift", "3/2"))
            .bytes();
    assertThat(clear)
        .hasSameSizeAs(CLEAR.fragments().get(2))
        .isNotEqualTo(CLEAR.fragments().get(2));
  }

  @Test
  void takesBytesOneByOne() throws IOException {
    byte[] expected = get(mapped("/s0")).bytes();
    byte[] start = Arrays.copyOf(MOVIE.fragments().get(0), 6_000);
    byte[] rest = Arrays.copyOfRange(MOVIE.fragments().get(0), 6_000, expected.length);
    files.put(
        "/slow",
        exchange -> {
          exchange.head(200, "Content-Length: " + expected.length);
          for (byte b : start) {
            exchange.write(new byte[] {b});
          }
          exchange.write(rest);
        });
    assertThat(get(mapped("/slow")).bytes()).isEqualTo(expected);
  }

  @Test
  void asksForBothAtOnce() throws IOException {
    CountDownLatch mediaAsked = new CountDownLatch(1);
    files.put(
        "/s0",
        exchange -> {
          mediaAsked.countDown();
          content(MOVIE.fragments().get(0)).answer(exchange);
        });
    files.put(
        "/init",
        exchange -> {
          Await.until("both", Duration.ofSeconds(5), () -> mediaAsked.getCount() == 0);
          content(MOVIE.init()).answer(exchange);
        });
    assertThat(get(mapped("/s0")).status()).isEqualTo(200);
  }

  /** The origin goes on only when the client has what it has sent. */
  @Test
  void isNeverMoreBehindThanAFragmentAndALittle() throws Exception {
    byte[] segment = MOVIE.fragments().get(0);
    CountDownLatch seen = new CountDownLatch(1);
    int sent = moofEnd(segment) + 2_000;
    files.put(
        "/trickle",
        exchange -> {
          exchange.head(200, "Content-Length: " + segment.length);
          exchange.write(Arrays.copyOf(segment, sent));
          Await.until("seen", Duration.ofSeconds(10), () -> seen.getCount() == 0);
          exchange.write(Arrays.copyOfRange(segment, sent, segment.length));
        });
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request("GET", mapped("/trickle").toString());
      var head = client.head();
      assertThat(head.status()).isEqualTo(200);
      RawBody body = client.body("GET", head);
      assertThat(body.readFirst(moofEnd(segment) + 1_000)).hasSize(moofEnd(segment) + 1_000);
      seen.countDown();
      assertThat(body.readAll().end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  private static int moofEnd(byte[] segment) {
    java.nio.ByteBuffer boxes = java.nio.ByteBuffer.wrap(segment);
    int at = 0;
    while (boxes.getInt(at + 4) != 0x6d6f6f66) {
      at += boxes.getInt(at);
    }
    return at + boxes.getInt(at);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 10_000})
  void abortsOrRefuses_whenTheOriginIsCut(int kept) throws IOException {
    byte[] segment = MOVIE.media();
    files.put(
        "/cut",
        exchange -> {
          exchange.head(200, "Transfer-Encoding: chunked");
          exchange.chunk(Arrays.copyOf(segment, kept));
          exchange.pause(Duration.ofMillis(300));
          exchange.cut();
        });
    RawAnswer answer = get(mapped("/cut"));
    if (kept < moofEnd(segment)) {
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.text()).isEqualTo("Segment unavailable");
    } else {
      assertThat(answer.end().isAbort()).isTrue();
      assertThat(get(mapped("/all")).bytes()).startsWith(answer.bytes());
    }
  }

  @Test
  void neverEndsAsIfWhole_whenTheOriginEndsInTheMiddle() throws IOException {
    byte[] segment = MOVIE.media();
    byte[] half = Arrays.copyOf(segment, segment.length / 2);
    files.put("/half", exchange -> exchange.bytes(200, half));
    RawAnswer answer = get(mapped("/half"));
    assertThat(answer.status() == 502 || answer.end().isAbort()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"403", "404", "410", "401", "429", "500", "503"})
  void answers404InText_whenTheSegmentIsRefused(int status) throws IOException {
    files.put("/s0", ToyOrigins.status(status));
    RawAnswer answer = get(mapped("/s0"));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text()).isEqualTo("Segment unavailable");
    assertThat(answer.field("Content-Type")).contains("text/plain;charset=utf-8");
    assertThat(PROXY.fetch("HEAD", mapped("/s0").toString()).status()).isEqualTo(404);
  }

  @Test
  void answers404InText_whenTheOriginIsNotThere() throws IOException {
    MpdLink link =
        MpdLink.segment("http://127.0.0.1:1/s").with("init_url", origin.url("/init")).key(CENC);
    assertThat(get(link).status()).isEqualTo(404);
    assertThat(get(link).text()).isEqualTo("Segment unavailable");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 500})
  void answers502_whenTheInitIsRefused(int status) throws IOException {
    files.put("/init", ToyOrigins.status(status));
    for (MpdLink link : List.of(mapped("/s0"), link("/s0"), initLink())) {
      RawAnswer answer = get(link);
      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("init_unavailable");
      assertThat(ErrorBody.of(answer).detail()).contains("init_url").contains("" + status);
    }
    Await.until("let go", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<!DOCTYPE html><html><body>Please log in</body></html>", "", "x"})
  void answers502_whenTheInitIsNone(String text) throws IOException {
    files.put("/init", exchange -> exchange.text(200, text, "Content-Type: text/html"));
    for (MpdLink link :
        List.of(mapped("/s0"), link("/s0"), initLink(), MpdLink.init(origin.url("/init")))) {
      assertThat(get(link).status()).isEqualTo(502);
    }
  }

  @Test
  void answers502_whenTheSegmentIsAPage() throws IOException {
    files.put("/s0", exchange -> exchange.text(200, "<!DOCTYPE html><html></html>"));
    RawAnswer answer = get(mapped("/s0"));
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("unsupported_media");
  }

  @Test
  void answers400BeforeAnything_whenNoKeyFits() throws IOException {
    MpdLink link =
        MpdLink.segment(origin.url("/s0"))
            .with("init_url", origin.url("/init"))
            .with(
                "key",
                OTHER.kid() + ":" + OTHER.key() + "," + "11".repeat(16) + ":" + "22".repeat(16));
    for (MpdLink form : List.of(link, link.with("use_map", "true"))) {
      RawAnswer answer = get(form);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("key_missing");
      assertThat(answer.text()).contains(CENC.kid()).doesNotContain(OTHER.key());
    }
  }

  @Test
  void decrypts_withTheOnlyKeyWhateverItsId() throws IOException {
    MpdLink link =
        MpdLink.segment(origin.url("/s0"))
            .with("init_url", origin.url("/init"))
            .with("key_id", OTHER.kid())
            .with("key", CENC.key());
    assertThat(ProtectedMovie.payloads(get(link).bytes()))
        .containsExactly(MOVIE.clearPayloads().get(0));
  }

  @Test
  void aborts_whenAKeyIsMissingLater() throws IOException {
    ProtectedMovie movie = CencEncryptor.of(CENC).rotating(CENC, OTHER).encrypt(CLIP);
    byte[] first = movie.fragments().get(0);
    files.put("/init", content(movie.init()));
    CountDownLatch seen = new CountDownLatch(1);
    files.put(
        "/rotated",
        exchange -> {
          exchange.head(200, "Content-Length: " + movie.media().length);
          exchange.write(first);
          Await.until("seen", Duration.ofSeconds(10), () -> seen.getCount() == 0);
          exchange.write(Arrays.copyOfRange(movie.media(), first.length, movie.media().length));
        });
    MpdLink two =
        MpdLink.segment(origin.url("/rotated"))
            .with("init_url", origin.url("/init"))
            .with("use_map", "true")
            .with(
                "key",
                CENC.kid() + ":" + CENC.key() + "," + "11".repeat(16) + ":" + "22".repeat(16));
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request("GET", two.toString());
      RawBody body = client.body("GET", client.head());
      byte[] begun = body.readFirst(first.length);
      seen.countDown();
      assertThat(ProtectedMovie.payloads(begun)).containsExactly(movie.clearPayloads().get(0));
      assertThat(body.readAll().end().isAbort()).isTrue();
    }
  }

  @Test
  void answersHead_asGetWithoutItsBody() throws IOException {
    for (MpdLink link : List.of(mapped("/s0"), link("/s0"), initLink())) {
      RawAnswer get = get(link);
      RawAnswer head = PROXY.fetch("HEAD", link.toString());
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.bytes()).isEmpty();
      assertThat(head.field("Content-Length")).isEqualTo(get.field("Content-Length"));
      assertThat(head.field("Content-Type")).isEqualTo(get.field("Content-Type"));
    }
  }

  @Test
  void sendsFieldsWithBoth_andSetsThoseOfTheResponse() throws IOException {
    files.put("/init", ToyOrigins.onlyWith("Cookie", "a=b", files.get("/init")));
    files.put("/s0", ToyOrigins.onlyWith("Cookie", "a=b", files.get("/s0")));
    assertThat(get(mapped("/s0")).status()).isIn(404, 502);
    RawAnswer answer =
        get(mapped("/s0").with("h_cookie", "a=b").with("r_x-one", "1").with("rp_x-two", "2"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("X-One")).contains("1");
    assertThat(answer.field("X-Two")).contains("2");
    assertThat(origin.requests()).allMatch(request -> request.field("X-Two").isEmpty());
  }

  @Test
  void letsGoOfBoth_whenTheClientLeaves() throws IOException {
    files.put("/init", exchange -> exchange.hold());
    files.put("/s0", exchange -> exchange.hold());
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request("GET", mapped("/s0").toString());
      Await.until("asked", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 2);
    }
    Await.until("let go", Duration.ofSeconds(8), () -> origin.requestsInProgress() == 0);
  }

  @Test
  void letsGoOfTheInit_whenTheSegmentIsRefused() throws IOException {
    files.put("/init", exchange -> exchange.hold());
    files.put("/s0", ToyOrigins.status(404));
    assertThat(get(mapped("/s0")).status()).isEqualTo(404);
    Await.until("let go", Duration.ofSeconds(8), () -> origin.requestsInProgress() == 0);
  }

  @Test
  void letsGoOfTheSegment_whenTheInitIsRefused() throws IOException {
    files.put("/init", ToyOrigins.status(404));
    files.put("/s0", exchange -> exchange.hold());
    assertThat(get(mapped("/s0")).status()).isEqualTo(502);
    Await.until("let go", Duration.ofSeconds(8), () -> origin.requestsInProgress() == 0);
  }

  @ParameterizedTest
  @CsvSource({
    "segment_url,'',422",
    "mime_type,'',422",
    "mime_type,text/html,400",
    "mime_type,image/svg+xml,400",
    "mime_type,application/pdf,400",
    "use_map,perhaps,422",
    "is_live,perhaps,422",
    "segment_range,5-4,400",
    "segment_range,-5,400",
    "init_range,x,400",
    "shift,1,400",
    "shift,1/0,400",
    "key,12,400",
    "segment_url,ftp://x/,400",
    "init_url,ftp://x/,400"
  })
  void namesTheParameter_whenItCannotBeUsed(String name, String value, int status)
      throws IOException {
    RawAnswer answer = get(mapped("/s0").with(name, value));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text()).contains(name);
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void asksOnlyTargetsThatMayBeContacted() throws IOException {
    String forbidden = "http://169.254.169.254/latest";
    assertThat(get(MpdLink.segment(forbidden)).status()).isEqualTo(403);
    assertThat(get(MpdLink.segment(origin.url("/s0")).with("init_url", forbidden)).status())
        .isEqualTo(403);
    assertThat(get(MpdLink.init(forbidden)).status()).isEqualTo(403);
  }
}
