package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RawHttpTest {
  @Test
  void readsChunkedBodyToItsLastChunk() throws IOException {
    CountedAnswer answer = count(ToyOrigins.chunked(100_000));
    assertThat(answer.body()).isEqualTo(new CountedBody(100_000, -1, BodyEnd.COMPLETE));
  }

  @Test
  void readsGigabytesWithoutKeepingThem() throws IOException {
    CountedAnswer answer = count(ToyOrigins.file(1L << 30));
    assertThat(answer.body()).isEqualTo(new CountedBody(1L << 30, -1, BodyEnd.COMPLETE));
  }

  @Test
  void seesTruncation_whenLastChunkIsMissing() throws IOException {
    CountedAnswer answer = count(FaultyOrigins.cutChunked(5_000, false));
    assertThat(answer.body()).isEqualTo(new CountedBody(5_000, -1, BodyEnd.TRUNCATED));
  }

  @Test
  void seesTruncation_whenBytesAreMissing() throws IOException {
    CountedAnswer answer = count(FaultyOrigins.cutAfter(10_240, 4_000));
    assertThat(answer.body()).isEqualTo(new CountedBody(4_000, -1, BodyEnd.TRUNCATED));
  }

  @Test
  void seesReset() throws IOException {
    CountedAnswer answer = count(FaultyOrigins.cutChunked(5_000, true));
    assertThat(answer.body().end()).isEqualTo(BodyEnd.RESET);
  }

  @Test
  void findsFirstWrongByte() throws IOException {
    CountedAnswer answer = count(exchange -> exchange.text(200, "\0\1\2\4\5"));
    assertThat(answer.body().firstWrongAt()).isEqualTo(3);
  }

  @Test
  void readsNoBody_afterHead() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_240))) {
      RawAnswer answer = RawHttp.fetch(origin.port(), "HEAD", "/v.mp4");
      assertThat(answer.field("Content-Length")).contains("10240");
      assertThat(answer.bytes()).isEmpty();
    }
  }

  @Test
  void seesBodyThatEndsWithItsConnection() throws IOException {
    CountedAnswer answer = count(ToyOrigins.untilClose(70_000));
    assertThat(answer.body()).isEqualTo(new CountedBody(70_000, -1, BodyEnd.COMPLETE));
  }

  private static CountedAnswer count(Script script) throws IOException {
    try (OriginServer origin = OriginServer.start(script)) {
      return RawHttp.count(origin.port(), "/");
    }
  }
}
