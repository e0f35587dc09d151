package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/hls.md shows is what is answered. */
@Timeout(60)
final class HlsGuideIT {
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void theExampleIsTrue() throws IOException {
    List<String> blocks =
        Pattern.compile("```m3u8\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("docs/hls.md")))
            .results()
            .map(match -> match.group(1))
            .toList();
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
}
