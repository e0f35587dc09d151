package dev.millrace.app;

import static dev.millrace.testing.TransportStream.join;
import static dev.millrace.testing.TransportStream.packets;
import static dev.millrace.testing.TransportStream.png;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.SegmentLink;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code transformer=ts_stream} (contract §10.9, F21, H13, §21 row 48). */
@Timeout(60)
class UnwrappedSegmentIT {
  private static final byte[] STREAM = packets(2_000);
  private static final byte[] KEY = "G123456789abcdeG".getBytes(US_ASCII);
  private static final String PICTURE = "image/png";

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private OriginServer origin =
      OriginServer.start(ToyOrigins.content(join(png(25), STREAM), PICTURE));

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  private void restart(Script script) {
    origin.close();
    origin = OriginServer.start(script);
  }

  private RawAnswer get(String ending, String... fields) throws IOException {
    return fetch("GET", ending, fields);
  }

  private RawAnswer fetch(String method, String ending, String... fields) throws IOException {
    SegmentLink link = SegmentLink.to(ending, origin.url("/v")).with("transformer", "ts_stream");
    return PROXY.fetch(method, link.toString(), fields);
  }

  private static void assertIsTheStream(RawAnswer answer) {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(STREAM);
    assertThat(answer.field("Content-Length")).contains(String.valueOf(STREAM.length));
    assertThat(answer.field("Content-Type")).contains("video/mp2t");
    assertThat(answer.field("Accept-Ranges")).contains("none");
    assertThat(answer.field("Content-Range")).isEmpty();
  }

  @Test
  void cutsThePicture_andCorrectsTheLength() throws IOException {
    assertIsTheStream(get("ts"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=0-", "bytes=100-199"})
  void servesTheWhole_whateverPartIsAsked(String range) throws IOException {
    assertIsTheStream(get("ts", "Range: " + range));
    assertThat(origin.onlyRequest().field("Range")).contains("bytes=0-");
  }

  @Test
  void cutsOnTheStreamRouteToo() throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.png")).with("transformer", "ts_stream");
    RawAnswer answer = PROXY.fetch("GET", link, "Range: bytes=5-9");
    assertIsTheStream(answer);
    assertThat(answer.field("Content-Security-Policy").orElseThrow()).contains("media-src 'self'");
  }

  @Test
  void leavesThePicture_whenNothingIsAsked() throws IOException {
    String link = SegmentLink.to("ts", origin.url("/v")).toString();
    assertThat(PROXY.fetch("GET", link).bytes()).isEqualTo(join(png(25), STREAM));
    assertThat(PROXY.fetch("GET", link, "Range: bytes=0-3").status()).isEqualTo(206);
  }

  @Test
  void readsOn_untilALargePictureEnds() throws IOException {
    restart(ToyOrigins.content(join(png(400_000), new byte[99], STREAM), PICTURE));
    assertIsTheStream(get("ts"));
  }

  @Test
  void saysNoLength_whenTheOriginSaysNone() throws IOException {
    restart(
        exchange -> {
          exchange.head(200, "Content-Type: image/png", "Transfer-Encoding: chunked");
          for (byte[] part : new byte[][] {png(25), STREAM}) {
            exchange.chunk(Arrays.copyOf(part, 11));
            exchange.chunk(Arrays.copyOfRange(part, 11, part.length));
          }
          exchange.lastChunk();
        });
    RawAnswer answer = get("ts");
    assertThat(answer.bytes()).isEqualTo(STREAM);
    assertThat(answer.field("Content-Length")).isEmpty();
  }

  @Test
  void dropsTheEntityTag_onlyIfSomethingIsCut() throws IOException {
    restart(exchange -> exchange.bytes(200, join(png(25), STREAM), "ETag: \"e\""));
    assertThat(get("ts").field("ETag")).isEmpty();
    restart(exchange -> exchange.bytes(200, STREAM, "ETag: \"e\""));
    RawAnswer answer = get("ts");
    assertThat(answer.field("ETag")).contains("\"e\"");
    assertIsTheStream(answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "ts"})
  void leavesKeysAlone(String ending) throws IOException {
    restart(ToyOrigins.content(KEY, "binary/octet-stream"));
    RawAnswer answer = get(ending);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).isEqualTo(KEY);
    assertThat(answer.field("Content-Length")).contains("16");
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "vtt", "m3u8", "mp4", "m4s"})
  void servesRanges_ofWhatIsNamedOtherwise(String ending) throws IOException {
    RawAnswer answer = get(ending, "Range: bytes=1-3");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.text()).isEqualTo("PNG");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/x.key", "/x.VTT", "/x.m3u8?y=.ts"})
  void servesRanges_ofWhatTheOriginNamesOtherwise(String path) throws IOException {
    SegmentLink link = SegmentLink.to("ts", origin.url(path)).with("transformer", "ts_stream");
    assertThat(PROXY.fetch("GET", link.toString(), "Range: bytes=1-3").text()).isEqualTo("PNG");
  }

  @Test
  void cuts_whateverTheNameIsIfItHasNoEnding() throws IOException {
    SegmentLink link = SegmentLink.to("mp4", origin.url("/key")).with("transformer", "ts_stream");
    assertThat(PROXY.fetch("GET", link.toString(), "Range: bytes=0-").bytes()).isEqualTo(STREAM);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 187, 188, 500})
  void leavesShortBodiesWhole(int length) throws IOException {
    byte[] body = Arrays.copyOf(STREAM, length);
    restart(exchange -> exchange.bytes(200, body, "Content-Type: video/mp2t"));
    assertThat(get("ts").bytes()).isEqualTo(body);
  }

  @Test
  void servesWhatHidesNothing_asItIs() throws IOException {
    byte[] body = new byte[700_000];
    restart(ToyOrigins.content(body, "video/iso.segment"));
    RawAnswer answer = get("ts");
    assertThat(answer.bytes()).isEqualTo(body);
    assertThat(answer.field("Content-Length")).contains("700000");
    assertThat(answer.field("Content-Type")).contains("video/iso.segment");
  }

  @Test
  void saysNoLength_forHead() throws IOException {
    RawAnswer answer = fetch("HEAD", "ts");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Length")).isEmpty();
    assertThat(answer.field("Accept-Ranges")).contains("none");
  }

  @Test
  void passesOnARefusal() throws IOException {
    restart(ToyOrigins.status(404));
    assertThat(ErrorBody.of(get("ts")).reason()).isEqualTo("upstream_404");
  }

  @Test
  void answersAnError_whenTheOriginIsCutInsideThePicture() throws IOException {
    restart(
        exchange -> {
          exchange.head(200, "Content-Type: image/png", "Transfer-Encoding: chunked");
          exchange.chunk(Arrays.copyOf(png(1_000), 500));
          exchange.cut();
        });
    assertThat(get("ts").status()).isEqualTo(502);
  }

  @Test
  void letsGoOfTheOrigin_whenTheClientLeavesBeforeEnoughIsSeen() throws IOException {
    restart(
        exchange -> {
          exchange.head(200, "Content-Type: image/png", "Transfer-Encoding: chunked");
          exchange.chunk(Arrays.copyOf(png(1_000), 500));
          exchange.hold();
        });
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request(
          "GET",
          SegmentLink.to("ts", origin.url("/v")).with("transformer", "ts_stream").toString());
      Await.until("asked", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 1);
    }
    Await.until("let go", Duration.ofSeconds(5), () -> origin.requestsInProgress() == 0);
  }

  @Test
  void isRefused_whenThereIsNoMemoryToLookAtTheBeginning() throws IOException {
    long oneStream = 128 << 10;
    long oneBeginning = oneStream + (512 << 10);
    try (RunningMillrace narrow =
        RunningMillrace.start(settings -> settings.bufferMemory(oneBeginning - 1))) {
      SegmentLink link = SegmentLink.to("ts", origin.url("/v"));
      assertThat(narrow.fetch("GET", link.toString()).status()).isEqualTo(200);
      String looked = link.with("transformer", "ts_stream").toString();
      assertThat(narrow.fetch("GET", looked).status()).isEqualTo(503);
    }
  }
}
