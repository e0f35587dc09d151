package dev.millrace.cenc;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static dev.millrace.testing.BoxBuilder.uuid;
import static dev.millrace.testing.Movies.audio;
import static dev.millrace.testing.Movies.descriptions;
import static dev.millrace.testing.Movies.movie;
import static dev.millrace.testing.Movies.plain;
import static dev.millrace.testing.Movies.protection;
import static dev.millrace.testing.Movies.subtitles;
import static dev.millrace.testing.Movies.track;
import static dev.millrace.testing.Movies.video;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 44 to 47 of the contract. */
final class InitSegmentCleanerTest {
  private static final BoxBuilder FTYP = box("ftyp").text("iso6").u32(0);
  private static final BoxBuilder CONFIG = box("avcC").hex("0164001fffe1000467640028");
  private static final BoxBuilder PSSH = full("pssh", 0, 0).zeros(16).u32(3).text("any");
  private static final BoxBuilder SEIG = full("sgpd", 1, 0).text("seig").u32(20).u32(0);

  /** An empty one as long as that. */
  private static BoxBuilder blank(BoxBuilder box) {
    return box("free").zeros(box.length() - 8);
  }

  private static byte[] init(BoxBuilder... entries) {
    return file(FTYP, movie(track(1, descriptions(entries))));
  }

  private static byte[] clean(byte[] init) throws MediaFormatException {
    return InitSegmentCleaner.clean(init, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"avc1", "avc3", "hvc1", "dvh1", "av01", "vp09"})
  void restoresVideo(String format) throws Exception {
    BoxBuilder sinf = protection(format, "cenc");

    assertThat(clean(init(video("encv", CONFIG, sinf, box("pasp").zeros(8)))))
        .isEqualTo(init(video(format, CONFIG, blank(sinf), box("pasp").zeros(8))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mp4a", "ec-3", "ac-4", "Opus", "fLaC"})
  void restoresAudio(String format) throws Exception {
    BoxBuilder sinf = protection(format, "cbcs");

    assertThat(clean(init(audio("enca", 0, sinf, CONFIG))))
        .isEqualTo(init(audio(format, 0, blank(sinf), CONFIG)));
    assertThat(clean(init(audio("enca", 1, CONFIG, sinf))))
        .isEqualTo(init(audio(format, 1, CONFIG, blank(sinf))));
    assertThat(clean(init(audio("enca", 2, CONFIG, sinf))))
        .isEqualTo(init(audio(format, 2, CONFIG, blank(sinf))));
  }

  @Test
  void restoresSubtitlesAndMetadata() throws Exception {
    BoxBuilder stpp = protection("stpp", "cenc");
    BoxBuilder wvtt = protection("wvtt", "cenc");

    assertThat(clean(init(subtitles("enct", stpp), plain("encs", wvtt), plain("encm", wvtt))))
        .isEqualTo(
            init(
                subtitles("stpp", blank(stpp)),
                plain("wvtt", blank(wvtt)),
                plain("wvtt", blank(wvtt))));
  }

  @Test
  void blanksEveryProtection_ofAnEntry() throws Exception {
    BoxBuilder other = protection("avc1", "odkm", box("odaf"));
    BoxBuilder sinf = protection("avc1", "cbcs");

    assertThat(clean(init(video("encv", other, CONFIG, sinf))))
        .isEqualTo(init(video("avc1", blank(other), CONFIG, blank(sinf))));
  }

  private static Stream<BoxBuilder> clearEntries() {
    return Stream.of(
        video("avc3", CONFIG),
        video("av01", box("av1C").zeros(4), protection("av01", "cenc")),
        video("dvh1").zeros(3),
        audio("ec-3", 0, box("dec3").zeros(5)),
        audio("Opus", 1, box("dOps").zeros(11)),
        subtitles("stpp"),
        plain("wvtt", box("vttC").text("WEBVTT")),
        box("tx3g").zeros(1));
  }

  @ParameterizedTest
  @MethodSource("clearEntries")
  void leavesClearEntries_bitByBit(BoxBuilder entry) throws Exception {
    byte[] init = init(entry);

    assertThat(clean(init)).isEqualTo(init);
    assertThat(InitSegmentCleaner.clean(init, true)).isEqualTo(init);
  }

  /** What speaks of protection, everywhere where it has been seen. */
  private static byte[] protectedMovie(UnaryOperator<BoxBuilder> edit) {
    BoxBuilder piff = uuid("d08a4f18-10f3-4a82-b6c8-32d8aba183d3").zeros(24);
    BoxBuilder own = full("saiz", 0, 1).text("abcd").zeros(9);
    BoxBuilder trak =
        track(
            1,
            descriptions(video("avc1", CONFIG)),
            edit.apply(full("senc", 0, 2).u32(0)),
            edit.apply(full("saiz", 0, 0).u8(8).u32(0)),
            edit.apply(full("saio", 0, 1).text("cbcs").u32(0).u32(0)),
            own,
            edit.apply(SEIG),
            full("sgpd", 1, 0).text("roll").u32(2).u32(0),
            edit.apply(full("sbgp", 0, 0).text("seig").u32(0)));
    trak.box(edit.apply(full("senc", 0, 0).u32(0)));
    return file(
        FTYP,
        edit.apply(PSSH),
        movie(edit.apply(PSSH), trak, edit.apply(PSSH), edit.apply(piff), edit.apply(PSSH)),
        box("free").zeros(3));
  }

  @Test
  void blanksAllThatSpeaksOfProtection() throws Exception {
    byte[] init = protectedMovie(UnaryOperator.identity());
    byte[] before = init.clone();

    assertThat(clean(init)).isEqualTo(protectedMovie(InitSegmentCleanerTest::blank));
    assertThat(init).as("stays as it is").isEqualTo(before);
  }

  @Test
  void blanksBoxesWithALargeSize() throws Exception {
    byte[] init = file(movie(full("pssh", 0, 0).zeros(30).large()));

    assertThat(clean(init)).isEqualTo(file(movie(box("free").zeros(34).large())));
  }

  @Test
  void leavesOutWhatIsBlanked_inTheCompactLayout() throws Exception {
    BoxBuilder sinf = protection("avc1", "cenc");
    byte[] init =
        file(
            FTYP,
            movie(PSSH, track(1, descriptions(video("encv", CONFIG, sinf)), SEIG).large(), PSSH),
            box("mdat").zeros(5));
    int removed = 2 * PSSH.length() + sinf.length() + SEIG.length();

    assertThat(InitSegmentCleaner.clean(init, true))
        .isEqualTo(
            file(
                FTYP,
                movie(track(1, descriptions(video("avc1", CONFIG))).large()),
                box("free").zeros(removed - 8),
                box("mdat").zeros(5)));
  }

  @Test
  void cleansEveryMovie() throws Exception {
    byte[] movie = movie(track(1, descriptions(video("encv", protection("avc1", "cenc"))))).bytes();

    byte[] clean = clean(file(movie, FTYP, movie));

    assertThat(InitSegmentReader.read(clean).isProtected()).isFalse();
    assertThat(Arrays.copyOf(clean, movie.length))
        .isEqualTo(Arrays.copyOfRange(clean, clean.length - movie.length, clean.length));
  }

  @Test
  void copiesWhatFollows_wherethatBreaksOff() throws Exception {
    byte[] init = file(FTYP, movie(), box("sidx").zeros(40).claiming(900));

    assertThat(clean(init)).isEqualTo(init);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0123", "<!DOCTYPE html><html><body>Not found</body></html>"})
  void refusesWhatIsNoInitializationSegment(String text) {
    assertThatThrownBy(() -> clean(text.getBytes(UTF_8))).isInstanceOf(MediaFormatException.class);
    assertThatThrownBy(() -> clean(FTYP.bytes())).hasMessageContaining("No movie box");
  }

  @Test
  void refusesSchemesThatAreNotRead() {
    byte[] init = init(video("encv", protection("avc1", "itun")));

    assertThatThrownBy(() -> clean(init)).hasMessage("Protection scheme 'itun' is not read.");
  }

  @Test
  void descendsAsFarAsItsLimit_andNoFarther() throws Exception {
    byte[] most = movie(nested(Box.MAX_DEPTH - 1)).bytes();

    assertThat(new String(clean(most), UTF_8)).doesNotContain("pssh");
    for (int depth : new int[] {Box.MAX_DEPTH, 40}) {
      byte[] tooDeep = movie(nested(depth)).bytes();
      assertThatThrownBy(() -> clean(tooDeep)).hasMessageContaining("deeper than 16");
    }
  }

  private static BoxBuilder nested(int depth) {
    BoxBuilder box = PSSH;
    for (int i = 0; i < depth; i++) {
      box = box("trak").box(box);
    }
    return box;
  }
}
