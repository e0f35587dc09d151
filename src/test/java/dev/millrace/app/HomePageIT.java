package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Chromium;
import dev.millrace.testing.ExternalProgram.Outcome;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HomePageIT {
  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @ParameterizedTest
  @ValueSource(strings = {"/", "/index.html"})
  void isAPageThatLoadsNothingFromElsewhere(String target) throws IOException {
    RawAnswer answer = PROXY.fetch("GET", target);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
    assertThat(answer.text()).contains("<title>Millrace</title>").doesNotContain("src=", "<iframe");
    assertThat(answer.field("Content-Security-Policy"))
        .hasValueSatisfying(
            policy ->
                assertThat(policy)
                    .startsWith("default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
                    .doesNotContain("unsafe", "*", "http"));
  }

  @Test
  void hasNoLinkThatWouldLeaveTheContextPath() throws IOException {
    assertThat(PROXY.fetch("GET", "/").text())
        .contains("action=\"proxy/stream\"")
        .doesNotContain("href=\"/", "action=\"/", "fetch('/");
  }

  @Test
  void showsALinkAndTheStateOfTheServer_inABrowser(@TempDir Path profile) throws IOException {
    Outcome outcome = Chromium.dom(profile, Duration.ofSeconds(60), PROXY.url("/"));

    assertThat(outcome.output())
        .contains("This server is <output id=\"health\">ready</output>")
        .contains(
            "<output id=\"link\">"
                + PROXY.url("/proxy/stream?d=https%3A%2F%2Fexample.com%2Fvideo.mp4")
                + "</output>");
    assertThat(outcome.errors()).doesNotContain("Content Security Policy");
  }

  @Test
  void answersForbidden_whenItIsSwitchedOff() throws IOException {
    try (RunningMillrace without = RunningMillrace.start(settings -> settings.withoutHomePage())) {
      RawAnswer answer = without.fetch("GET", "/");

      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.text()).isEqualTo("Forbidden");
      assertThat(without.fetch("GET", "/index.html").status()).isEqualTo(403);
      assertThat(without.fetch("GET", "/health").status()).isEqualTo(200);
    }
  }

  @Test
  void hasNoIcon() throws IOException {
    assertThat(PROXY.fetch("GET", "/favicon.ico").status()).isEqualTo(204);
  }
}
