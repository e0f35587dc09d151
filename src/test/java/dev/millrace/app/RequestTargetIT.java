package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signed URLs arrive as they were signed, and nothing about the viewer arrives with them. */
@Timeout(60)
class RequestTargetIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.mirror());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a%2Bb+c,d(e)~@%2F?x=1&",
        "/a%2fB%2F?q=%2b+%20",
        "//double//slash///",
        "/./a/../b/%2e%2e/c",
        "/a;b=c;d/e?x;y",
        "/pipe|{brace}/\"quote\"/<angle>/^hat/`tick/\\back",
        "/[1]/v.mp4?a[]=1&a[]=2",
        "/v.mp4?",
        "/v.mp4?&&a&=b&c=",
        "/v.mp4?url=http://other/x?y=z",
        "/v.mp4?token=a%3D%3D&sig=Zm9v/YmFy+==",
        "/%E6%97%A5?%C3%A9",
        "/:colon/*star/!bang/$dollar/'single'"
      })
  void sendsTargetByteForByte(String target) throws IOException {
    RawAnswer answer = PROXY.get(origin.url(target));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(origin.onlyRequest().target()).isEqualTo(target);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "\"/a b/c d?e f\",/a%20b/c%20d?e%20f",
        "/é/日?ü=ñ,/%C3%A9/%E6%97%A5?%C3%BC=%C3%B1",
        "/v.mp4#t=10,/v.mp4",
        "/v.mp4?a=b#c?d,/v.mp4?a=b",
        "\"\",/",
        "?a=b,/?a=b",
        "#x,/"
      })
  void encodesOnlyWhatCannotBeSent(String written, String sent) throws IOException {
    RawAnswer answer = PROXY.get(origin.url(written));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(origin.onlyRequest().target()).isEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%zz", "/%", "/a%2", "/v.mp4?x=%g0"})
  void refusesMalformedEscapes(String target) throws IOException {
    assertThat(PROXY.get(origin.url(target)).status()).isEqualTo(400);
    assertThat(origin.requests()).isEmpty();
  }

  @Test
  void namesOriginAsHost() throws IOException {
    PROXY.get(origin.url("/"));
    assertThat(origin.onlyRequest().field("Host")).contains("127.0.0.1:" + origin.port());
  }

  @Test
  void sendsNothingOfTheViewer() throws IOException {
    String[] viewer = {
      "User-Agent: viewer/1",
      "Cookie: viewer=1",
      "Authorization: Basic dmlld2Vy",
      "Proxy-Authorization: Basic dmlld2Vy",
      "Origin: http://viewer.example",
      "Referer: http://viewer.example/",
      "Accept: video/*",
      "Accept-Language: de",
      "Accept-Encoding: gzip, br",
      "X-Forwarded-For: 203.0.113.7",
      "Forwarded: for=203.0.113.7",
      "Via: 1.1 viewer",
      "X-Viewer: 1",
      "If-None-Match: \"abc\"",
      "Cache-Control: no-cache"
    };
    RawAnswer answer = PROXY.get(origin.url("/"), viewer);
    assertThat(answer.text()).doesNotContainIgnoringCase("viewer").doesNotContain("203.0.113.7");
    assertThat(List.of("host", "user-agent", "range", "accept-encoding", "accept", "connection"))
        .containsAll(origin.onlyRequest().fieldNames());
  }

  @Test
  void asksForIdentity() throws IOException {
    PROXY.get(origin.url("/"), "Accept-Encoding: gzip");
    assertThat(origin.onlyRequest().field("Accept-Encoding").orElse("identity"))
        .isEqualTo("identity");
  }

  @Test
  void sendsHeadersOfParameters_inAnyCase() throws IOException {
    StreamLink link =
        StreamLink.to(origin.url("/"))
            .with("H_Referer", "https://site.example/")
            .with("h_user-agent", "player/2")
            .with("h_cookie", "a=b; c=d");
    PROXY.fetch("GET", link);
    assertThat(origin.onlyRequest().field("Referer")).contains("https://site.example/");
    assertThat(origin.onlyRequest().field("User-Agent")).contains("player/2");
    assertThat(origin.onlyRequest().field("Cookie")).contains("a=b; c=d");
  }

  @Test
  void worksOrRefusesClearly_whenHostHasUnderscore() throws IOException {
    RawAnswer answer = PROXY.get("http://my_host.invalid/v.mp4");
    assertThat(answer.status()).isIn(400, 502);
  }

  @Test
  void connectsByName() throws IOException {
    RawAnswer answer = PROXY.get("http://LocalHost:" + origin.port() + "/v.mp4");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(origin.onlyRequest().field("Host").orElse(""))
        .isEqualToIgnoringCase("localhost:" + origin.port());
  }
}
