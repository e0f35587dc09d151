package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import dev.millrace.testing.Guide;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/hls.md and docs/hls-segments.md show is what is answered. */
@Timeout(60)
final class HlsGuideIT {
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void theExampleIsTrue() throws IOException {
    List<String> blocks = Guide.examples("hls.md", "m3u8");
    HlsOrigin playlists = new HlsOrigin().playlist("/p/media.m3u8", blocks.get(0));
    try (OriginServer origin = OriginServer.start(playlists);
        RunningMillrace proxy = RunningMillrace.start()) {
      String target =
          "/proxy/hls/manifest.m3u8?d="
              + encoded(origin.url("/p/media.m3u8"))
              + "&h_referer="
              + encoded("http://site.example/");
      assertThat(proxy.fetch("GET", target).text())
          .isEqualTo(
              blocks
                  .get(1)
                  .replace("http://proxy.example/", proxy.url("/"))
                  .replace(encoded("http://cdn.example/"), encoded(origin.url("/"))));
    }
  }

  @Test
  void theCommandForSegmentsIsTyped() throws IOException {
    try (OriginServer origin = OriginServer.start(ToyOrigins.file(10_000));
        RunningMillrace proxy = RunningMillrace.start(settings -> settings.password("secret"))) {
      String command =
          Guide.example("hls-segments.md", "sh", "curl")
              .replace("http://127.0.0.1:8888", proxy.url(""))
              .replace(encoded("https://cdn.example"), encoded(origin.url("")))
              .replaceFirst("curl ", "curl -sS -o /dev/null -w '%{http_code} %{size_download}' ");
      Outcome typed =
          ExternalProgram.required("sh").run(Duration.ofSeconds(30), "-c", command.strip());
      assertThat(typed.output()).isEqualTo("206 100");
      assertThat(origin.requests().get(0).target()).isEqualTo("/v/1.ts");
    }
  }
}
