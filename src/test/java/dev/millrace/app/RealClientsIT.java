package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.Chromium;
import dev.millrace.testing.ExternalProgram;
import dev.millrace.testing.ExternalProgram.Outcome;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.StreamLink;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people use: curl, ffmpeg, mpv and a browser play and seek through the proxy. */
@Timeout(120)
class RealClientsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int SIZE = 5_000_000;

  @TempDir private static Path directory;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  @AutoClose private final OriginServer file = OriginServer.start(ToyOrigins.file(SIZE));

  @Test
  void curlFetchesWholeFile(@TempDir Path target) throws IOException {
    Path out = target.resolve("v.mp4");
    Outcome outcome = curl("-sS", "-f", "-o", out.toString(), link(file.url("/v.mp4")));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    assertThat(out).hasBinaryContent(OffsetBytes.range(0, SIZE));
  }

  @Test
  void curlFetchesRange(@TempDir Path target) throws IOException {
    Path out = target.resolve("part");
    Outcome outcome =
        curl("-sS", "-r", "1000-1999", "-w", "%{http_code}", "-o", out.toString(), anyLink());
    assertThat(outcome.output()).isEqualTo("206");
    assertThat(out).hasBinaryContent(OffsetBytes.range(1_000, 2_000));
  }

  @Test
  void curlAsksForHead() throws IOException {
    Outcome outcome = curl("-sS", "-I", anyLink());
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    assertThat(outcome.output()).containsIgnoringCase("content-length: " + SIZE);
  }

  @Test
  void curlResumesDownload(@TempDir Path target) throws IOException {
    Path out = target.resolve("v.mp4");
    Files.write(out, OffsetBytes.range(0, 1_234_567));
    Outcome outcome = curl("-sS", "-f", "-C", "-", "-o", out.toString(), anyLink());
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    assertThat(out).hasBinaryContent(OffsetBytes.range(0, SIZE));
    assertThat(file.onlyRequest().field("Range")).contains("bytes=1234567-");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ffprobeReadsDuration(boolean indexFirst) throws IOException {
    try (OriginServer film = film(indexFirst)) {
      Outcome outcome =
          ExternalProgram.required("ffprobe")
              .run(
                  SOON,
                  "-v",
                  "error",
                  "-show_entries",
                  "format=duration",
                  "-of",
                  "csv=p=0",
                  link(film.url("/film.mp4")));
      assertThat(outcome.exit()).as(outcome.errors()).isZero();
      assertThat(outcome.output()).startsWith("20.");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ffmpegSeeks(boolean indexFirst) throws IOException {
    try (OriginServer film = film(indexFirst)) {
      Outcome outcome =
          ExternalProgram.required("ffmpeg")
              .run(
                  SOON,
                  "-v",
                  "error",
                  "-ss",
                  "15",
                  "-i",
                  link(film.url("/film.mp4")),
                  "-frames:v",
                  "5",
                  "-f",
                  "framehash",
                  "-");
      assertThat(outcome.exit()).as(outcome.errors()).isZero();
      assertThat(outcome.errors()).isEmpty();
      assertThat(outcome.output().lines().filter(line -> line.startsWith("0,"))).hasSize(5);
      assertThat(film.requests()).anyMatch(RealClientsIT::isFarInside);
    }
  }

  @Test
  void mpvPlaysFromTheMiddle() throws IOException {
    try (OriginServer film = film(true)) {
      Outcome outcome =
          ExternalProgram.required("mpv")
              .run(
                  SOON,
                  "--no-config",
                  "--vo=null",
                  "--ao=null",
                  "--untimed",
                  "--start=12",
                  "--length=2",
                  "--ytdl=no",
                  link(film.url("/film.mp4")));
      assertThat(outcome.exit()).as(outcome.output() + outcome.errors()).isZero();
      assertThat(film.requests()).anyMatch(RealClientsIT::isFarInside);
    }
  }

  @Test
  void browserPlaysAndSeeks_onPageOfAnotherOrigin() throws Exception {
    try (OriginServer film = film(true);
        OriginServer pages = OriginServer.start(page(link(film.url("/film.mp4"))))) {
      Path log = directory.resolve("chromium.log");
      Chromium.show(
          directory,
          log,
          pages.url("/page.html"),
          () -> Await.until("report of the page", SOON, () -> report(pages).isPresent()));
      assertThat(report(pages).orElseThrow()).isEqualTo("/report?seeked=15&bytes=100&total=yes");
      assertThat(film.requests()).anyMatch(RealClientsIT::isFarInside);
    }
  }

  private static Optional<String> report(OriginServer pages) {
    return pages.requests().stream()
        .map(RecordedRequest::target)
        .filter(target -> target.startsWith("/report?"))
        .findFirst();
  }

  /** Plays, seeks to 15 s, and reads a range with fetch, whose headers CORS has to expose. */
  private static Script page(String url) {
    String html =
        """
        <!doctype html><video id=v muted crossorigin=anonymous></video><script>
        const url = '%s', v = document.getElementById('v'), report = t => fetch('/report?' + t);
        v.onerror = () => report('error=' + v.error.code + encodeURIComponent(v.error.message));
        v.onplaying = () => { v.onplaying = null; v.currentTime = 15; };
        v.onseeked = async () => {
          const part = await fetch(url, {headers: {Range: 'bytes=100-199'}});
          const bytes = (await part.arrayBuffer()).byteLength;
          const total = /^bytes 100-199.\\d+$/.test(part.headers.get('Content-Range'));
          report('seeked=' + Math.floor(v.currentTime) + '&bytes=' + bytes + '&total=' + (total ? 'yes' : 'no'));
        };
        v.src = url; v.play();
        </script>
        """
            .formatted(url);
    return exchange -> exchange.text(200, html, "Content-Type: text/html");
  }

  private static boolean isFarInside(RecordedRequest request) {
    return request.field("Range").filter(range -> !range.startsWith("bytes=0-")).isPresent();
  }

  private static OriginServer film(boolean indexFirst) throws IOException {
    Path mp4 = directory.resolve(indexFirst + ".mp4");
    if (!Files.exists(mp4)) {
      make(mp4, indexFirst ? "+faststart" : "0");
    }
    return OriginServer.start(ToyOrigins.content(Files.readAllBytes(mp4), "video/mp4"));
  }

  /** Twenty seconds of noise, so that the file is some megabytes and seeking skips most of it. */
  private static void make(Path mp4, String flags) throws IOException {
    List<String> arguments =
        List.of(
            "-v",
            "error",
            "-y",
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=640x360:rate=25:duration=20,noise=alls=40:allf=t",
            "-f",
            "lavfi",
            "-i",
            "sine=frequency=440:duration=20",
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-crf",
            "28",
            "-g",
            "50",
            "-pix_fmt",
            "yuv420p",
            "-c:a",
            "aac",
            "-movflags",
            flags,
            mp4.toString());
    Outcome outcome =
        ExternalProgram.required("ffmpeg")
            .run(Duration.ofMinutes(1), arguments.toArray(String[]::new));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
  }

  private static Outcome curl(String... arguments) throws IOException {
    return ExternalProgram.required("curl").run(SOON, arguments);
  }

  private String anyLink() {
    return link(file.url("/v.mp4"));
  }

  private static String link(String d) {
    return PROXY.url(StreamLink.to(d).toString());
  }
}
