package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHead;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input is refused with its parameter's name, and no origin hears of it. */
@Timeout(60)
class BadInputIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(100));

  @AfterEach
  void originWasNotCalled() {
    assertThat(origin.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notaurl",
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "javascript:alert(1)",
        "data:video/mp4,xx",
        "http://",
        "http:///v.mp4",
        "https:v.mp4",
        "//127.0.0.1/v.mp4",
        "http://[::1/v.mp4",
        "http://[zz]/v.mp4",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:abc/",
        "http://127.0.0.1:-1/",
        "http://a b.example/",
        "http://host\\.example/",
        "http://exa<mple/",
        "http://a..example/",
        "aHR0cDovLw",
        "Z2FyYmFnZSBnYXJiYWdl",
        "\u0000",
        "http://127.0.0.1/\r\nX-Injected: 1"
      })
  @Timeout(10)
  void refusesDestination(String d) throws IOException {
    RawAnswer answer = PROXY.get(d);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail()).containsPattern("\\bd\\b");
    assertThat(answer.field("X-Injected")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%zz", "/a%", "/%0"})
  void refusesMalformedEscapeInDestination(String path) throws IOException {
    RawAnswer answer = PROXY.get(origin.url(path));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail()).containsPattern("\\bd\\b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proxy/stream", "/proxy/stream?", "/proxy/stream?x=1"})
  void namesMissingDestination(String target) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", target);
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("\"d\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proxy/stream?d=%zz", "/proxy/stream?d=%", "/proxy/stream?d=http%3"})
  void refusesMalformedEscapeInQuery(String target) throws IOException {
    assertThat(PROXY.fetch("GET", target).status()).isIn(400, 422);
  }

  @ParameterizedTest
  @CsvSource({
    "h_bad%20name=1, h_bad",
    "h_a%3Ab=1, h_a:b",
    "r_%C3%A9=1, r_",
    "r_a%0D%0Ab=1, r_",
    "rp_a(b)=1, rp_a(b)",
    "h_x-a=1%0D%0AX-B:2, h_x-a",
    "r_x-a=1%0AX-B:2, r_x-a",
    "h_x-a=%00, h_x-a",
    "h_x-a=%7F, h_x-a"
  })
  void refusesHeaderParameter(String parameter, String named) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", StreamLink.to(origin.url("/v.mp4")) + "&" + parameter);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail()).contains(named);
    assertThat(answer.field("X-B")).isEmpty();
  }

  @Test
  void refusesVeryLongDestination() throws IOException {
    RawAnswer answer = PROXY.get(origin.url("/" + "x".repeat(64 << 10)));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(ErrorBody.of(answer).detail()).containsPattern("\\bd\\b");
  }

  @Test
  void refusesEndlessRequestLine() throws IOException {
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      try {
        client.request("GET", StreamLink.to(origin.url("/" + "x".repeat(150_000))).toString());
      } catch (SocketException closedWhileWeSent) {
        assertThat(closedWhileWeSent).hasMessageMatching("Broken pipe|Connection reset.*");
      }
      assertThat(client.head().status()).isIn(400, 414, 431); // sent before it closed
      assertThat(origin.requests()).isEmpty();
    }
  }

  @Test
  void refusesRawControlCharactersInRequestLine() throws IOException {
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.send("GET /proxy/stream?d=http://\u0001/ HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.head().status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"})
  void refusesMethod(String method) throws IOException {
    try (RawHttp client = RawHttp.connect(PROXY.port())) {
      client.request(method, StreamLink.to(origin.url("/v.mp4")).toString(), "Content-Length: 0");
      RawHead head = client.head();
      assertThat(head.status()).isIn(405, 501);
    }
  }
}
