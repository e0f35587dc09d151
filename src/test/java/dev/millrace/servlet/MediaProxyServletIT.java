package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MediaProxyServletIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private static RawAnswer fetch(OriginServer origin, String method) throws IOException {
    return RawHttp.fetch(PROXY.port(), method, StreamLink.to(origin.url("/v.mp4")).toString());
  }

  @Test
  void saysWhichMethodsItHas_whenAnotherIsUsed() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(100))) {
      RawAnswer answer = fetch(origin, "DELETE");

      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.field("Allow")).contains("GET, HEAD, OPTIONS");
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  void answersOptionsItself() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(100))) {
      RawAnswer answer = fetch(origin, "OPTIONS");

      assertThat(answer.status()).isEqualTo(204);
      assertThat(answer.field("Allow")).contains("GET, HEAD, OPTIONS");
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  void tellsTheRequestIdInItsFieldsToo_whenTheBodyFailsAtItsFirstByte() throws IOException {
    Script garbage =
        exchange ->
            exchange.write(
                "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Encoding: gzip\r\n"
                    + "Content-Length: 8\r\n\r\nnot gzip");
    try (OriginServer origin = OriginServer.start(garbage)) {
      RawAnswer answer = fetch(origin, "GET");

      assertThat(answer.status()).isEqualTo(502);
      assertThat(answer.field("X-Request-Id"))
          .contains(ErrorBody.json(answer).path("request_id").asString());
      assertThat(answer.field("Access-Control-Allow-Origin")).contains("*");
    }
  }
}
