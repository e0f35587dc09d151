package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CutMovie;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SampleProtector;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A protected presentation, played as HLS from its manifest to its last picture by ffmpeg. */
@Timeout(180)
class MpdFilmIT {
  private static final byte[] CLIP = CutMovie.clip();
  private static final String REPRESENTATION =
      """
      <AdaptationSet id="1" mimeType="video/mp4">
        <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>
        <SegmentTemplate timescale="1" duration="1" startNumber="1"
            initialization="init.mp4" media="$Number$.m4s"/>
        <Representation id="v" bandwidth="100000" width="128" height="72" codecs="avc1.64000a,mp4a.40.2"/>
      </AdaptationSet>""";

  private final HlsOrigin files = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(files);
  @AutoClose private final RunningMillrace proxy = RunningMillrace.start();
  @TempDir private Path directory;

  /** The address of our manifest. */
  private String film(SampleProtector protector, String... periods) {
    ProtectedMovie movie = CencEncryptor.of(protector).encrypt(CLIP);
    files.answer("/p/init.mp4", ToyOrigins.content(movie.init(), "video/mp4"));
    int number = 0;
    for (byte[] fragment : movie.fragments()) {
      files.answer("/p/" + ++number + ".m4s", ToyOrigins.content(fragment, "video/mp4"));
    }
    files.playlist("/p/film.mpd", MpdFiles.periods(periods), MpdFiles.TYPE);
    return proxy.url(MpdLink.manifest(origin.url("/p/film.mpd")).key(protector).toString());
  }

  private static String period(String attributes) {
    return "<Period " + attributes + ">" + REPRESENTATION + "</Period>";
  }

  /** Presentation time and hash of each picture. */
  private static List<String[]> pictures(String input) throws IOException {
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg")
            .run(
                Duration.ofSeconds(90),
                ("-v error -i " + input + " -map 0:v -vsync passthrough -f framemd5 -").split(" "));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    return outcome
        .output()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(", *"))
        .toList();
  }

  private static List<String> hashes(List<String[]> pictures) {
    return pictures.stream().map(picture -> picture[5].strip()).toList();
  }

  private List<String> clear() throws IOException {
    return hashes(pictures(Files.write(directory.resolve("clear.mp4"), CLIP).toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cenc", "cbcs"})
  void everyPictureIsThere(String scheme) throws IOException {
    String url = film(SampleProtector.of(scheme), period("id=\"a\" duration=\"PT5S\""));
    assertThat(hashes(pictures(url))).hasSize(125).isEqualTo(clear());
  }

  /** Decision 38: what begins at 0 in its own period goes on where the one before has ended. */
  @Test
  void periodsAreOneProgramme() throws IOException {
    String url =
        film(
            SampleProtector.of("cenc"),
            period("id=\"a\" duration=\"PT5S\""),
            period("id=\"b\" duration=\"PT5S\""));
    List<String[]> pictures = pictures(url);
    List<String> once = clear();
    assertThat(hashes(pictures.subList(0, 125))).isEqualTo(once);
    assertThat(hashes(pictures.subList(125, 250))).isEqualTo(once);
    long before = -1;
    for (String[] picture : pictures) {
      long time = Long.parseLong(picture[2].strip());
      assertThat(time).isGreaterThan(before);
      before = time;
    }
  }
}
