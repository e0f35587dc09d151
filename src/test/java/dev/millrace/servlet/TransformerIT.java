package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator's filter, found by its service file, through the whole server. */
@Timeout(60)
class TransformerIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AfterEach
  void everyTransformerIsDestroyed() {
    Await.until("no transformer left", Duration.ofSeconds(5), () -> UpperCase.LIVE.get() == 0);
  }

  private static RawAnswer fetch(OriginServer origin, String method, String id, String... fields)
      throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.txt")).with("transformer", id);
    return RawHttp.fetch(PROXY.port(), method, link.toString(), fields);
  }

  private static Script letters() {
    return exchange ->
        exchange.text(
            exchange.request().field("Range").isPresent() ? 206 : 200,
            "abcdefgh",
            "Content-Type: text/plain",
            "Content-Range: bytes 0-7/8",
            "Accept-Ranges: bytes",
            "ETag: \"e\"");
  }

  @Test
  void changesTheBody_andClaimsNothingOfTheOriginal() throws IOException {
    try (OriginServer origin = OriginServer.start(letters())) {
      RawAnswer answer = fetch(origin, "GET", "upper-case", "Range: bytes=2-3");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("ABCDEFGH.");
      assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
      assertThat(answer.field("Content-Length")).isEmpty();
      assertThat(answer.field("Content-Range")).isEmpty();
      assertThat(answer.field("ETag")).isEmpty();
      assertThat(answer.field("Accept-Ranges")).contains("none");
      assertThat(origin.onlyRequest().field("Range")).contains("bytes=0-");
    }
  }

  @Test
  void isIgnored_whenTheIdIsUnknown() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(100))) {
      RawAnswer answer = fetch(origin, "GET", "nonsense", "Range: bytes=2-3");

      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.bytes()).containsExactly(2, 3);
    }
  }

  @Test
  void isDestroyed_whenTheOriginRefuses() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.status(404))) {
      assertThat(fetch(origin, "GET", "upper-case").status()).isEqualTo(404);
    }
  }

  @Test
  void abortsTheClient_whenTheOriginCutsAfterCommit() throws IOException {
    Script cut =
        exchange -> {
          exchange.head(200, "Content-Type: text/plain", "Transfer-Encoding: chunked");
          exchange.chunk("abc".getBytes(US_ASCII));
          exchange.cut();
        };
    try (OriginServer origin = OriginServer.start(cut)) {
      RawAnswer answer = fetch(origin, "GET", "upper-case");

      assertThat(answer.end().isAbort()).isTrue();
    }
  }

  @Test
  void hasNoBody_forHead() throws IOException {
    try (OriginServer origin = OriginServer.start(letters())) {
      RawAnswer answer = fetch(origin, "HEAD", "upper-case");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).isEmpty();
      assertThat(answer.bytes()).isEmpty();
    }
  }
}
