package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/dash.md shows is what is answered. */
@Timeout(60)
final class DashGuideIT {
  private static List<String> blocks(String kind) throws IOException {
    return Pattern.compile("```" + kind + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("docs/dash.md")))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void theCommandsPrintWhatIsShown() throws IOException {
    HlsOrigin files = new HlsOrigin().playlist("/film.mpd", blocks("xml").get(0), MpdFiles.TYPE);
    List<String> sessions = blocks("console");
    assertThat(sessions).hasSize(2);
    try (OriginServer origin = OriginServer.start(files);
        RunningMillrace proxy = RunningMillrace.start()) {
      for (String session : sessions) {
        String here =
            session
                .replace("http://proxy.example/", proxy.url("/"))
                .replace("http://cdn.example/", origin.url("/"))
                .replace(encoded("http://cdn.example/"), encoded(origin.url("/")));
        int end = here.indexOf('\n', here.indexOf("key="));
        ExternalProgram.Outcome outcome =
            ExternalProgram.required("sh")
                .run(Duration.ofSeconds(30), "-c", here.substring(2, end));
        assertThat(outcome.output().strip()).isEqualTo(here.substring(end).strip());
      }
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
