package dev.millrace.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Corpus;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every real MPD at the routes: it gives playlists whose links are ours, or an error that says why.
 * Nobody whom an MPD names is asked.
 */
@Timeout(300)
class MpdCorpusIT {
  private static final String KEY = "f0e1d2c3b4a5968778695a4b3c2d1e0f";

  /** Of addresses that are fetched, scheme and host. */
  private static final Pattern HOSTS =
      Pattern.compile(
          "(<(?:BaseURL|Location|PatchLocation)[^>]*>\\s*|(?:media|initialization|sourceURL|value)=[\"'])"
              + "https?://[^/\"'<\\s?]+");

  /** With everything that could be fetched at the origin of the test. */
  private static byte[] led(Path mpd, OriginServer origin) throws IOException {
    String text = Files.readString(mpd, ISO_8859_1);
    String here = Matcher.quoteReplacement(origin.url(""));
    return HOSTS.matcher(text).replaceAll("$1" + here).getBytes(ISO_8859_1);
  }

  @Test
  void everyPresentationIsServedOrRefusedWithAReason() throws IOException {
    List<Path> all = Corpus.presentations();
    Map<String, Integer> outcomes = new TreeMap<>();
    HlsOrigin files = new HlsOrigin();
    try (OriginServer origin = OriginServer.start(files);
        RunningMillrace proxy = RunningMillrace.start()) {
      for (int i = 0; i < all.size(); i++) {
        String name = all.get(i).toString();
        byte[] mpd = led(Corpus.directory().resolve(all.get(i)), origin);
        files.answer("/" + i + "/m.mpd", exchange -> exchange.bytes(200, mpd, MpdFiles.TYPE));
        String d = origin.url("/" + i + "/m.mpd");
        RawAnswer master = proxy.fetch("GET", MpdLink.manifest(d).with("key", KEY).toString());
        outcomes.merge("manifest " + outcome(name, master), 1, Integer::sum);
        if (master.status() == 200) {
          for (String link : MpdLink.linksIn(master)) {
            assertThat(link).as(name).startsWith("/proxy/mpd/playlist.m3u8?d=");
            RawAnswer media = proxy.fetch("GET", link);
            outcomes.merge("playlist " + outcome(name, media), 1, Integer::sum);
            for (String child :
                media.status() == 200 ? MpdLink.linksIn(media) : List.<String>of()) {
              assertThat(child)
                  .as(name)
                  .matches("/proxy/(mpd/(segment|init)\\.mp4|hls/segment\\.vtt)\\?[!-~]+");
            }
          }
        }
      }
    }
    assertThat(outcomes).doesNotContainKeys("manifest 502 dns_failed", "playlist 502 dns_failed");
    assertThat(outcomes.get("manifest 200"))
        .as(outcomes.toString())
        .isGreaterThan(all.size() * 3 / 4);
  }

  private static String outcome(String name, RawAnswer answer) {
    if (answer.status() == 200) {
      assertThat(answer.text()).as(name).startsWith("#EXTM3U\n");
      return "200";
    }
    ErrorBody error = ErrorBody.of(answer);
    assertThat(error.reason()).as(name).isNotEqualTo("internal_error");
    assertThat(error.detail()).as(name).isNotBlank();
    return answer.status() + " " + error.reason();
  }
}
