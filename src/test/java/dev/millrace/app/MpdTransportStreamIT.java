package dev.millrace.app;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CutMovie;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.Movies;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SampleProtector;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code /proxy/mpd/segment.ts}: protected fragments as a clear transport stream. */
@Timeout(120)
class MpdTransportStreamIT {
  private static final byte[] CLIP = CutMovie.clip();
  private static final SampleProtector CENC =
      SampleProtector.of("cenc").subsamples(SampleProtector.TWO);
  private static final ProtectedMovie MOVIE = CencEncryptor.of(CENC).encrypt(CLIP);

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin files =
      new HlsOrigin()
          .answer("/init", content(MOVIE.init()))
          .answer("/all", content(MOVIE.media()))
          .answer("/none", ToyOrigins.status(404));

  @AutoClose private final OriginServer origin = OriginServer.start(files);

  private static Script content(byte[] bytes) {
    return ToyOrigins.content(bytes, "video/mp4");
  }

  private String link(String path) {
    String mp4 = MpdLink.segment(origin.url(path)).with("init_url", origin.url("/init")).toString();
    return mp4.replace("/segment.mp4?", "/segment.ts?");
  }

  private String withKey(String path) {
    return link(path) + "&key_id=" + CENC.kid() + "&key=" + CENC.key();
  }

  private static RawAnswer get(String link, String... fields) throws IOException {
    return PROXY.fetch("GET", link, fields);
  }

  private static List<String> digests(Path file, String kind) throws IOException {
    String arguments = "-v error -i " + file + " -map 0:" + kind + " -vsync 0 -f framemd5 -";
    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffmpeg").run(Duration.ofSeconds(60), arguments.split(" ", -1));
    assertThat(outcome.errors()).isEmpty();
    return Arrays.stream(outcome.output().split("\n", -1))
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.substring(line.lastIndexOf(',') + 1).strip())
        .toList();
  }

  @Test
  void isWhatWasEncrypted(@TempDir Path directory) throws IOException {
    RawAnswer answer = get(withKey("/all"));

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    assertThat(answer.field("Content-Type")).contains("video/mp2t");
    assertThat(answer.field("Accept-Ranges")).contains("none");
    Path clear = Files.write(directory.resolve("clear.mp4"), CLIP);
    Path made = Files.write(directory.resolve("made.ts"), answer.bytes());
    for (String kind : List.of("v", "a")) {
      assertThat(digests(made, kind)).hasSizeGreaterThan(50).isEqualTo(digests(clear, kind));
    }
  }

  @Test
  void answersAllOfIt_whateverRangeIsAsked() throws IOException {
    RawAnswer answer = get(withKey("/all"), "Range: bytes=188-375");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).startsWith(0x47).isEqualTo(get(withKey("/all")).bytes());
    assertThat(origin.requests())
        .noneMatch(request -> request.field("Range").orElse("").contains("188"));
  }

  /** Where older proxies have them. */
  @Test
  void hasPicturesAndSoundInTheirPlaces(@TempDir Path directory) throws IOException {
    Path made = Files.write(directory.resolve("made.ts"), get(withKey("/all")).bytes());

    ExternalProgram.Outcome outcome =
        ExternalProgram.required("ffprobe")
            .run(
                Duration.ofSeconds(60),
                ("-v error -show_entries stream=id,codec_name -of csv=p=0 " + made).split(" ", -1));

    assertThat(
            outcome.output().lines().map(String::strip).filter(line -> !line.isEmpty()).distinct())
        .containsExactlyInAnyOrder("h264,0x100", "aac,0x101");
  }

  @Test
  void answersHead() throws IOException {
    RawAnswer answer = PROXY.fetch("HEAD", withKey("/all"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).contains("video/mp2t");
    assertThat(answer.bytes()).isEmpty();
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    files.answer("/alone", content(CutMovie.joined(MOVIE.init(), MOVIE.media())));
    assertThat(get(link("/all")).status()).isEqualTo(400);
    assertThat(get(link("/alone")).status()).isEqualTo(400);
    assertThat(get(withKey("/alone")).status()).isEqualTo(200);
    assertThat(get(withKey("/none")).status()).isEqualTo(404);
  }

  @Test
  void refusesCodecsThatHaveNoPlace() throws IOException {
    byte[] opus =
        file(
            Movies.movie(Movies.track(1, Movies.descriptions(Movies.audio("Opus", 0)))),
            box("moof").zeros(0));
    files.answer("/opus", content(opus));

    RawAnswer answer =
        get(
            MpdLink.segment(origin.url("/opus"))
                .toString()
                .replace("/segment.mp4?", "/segment.ts?"));

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.text()).contains("segment.mp4");
  }

  @Test
  void breaksOff_whatTheOriginCuts() throws IOException {
    byte[] media = MOVIE.media();
    files.answer("/all", content(Arrays.copyOf(media, media.length - 100)));

    assertThat(get(withKey("/all")).end()).matches(BodyEnd::isAbort);
  }
}
