package dev.millrace.app;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.BoxBuilder;
import dev.millrace.testing.CountedAnswer;
import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MillraceProcess;
import dev.millrace.testing.Movies;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginExchange;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RawHttp;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Presentations and fragments that are small and announce much, asked for several times at once, in
 * the heap of the distribution: each is refused for a reason, and the server stays well.
 */
@Timeout(120)
class HostilePresentationIT {
  private static final int AT_ONCE = 6;
  private static final int MOOF_BYTES = 92;
  private static final int MAX_FRAGMENTS = 257;

  @AutoClose
  private static final OriginServer ORIGIN =
      OriginServer.start(
          new HlsOrigin()
              .answer("/init.mp4", media(file(box("ftyp").text("iso6").u32(0), movie())))
              .answer("/samples.m4s", media(file(moof(1 << 20, MOOF_BYTES), mdat())))
              .answer("/fragments.m4s", HostilePresentationIT::fragmentsWithoutMedia)
              .playlist("/urls.mpd", film("<SegmentList duration='1'>", 780_000), MpdFiles.TYPE)
              .playlist("/entries.mpd", timeline(1_000_000), MpdFiles.TYPE)
              .playlist("/long.mpd", longFilm(), MpdFiles.TYPE));

  private static MillraceProcess server;

  @BeforeAll
  static void start() throws IOException {
    server = MillraceProcess.start();
  }

  @AfterAll
  static void staysWell() throws IOException {
    assertThat(server.log()).doesNotContain("OutOfMemoryError");
    server.close();
  }

  private static BoxBuilder movie() {
    BoxBuilder tenc = full("tenc", 1, 0).u8(0).u8(0).u8(1).u8(0).hex("11".repeat(16));
    tenc.u8(16).hex("22".repeat(16));
    BoxBuilder sinf = Movies.protection("mp4a", "cbcs", tenc);
    return Movies.movie(Movies.track(1, Movies.descriptions(Movies.audio("enca", 0, sinf))));
  }

  private static BoxBuilder moof(int samples, int offset) {
    return box("moof")
        .box(full("mfhd", 0, 0).u32(1))
        .box(
            box("traf")
                .box(full("tfhd", 0, 0x2_0010).u32(1).u32(16))
                .box(full("trun", 0, 1).u32(samples).u32(offset)));
  }

  private static BoxBuilder mdat() {
    return box("mdat").zeros(16);
  }

  private static Script media(byte[] bytes) {
    return ToyOrigins.content(bytes, "video/mp4");
  }

  private static void fragmentsWithoutMedia(OriginExchange exchange) throws IOException {
    byte[] far = file(moof(1, 0x7fff_fff0));
    exchange.head(200, "Content-Type: video/mp4", "Connection: close");
    for (int i = 0; i < 600_000; i++) {
      exchange.write(far);
    }
  }

  private static String film(String open, int urls) {
    String close = "</" + open.substring(1, open.indexOf(' ')) + ">";
    return presentation("PT10S", open + "<SegmentURL/>".repeat(urls) + close);
  }

  private static String timeline(int entries) {
    return presentation(
        "PT10S",
        "<SegmentTemplate media='$Time$'><SegmentTimeline>"
            + "<S d='1'/>".repeat(entries)
            + "</SegmentTimeline></SegmentTemplate>");
  }

  private static String longFilm() {
    return presentation(
        "PT99990S", "<SegmentTemplate initialization='i.mp4' media='$Number$.m4s' duration='1'/>");
  }

  private static String presentation(String duration, String addressing) {
    return "<MPD type='static' mediaPresentationDuration='%s'><Period>".formatted(duration)
        + "<AdaptationSet mimeType='video/mp4'><Representation id='v' bandwidth='1'>"
        + addressing
        + "</Representation></AdaptationSet></Period></MPD>";
  }

  private static RawAnswer get(MpdLink link) {
    try {
      return RawHttp.fetch(server.port(), "GET", link.toString());
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static void assertRefused(MpdLink link, String reason) {
    List<CompletableFuture<RawAnswer>> answers =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> get(link)))
            .limit(AT_ONCE)
            .toList();
    for (CompletableFuture<RawAnswer> pending : answers) {
      RawAnswer answer = pending.join();
      assertThat(answer.status()).as(answer.text()).isIn(502, 503);
    }
    RawAnswer alone = get(link);
    assertThat(alone.status()).as(alone.text()).isEqualTo(502);
    assertThat(alone.text()).contains(reason);
  }

  private static void assertWell() throws IOException {
    assertThat(RawHttp.fetch(server.port(), "GET", "/health").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/urls.mpd|elements",
        "/entries.mpd|elements",
        "/long.mpd|segments",
      })
  void refusesPresentations(String path, String reason) throws IOException {
    assertRefused(MpdLink.playlist(ORIGIN.url(path), "0_v_1"), reason);
    assertWell();
  }

  private static MpdLink segment(String path) {
    return MpdLink.segment(ORIGIN.url(path))
        .with("init_url", ORIGIN.url("/init.mp4"))
        .with("use_map", "true")
        .with("key", "22".repeat(16));
  }

  @Test
  void refusesFragmentsOfTooManySamples() throws IOException {
    assertRefused(segment("/samples.m4s"), "samples");
    assertWell();
  }

  /** The first ones may be on their way when it is one too many. */
  @Test
  void breaksOffFragmentsWithoutMedia() throws IOException {
    String target = segment("/fragments.m4s").toString();
    for (int i = 0; i < AT_ONCE; i++) {
      CountedAnswer answer = RawHttp.count(server.port(), target);
      if (answer.status() != 502) { // or it is seen before the first ones leave
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().end()).matches(BodyEnd::isAbort);
        assertThat(answer.body().length()).isLessThan(MAX_FRAGMENTS * MOOF_BYTES);
      }
    }
    assertWell();
  }

  @Test
  void plays_whatIsInBounds() {
    RawAnswer init = get(MpdLink.init(ORIGIN.url("/init.mp4")).with("key", "22".repeat(16)));
    assertThat(init.status()).as(init.text()).isEqualTo(200);
  }
}
