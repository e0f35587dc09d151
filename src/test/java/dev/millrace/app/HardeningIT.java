package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a link may not do to its viewer, its origin or the proxy's network (contract §19, F10–F14).
 */
@Timeout(60)
class HardeningIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose private final OriginServer origin = OriginServer.start(ToyOrigins.file(100));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "content-length",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "upgrade",
        "trailer",
        "te",
        "content-encoding",
        "set-cookie",
        "location",
        "access-control-allow-origin",
        "access-control-allow-credentials",
        "content-security-policy",
        "strict-transport-security",
        "clear-site-data",
        "Set-Cookie"
      })
  void letsNoLinkSetResponseHeader(String name) throws IOException {
    for (String prefix : new String[] {"r_", "rp_", "R_"}) {
      StreamLink link = StreamLink.to(origin.url("/v.mp4")).with(prefix + name, "7injected");
      RawAnswer answer = PROXY.fetch("GET", link);
      assertThat(answer.status()).isIn(200, 400);
      assertThat(String.join("\n", answer.head().fieldLines())).doesNotContain("7injected");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "Host"
      })
  void letsNoLinkSetRequestHeader(String name) throws IOException {
    StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("h_" + name, "7injected");
    assertThat(PROXY.fetch("GET", link).status()).isIn(200, 400);
    assertThat(origin.requests().toString()).doesNotContain("7injected");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a%0D%0AX-Injected:%201.mp4",
        "%22;filename=x%5C.mp4",
        "%C3%BC%E2%80%AE.mp4",
        "%00"
      })
  void keepsFileNameHarmless(String name) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", StreamLink.named(name, origin.url("/v.mp4")));
    assertThat(answer.status()).isIn(200, 400);
    assertThat(answer.field("X-Injected")).isEmpty();
    assertThat(answer.field("Content-Disposition").orElse("").replaceAll("\\\\.", ""))
        .matches("(attachment(; filename=\"[ -~&&[^\"]]*\")?(; filename\\*=UTF-8''[^\" ]*)?)?");
  }

  @Test
  void sendsHostOfLink_whenSwitchedOn() throws IOException {
    try (RunningMillrace open = RunningMillrace.start(settings -> settings.allowHostHeader())) {
      StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("h_host", "other.example");
      assertThat(open.fetch("GET", link).status()).isEqualTo(200);
      assertThat(origin.onlyRequest().fieldLines())
          .filteredOn(line -> line.toLowerCase(Locale.ROOT).startsWith("host:"))
          .containsExactly("Host: other.example");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/proxy/stream",
        "/proxy/stream?d=notaurl",
        "/proxy/stream?d=http://10.0.0.1/",
        "/proxy/stream?d=http://nx.invalid/",
        "/proxy/stream?d=http://nx.invalid/&h_a%20b=1",
        "/nope",
        "/health"
      })
  void protectsViewer_onEveryAnswerOfItsOwn(String target) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", target, "Origin: http://viewer.example");
    assertProtected(answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/st/200", "/st/404", "/st/416", "/st/429", "/st/500", "/st/503"})
  void protectsViewer_onEveryAnswerOfAnOrigin(String path) throws IOException {
    try (OriginServer statuses = OriginServer.start(ToyOrigins.statusByPath())) {
      RawAnswer answer = PROXY.get(statuses.url(path), "Origin: http://viewer.example");
      assertProtected(answer);
      assertThat(answer.field("Content-Security-Policy").orElse(""))
          .contains("sandbox")
          .contains("default-src 'none'");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "Text/HTML; charset=utf-8",
        "image/svg+xml",
        "application/xhtml+xml",
        "text/javascript",
        "application/javascript",
        "application/x-javascript; x=y",
        "message/rfc822",
        "application/signed-exchange;v=b3",
        " text/html"
      })
  void relabelsActiveContent(String type) throws IOException {
    try (OriginServer page =
        OriginServer.start(e -> e.text(200, "<script>1</script>", "Content-Type: " + type))) {
      assertThat(PROXY.get(page.url("/x")).fields("Content-Type"))
          .containsExactly("application/octet-stream");
      StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("r_content-type", type);
      assertThat(PROXY.fetch("GET", link).field("Content-Type").orElse(""))
          .isIn("application/octet-stream", "video/mp4");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.1.2.3",
        "localhost",
        "LOCALHOST",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:10.0.0.1]",
        "[fe80::1]",
        "[fd00::1]",
        "[ff02::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::1]",
        "[::127.0.0.1]"
      })
  @Timeout(10)
  void refusesInternalTarget(String host) throws IOException {
    try (RunningMillrace closed = RunningMillrace.start(settings -> settings.allowTargets())) {
      RawAnswer answer = closed.get("http://" + host + ":" + origin.port() + "/v.mp4");
      assertThat(answer.status()).isEqualTo(403);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("target_refused");
      assertThat(ErrorBody.of(answer).detail()).contains("ALLOW_TARGETS");
      assertThat(origin.acceptedConnections()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0177.0.0.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "127.1",
        "127.0.1",
        "127.0.0.01",
        "0x7f.0.0.1",
        "017700000001",
        "127.0.0.256",
        "1.2.3.4.5"
      })
  void refusesNonCanonicalAddress(String host) throws IOException {
    RawAnswer answer = PROXY.get("http://" + host + ":" + origin.port() + "/v.mp4");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(origin.acceptedConnections()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "loopback, 127.0.0.1, 200",
    "127.0.0.0/8, 127.0.0.1, 200",
    "127.0.0.1, 127.0.0.1, 200",
    "localhost, localhost, 200",
    "private, 127.0.0.1, 403",
    "10.0.0.0/8, 127.0.0.1, 403",
    "127.0.0.1:1, 127.0.0.1, 403"
  })
  void opensWhatIsListed(String allowed, String host, int status) throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start(s -> s.allowTargets(allowed))) {
      assertThat(proxy.get("http://" + host + ":" + origin.port() + "/v.mp4").status())
          .isEqualTo(status);
    }
  }

  @Test
  void opensListedPort() throws IOException {
    String allowed = "127.0.0.1:" + origin.port();
    try (RunningMillrace proxy = RunningMillrace.start(s -> s.allowTargets(allowed));
        OriginServer other = OriginServer.start(ToyOrigins.file(100))) {
      assertThat(proxy.get(origin.url("/v.mp4")).status()).isEqualTo(200);
      assertThat(proxy.get(other.url("/v.mp4")).status()).isEqualTo(403);
    }
  }

  @Test
  void keepsPasswordToItself() throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start(s -> s.password("correct-horse"));
        OriginServer mirror = OriginServer.start(ToyOrigins.mirror())) {
      StreamLink good = StreamLink.to(mirror.url("/x")).with("api_password", "correct-horse");
      RawAnswer answer = proxy.fetch("GET", good, "api_password: correct-horse");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).doesNotContain("correct-horse");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c", "correct-hors", "correct-horse2", "CORRECT-HORSE", "\u00e9"})
  void answersAlike_whateverIsWrongWithPassword(String guess) throws IOException {
    try (RunningMillrace proxy = RunningMillrace.start(s -> s.password("correct-horse"))) {
      StreamLink link = StreamLink.to(origin.url("/v.mp4")).with("api_password", guess);
      RawAnswer answer = proxy.fetch("GET", link);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(ErrorBody.json(answer).path("detail").asString())
          .isEqualTo("Could not validate credentials");
      assertThat(origin.requests()).isEmpty();
    }
  }

  private static void assertProtected(RawAnswer answer) {
    assertThat(answer.field("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.fields("Access-Control-Allow-Origin")).containsExactly("*");
    assertThat(answer.field("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(answer.field("Access-Control-Expose-Headers").orElse(""))
        .contains("Content-Length")
        .contains("Content-Range")
        .contains("Accept-Ranges");
  }
}
