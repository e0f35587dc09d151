package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirects are followed by us, a few, and each hop is a new decision (contract §9). */
@Timeout(60)
class RedirectIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @Test
  void followsTen() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirectChain(ToyOrigins.file(99)))) {
      assertThat(PROXY.get(origin.url("/hop/10")).bytes()).isEqualTo(OffsetBytes.range(0, 99));
      assertThat(origin.requests()).hasSize(11);
    }
  }

  @Test
  void givesUpAfterTen() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirectChain(ToyOrigins.file(99)))) {
      RawAnswer answer = PROXY.get(origin.url("/hop/11"));
      assertThat(answer.status()).isEqualTo(502);
      assertThat(ErrorBody.of(answer).reason()).contains("redirect");
      assertThat(origin.requests()).hasSizeLessThanOrEqualTo(11);
    }
  }

  @Test
  void givesUp_whenRedirectsGoInACircle() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirect("/again"))) {
      assertThat(PROXY.get(origin.url("/again")).status()).isEqualTo(502);
      assertThat(origin.requests()).hasSizeLessThanOrEqualTo(11);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void followsEveryKind(int status) throws IOException {
    try (OriginServer origin =
        OriginServer.start(
            ToyOrigins.first(
                1, ToyOrigins.status(status, "Location: v2.mp4?x=1"), ToyOrigins.file(99)))) {
      assertThat(PROXY.get(origin.url("/dir/v.mp4")).status()).isEqualTo(200);
      assertThat(origin.requests().get(1).target()).isEqualTo("/dir/v2.mp4?x=1");
    }
  }

  @Test
  void keepsLocationByteForByte() throws IOException {
    String odd = "/a%2Bb+c|d//e?sig=a/b+c==&";
    try (OriginServer origin =
        OriginServer.start(ToyOrigins.first(1, ToyOrigins.redirect(odd), ToyOrigins.file(99)))) {
      PROXY.get(origin.url("/v.mp4"));
      assertThat(origin.requests().get(1).target()).isEqualTo(odd);
    }
  }

  @Test
  void keepsRangeAndHeaders_onSameOrigin() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirectChain(ToyOrigins.file(99)))) {
      StreamLink link = credentials(origin.url("/hop/1"));
      RawAnswer answer = PROXY.fetch("GET", link, "Range: bytes=5-9");
      assertThat(answer.bytes()).isEqualTo(OffsetBytes.range(5, 10));
      RecordedRequest last = origin.requests().get(1);
      assertThat(last.field("Authorization")).contains("Bearer t");
      assertThat(last.field("Cookie")).contains("c=1");
      assertThat(last.field("Referer")).contains("http://r/");
    }
  }

  @Test
  void dropsCredentials_onOtherOrigin() throws IOException {
    try (OriginServer other = OriginServer.start(ToyOrigins.file(99));
        OriginServer origin = OriginServer.start(ToyOrigins.redirect(other.url("/v.mp4")))) {
      assertThat(PROXY.fetch("GET", credentials(origin.url("/a"))).status()).isEqualTo(200);
      RecordedRequest last = other.onlyRequest();
      assertThat(last.fieldNames())
          .doesNotContain("authorization", "cookie", "proxy-authorization");
      assertThat(last.field("Referer")).contains("http://r/");
      assertThat(last.field("Host")).contains("127.0.0.1:" + other.port());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://10.0.0.1/v.mp4", "http://169.254.169.254/latest/", "http://[fd00::1]/"})
  void refusesHop_whenTargetIsNotAllowed(String location) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirect(location))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("target_refused");
      assertThat(ErrorBody.of(answer).detail()).contains("ALLOW_TARGETS");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "http://0x7f.1/", "http://", "javascript:x"})
  void answersError_whenLocationIsUnusable(String location) throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirect(location))) {
      RawAnswer answer = PROXY.get(origin.url("/v.mp4"));
      assertThat(answer.status()).isIn(400, 403, 502);
      assertThat(ErrorBody.of(answer).detail()).doesNotContain("passwd");
      assertThat(answer.field("Location")).isEmpty();
    }
  }

  @Test
  void takesFreshRedirectEachTime() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.freshTokens(ToyOrigins.file(99)))) {
      assertThat(PROXY.get(origin.url("/v.mp4")).status()).isEqualTo(200);
      assertThat(PROXY.get(origin.url("/v.mp4")).status()).isEqualTo(200);
    }
  }

  @Test
  void n17_sendsACookieThatARedirectSet() throws IOException {
    Script set = ToyOrigins.status(302, "Location: /v.mp4", "Set-Cookie: s=1; Path=/; HttpOnly");
    Script film = ToyOrigins.onlyWith("Cookie", "s=1", ToyOrigins.file(99));
    try (OriginServer origin = OriginServer.start(ToyOrigins.first(1, set, film))) {
      assertThat(PROXY.get(origin.url("/login")).bytes()).isEqualTo(OffsetBytes.range(0, 99));
    }
  }

  @Test
  void followsOnHead() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.redirectChain(ToyOrigins.file(99)))) {
      RawAnswer answer = PROXY.head(origin.url("/hop/3"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Length")).contains("99");
    }
  }

  private static StreamLink credentials(String d) {
    return StreamLink.to(d)
        .with("h_authorization", "Bearer t")
        .with("h_cookie", "c=1")
        .with("h_referer", "http://r/");
  }
}
