package dev.millrace.app;

import static dev.millrace.testing.TransportStream.join;
import static dev.millrace.testing.TransportStream.packets;
import static dev.millrace.testing.TransportStream.png;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.SegmentLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments encrypted with AES-128 that are delivered clear: {@code decrypt_key} and its kind. */
@Timeout(120)
class ClearSegmentIT {
  private static final String IV = "000102030405060708090a0b0c0d0e0f";
  private static final byte[] KEY = HexFormat.of().parseHex("2b7e151628aed2a6abf7158809cf4f3c");
  private static final byte[] CLEAR = OffsetBytes.range(0, 1_000_003);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final Map<String, Script> files = new ConcurrentHashMap<>();
  private final OriginServer origin =
      OriginServer.start(
          exchange ->
              files
                  .getOrDefault(exchange.request().path(), ToyOrigins.status(404))
                  .answer(exchange));

  ClearSegmentIT() throws GeneralSecurityException {
    files.put("/k", ToyOrigins.content(KEY, "binary/octet-stream"));
    files.put("/s", ToyOrigins.content(encrypted(CLEAR), "video/mp2t"));
  }

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  private static byte[] encrypted(byte[] clear) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(KEY, "AES"),
        new IvParameterSpec(HexFormat.of().parseHex(IV)));
    return cipher.doFinal(clear);
  }

  private SegmentLink link() {
    return link("/s");
  }

  private SegmentLink link(String path) {
    return SegmentLink.to("ts", origin.url(path))
        .with("decrypt_key", origin.url("/k"))
        .with("decrypt_iv", IV);
  }

  private static RawAnswer get(SegmentLink link, String... fields) throws IOException {
    return PROXY.fetch("GET", link.toString(), fields);
  }

  private List<String> asked() {
    return origin.requests().stream().map(r -> r.method() + " " + r.path()).toList();
  }

  @Test
  void deliversTheSegmentClear() throws IOException {
    RawAnswer answer = get(link());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(CLEAR);
    assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    assertThat(answer.field("Content-Type")).contains("video/mp2t");
    assertThat(answer.field("Content-Length")).isEmpty();
    assertThat(answer.field("Content-Range")).isEmpty();
    assertThat(answer.field("Accept-Ranges")).contains("none");
    assertThat(asked()).containsExactly("GET /k", "GET /s");
  }

  @Test
  void ignoresARangeOfTheClient() throws IOException {
    RawAnswer answer = get(link(), "Range: bytes=16-31");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(CLEAR);
  }

  @Test
  void asksForTheKey_withTheFieldsOfTheSegment() throws IOException {
    files.put("/k", ToyOrigins.onlyWith("Cookie", "a=b", files.get("/k")));
    assertThat(get(link()).status()).isEqualTo(403);
    assertThat(get(link().with("h_cookie", "a=b")).bytes()).isEqualTo(CLEAR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 15, 17, 32, 1_025, 100_000})
  void answers502_whenTheKeyIsNone(int length) throws IOException {
    files.put("/k", exchange -> exchange.bytes(200, new byte[length]));
    RawAnswer answer = get(link());
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("bad_key");
    assertThat(asked()).containsExactly("GET /k");
  }

  @ParameterizedTest
  @CsvSource({"404, 404", "403, 403", "410, 410", "401, 502", "500, 502"})
  void answersAsForAnyOrigin_whenTheKeyIsRefused(int refused, int answered) throws IOException {
    files.put("/k", ToyOrigins.status(refused));
    RawAnswer answer = get(link());
    assertThat(answer.status()).isEqualTo(answered);
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("upstream_" + refused);
    assertThat(asked()).containsExactly("GET /k");
  }

  @Test
  void passesOnTheRefusal_whenTheSegmentIsMissing() throws IOException {
    files.remove("/s");
    assertThat(get(link()).status()).isEqualTo(404);
  }

  @Test
  void aborts_whenTheKeyIsAnother() throws IOException {
    files.put("/k", exchange -> exchange.bytes(200, new byte[16]));
    assertThat(get(link()).end().isAbort()).isTrue();
  }

  @Test
  void answers502_whenAShortSegmentCannotBeDecrypted() throws IOException {
    files.put("/s", exchange -> exchange.bytes(200, Arrays.copyOf(CLEAR, 16)));
    RawAnswer answer = get(link());
    assertThat(answer.status()).isEqualTo(502);
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("decryption_failed");
    assertThat(answer.text()).doesNotContain(IV).doesNotContain("/k");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17})
  void aborts_whenTheEndIsMissing(int missing) throws Exception {
    byte[] coded = encrypted(CLEAR);
    byte[] cut = Arrays.copyOf(coded, coded.length - missing);
    files.put("/s", exchange -> exchange.bytes(200, cut, "Content-Type: video/mp2t"));
    assertThat(get(link()).end().isAbort()).isTrue();
  }

  @Test
  void decryptsAPartOfAFile() throws Exception {
    byte[] first = encrypted(OffsetBytes.range(0, 50_000));
    byte[] second = encrypted(OffsetBytes.range(50_000, 90_000));
    files.put("/s", ToyOrigins.content(join(first, second), "video/mp2t"));
    String range = first.length + "-" + (first.length + second.length - 1);
    RawAnswer answer = get(link().with("decrypt_range", range));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(50_000, 90_000));
    assertThat(answer.field("Content-Range")).isEmpty();
    assertThat(origin.requests().get(1).field("Range")).contains("bytes=" + range);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000000-1000019", "999990-2000000"})
  void answers502_whenAnotherPartComes(String range) throws IOException {
    RawAnswer answer = get(link().with("decrypt_range", range));
    assertThat(answer.status()).isEqualTo(502);
  }

  @Test
  void answers502_whenTheOriginIgnoresTheRange() throws IOException {
    files.put("/s", exchange -> exchange.bytes(200, encryptedOrFail(), "X: y"));
    RawAnswer answer = get(link().with("decrypt_range", "0-15"));
    assertThat(ErrorBody.of(answer).reason()).isEqualTo("bad_range");
  }

  private static byte[] encryptedOrFail() {
    try {
      return encrypted(CLEAR);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void answersHead_withoutAskingForTheKey() throws IOException {
    RawAnswer answer = PROXY.fetch("HEAD", link().with("decrypt_range", "0-15").toString());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Length")).isEmpty();
    assertThat(answer.field("Accept-Ranges")).contains("none");
    assertThat(asked()).containsExactly("HEAD /s");
  }

  @Test
  void namesTheParameter_whenItCannotBeUsed() throws IOException {
    SegmentLink link = SegmentLink.to("ts", origin.url("/s")).with("decrypt_key", origin.url("/k"));
    RawAnswer missing = get(link);
    assertThat(missing.status()).isEqualTo(422);
    assertThat(missing.text()).contains("decrypt_iv");
    RawAnswer bad = get(link.with("decrypt_iv", "12"));
    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.text()).contains("decrypt_iv").contains("32 hexadecimal digits");
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void cutsWhatStandsBeforeTheStream_whenThatIsAskedToo() throws Exception {
    byte[] stream = packets(2_000);
    files.put("/s", ToyOrigins.content(encrypted(join(png(25), stream)), "image/png"));
    RawAnswer answer = get(link().with("transformer", "ts_stream"));
    assertThat(answer.bytes()).isEqualTo(stream);
    assertThat(answer.field("Content-Type")).contains("video/mp2t");
  }

  @Test
  void letsGoOfTheKey_whenTheClientLeaves() throws IOException {
    files.put("/k", exchange -> exchange.hold());
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request("GET", link().toString());
      Await.until("asked", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 1);
    }
    Await.until("let go", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 0);
    assertThat(asked()).containsExactly("GET /k");
  }

  @Test
  void deliversWhatFfmpegEncrypts(@TempDir Path directory) throws IOException {
    Path keyFile = directory.resolve("enc.key");
    Files.write(keyFile, KEY);
    Path keyInfo = directory.resolve("key.info");
    Files.write(keyInfo, List.of("enc.key", keyFile.toString(), IV));
    ffmpeg(
        "-f lavfi -i testsrc=size=160x90:rate=10 -f lavfi -i sine -t 6 -g 20 -c:v mpeg2video"
            + " -c:a mp2 -f mpegts",
        directory.resolve("whole.ts"));
    String segments =
        "-i " + directory.resolve("whole.ts") + " -c copy -f hls -hls_time 2" + " -hls_list_size 0";
    ffmpeg(segments, directory.resolve("clear.m3u8"));
    ffmpeg(segments + " -hls_key_info_file " + keyInfo, directory.resolve("coded.m3u8"));
    List<String> coded = names(directory, "coded");
    assertThat(coded).hasSizeGreaterThan(1);
    for (String name : coded) {
      byte[] clear = Files.readAllBytes(directory.resolve(name.replace("coded", "clear")));
      byte[] sealed = Files.readAllBytes(directory.resolve(name));
      assertThat(sealed).isNotEqualTo(clear);
      files.put("/" + name, ToyOrigins.content(sealed, "video/mp2t"));
      assertThat(get(link("/" + name)).bytes()).isEqualTo(clear);
    }
  }

  private static List<String> names(Path directory, String beginning) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(beginning) && name.endsWith(".ts"))
          .sorted()
          .toList();
    }
  }

  private static void ffmpeg(String arguments, Path output) throws IOException {
    String[] command =
        ("-v error -nostdin -y -bitexact " + arguments + " -bitexact " + output).split(" ");
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg").run(Duration.ofSeconds(60), command);
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
  }
}
