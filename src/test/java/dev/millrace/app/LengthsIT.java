package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The length that is announced is the length that is sent, whatever coding came in. */
@Timeout(60)
class LengthsIT {
  private static final byte[] PLAIN = OffsetBytes.range(0, 200_000);
  private static final byte[] CODED = FaultyOrigins.gzipped(PLAIN);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @Test
  void endsAtPromisedLength_whenOriginSendsMore() throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.surplus(100, 150))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 100));
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  @Test
  void doesNotReuseConnection_afterSurplus() throws IOException {
    Script script = ToyOrigins.first(1, FaultyOrigins.surplus(100, 150), ToyOrigins.file(1_000));
    try (OriginServer origin = OriginServer.start(script)) {
      PROXY.get(origin.url("/v.mp4"));
      RawAnswer second = PROXY.get(origin.url("/v.mp4"));
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.bytes()).isEqualTo(OffsetBytes.range(0, 1_000));
      assertThat(origin.requests().get(1).connection()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-None: 1", "Accept-Encoding: gzip", "Accept-Encoding: identity"})
  void decodesWholeBody_whateverTheClientAccepts(String accept) throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzip(PLAIN, Integer.MAX_VALUE))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"), accept);
      assertThat(answer.field("Content-Encoding")).isEmpty();
      assertThat(answer.field("Content-Length")).isEmpty();
      assertThat(answer.bytes()).isEqualTo(PLAIN);
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 12, 500})
  void aborts_whenCodedBodyIsIncomplete(int kept) throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzip(PLAIN, kept))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status() == 502 || answer.end().isAbort())
          .as("%s %s", answer.head(), answer.end())
          .isTrue();
    }
  }

  @Test
  void aborts_whenCodedBodyIsBroken() throws IOException {
    byte[] broken = CODED.clone();
    Arrays.fill(broken, 20, broken.length, (byte) 0x55);
    try (OriginServer origin =
        OriginServer.start(exchange -> exchange.bytes(200, broken, "Content-Encoding: gzip"))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status() == 502 || answer.end().isAbort())
          .as("%s %s", answer.head(), answer.end())
          .isTrue();
    }
  }

  @Test
  void passesCodedBodyAsItIs_whenItIsPartial() throws IOException {
    try (OriginServer origin = OriginServer.start(FaultyOrigins.gzipPartial(PLAIN, 10, 90))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"), "Range: bytes=10-89");
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.field("Content-Encoding")).contains("gzip");
      assertThat(answer.field("Content-Length")).contains("80");
      assertThat(answer.bytes()).isEqualTo(Arrays.copyOfRange(CODED, 10, 90));
    }
  }

  @Test
  void keepsLength_whenBodyIsUnchanged() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.withoutRanges(12_345))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.fields("Content-Length")).containsExactly("12345");
      assertThat(answer.field("Transfer-Encoding")).isEmpty();
    }
  }

  @Test
  void sendsChunks_whenLengthIsUnknown() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.chunked(300_000))) {
      RawAnswer answer = PROXY.get(origin.url("/v.ts"));
      assertThat(answer.field("Content-Length")).isEmpty();
      assertThat(answer.field("Transfer-Encoding")).contains("chunked");
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(0, 300_000));
    }
  }

  @Test
  void passesOnlyListedHeaders() throws IOException {
    String[] fields = {
      "Content-Type: video/mp4",
      "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT",
      "ETag: \"abc\"",
      "Cache-Control: max-age=5",
      "Expires: Mon, 30 Nov 2026 01:00:00 GMT",
      "Set-Cookie: a=b",
      "Content-Disposition: attachment",
      "Vary: *",
      "Server: toy",
      "X-Powered-By: toy",
      "Via: 1.1 toy",
      "Keep-Alive: timeout=5",
      "Content-Security-Policy: toy"
    };
    try (OriginServer origin = OriginServer.start(e -> e.text(200, "body", fields))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      String[] passed = Arrays.copyOf(fields, 5);
      passed[3] = "Cache-Control: private, max-age=5";
      assertThat(answer.head().fieldLines())
          .usingElementComparator(String.CASE_INSENSITIVE_ORDER)
          .contains(passed);
      assertThat(String.join("\n", answer.head().fieldLines())).doesNotContain("toy", "a=b");
      assertThat(answer.field("Content-Disposition")).isEmpty();
      assertThat(answer.field("Keep-Alive")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/octet-stream, film.mkv, video/x-matroska",
    "application/octet-stream, film.mp4, video/mp4",
    "'', film.mp4, video/mp4",
    "video/webm, film.mp4, video/webm"
  })
  void repairsMediaTypeFromName(String type, String name, String expected) throws IOException {
    String field = type.isEmpty() ? "X-No-Type: 1" : "Content-Type: " + type;
    try (OriginServer origin = OriginServer.start(e -> e.text(200, "body", field))) {
      StreamLink link = StreamLink.named(name, origin.url("/x"));
      assertThat(PROXY.fetch("GET", link).fields("Content-Type")).containsExactly(expected);
    }
  }

  @Test
  void repairsMediaTypeFromFirstBytes() throws IOException {
    byte[] transportStream = new byte[188 * 20];
    for (int at = 0; at < transportStream.length; at += 188) {
      transportStream[at] = 0x47;
    }
    String octets = "Content-Type: application/octet-stream";
    try (OriginServer origin = OriginServer.start(e -> e.bytes(200, transportStream, octets))) {
      RawAnswer answer = PROXY.get(origin.url("/live/1"));
      assertThat(answer.fields("Content-Type")).containsExactly("video/mp2t");
      assertThat(answer.bytes()).isEqualTo(transportStream);
    }
  }
}
