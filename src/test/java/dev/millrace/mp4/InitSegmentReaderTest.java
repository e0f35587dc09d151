package dev.millrace.mp4;

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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 42, 44 and 47 of the contract, as far as they are about reading. */
final class InitSegmentReaderTest {
  private static final String KID = "000102030405060708090a0b0c0d0e0f";
  private static final String PIFF_TENC = "8974dbce-7be7-4c51-84f9-7148f9882554";

  private static Track read(BoxBuilder... entries) throws MediaFormatException {
    return InitSegmentReader.read(movie(track(7, descriptions(entries))).bytes()).tracks().get(0);
  }

  private static TrackEncryption encryption(String scheme, BoxBuilder tenc) throws Exception {
    BoxBuilder entry = video("encv", protection("avc1", scheme, tenc));
    return read(entry).entries().get(0).encryption().orElseThrow();
  }

  @Test
  void readsATrack() throws Exception {
    Track track = read(video("avc1", box("avcC").zeros(9)), audio("mp4a", 0));

    assertThat(track.id()).isEqualTo(7);
    assertThat(track.timescale()).isEqualTo(90_000);
    assertThat(FourCc.text(track.handler())).isEqualTo("vide");
    assertThat(track.entries())
        .extracting(entry -> FourCc.text(entry.format()))
        .containsExactly("avc1", "mp4a");
    assertThat(track.entries()).noneMatch(entry -> entry.encryption().isPresent());
    assertThat(track.defaults()).isEqualTo(Track.TrackDefaults.NONE);
  }

  @Test
  void readsWideHeadersAndDefaults() throws Exception {
    BoxBuilder trak =
        box("trak")
            .box(full("tkhd", 1, 0).zeros(16).u32(0xffff_ffffL).zeros(72))
            .box(
                box("mdia")
                    .box(full("mdhd", 1, 0).zeros(16).u32(48_000).zeros(12))
                    .box(box("minf").box(box("stbl"))));
    BoxBuilder trex = full("trex", 0, 0).u32(0xffff_ffffL).u32(2).u32(1024).u32(99).u32(0x10000);

    InitSegment init = InitSegmentReader.read(movie(trak, box("mvex").box(trex)).bytes());

    Track track = init.track(0xffff_ffffL).orElseThrow();
    assertThat(track.timescale()).isEqualTo(48_000);
    assertThat(track.handler()).isZero();
    assertThat(track.defaults()).isEqualTo(new Track.TrackDefaults(2, 1024, 99, 0x10000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cenc", "cens", "cbc1", "cbcs"})
  void findsTheProtection_whateverIsBeforeAndBehind(String scheme) throws Exception {
    BoxBuilder sinf = protection("abcd", scheme);
    BoxBuilder any = box("esds").zeros(33);
    List<BoxBuilder> entries =
        List.of(
            video("encv", any, sinf, any),
            audio("enca", 0, any, sinf),
            audio("enca", 1, box("wave").zeros(12), sinf, any),
            audio("enca", 2, sinf),
            subtitles("enct", sinf),
            subtitles("encs", any, sinf),
            plain("encm", any, sinf),
            plain("enct", sinf).zeros(7));

    for (SampleEntry entry : read(entries.toArray(BoxBuilder[]::new)).entries()) {
      assertThat(FourCc.text(entry.format())).isEqualTo("abcd");
      assertThat(FourCc.text(entry.encryption().orElseThrow().scheme())).isEqualTo(scheme);
    }
  }

  @Test
  void readsTrackEncryption_ofBothVersions() throws Exception {
    BoxBuilder v0 = full("tenc", 0, 0).u8(0).u8(0x19).u8(1).u8(16).hex(KID);
    BoxBuilder v1 =
        full("tenc", 1, 0).u8(0).u8(0x19).u8(1).u8(0).hex(KID).u8(8).hex("0102030405060708");
    byte[] kid = HexFormat.of().parseHex(KID);
    byte[] iv = {1, 2, 3, 4, 5, 6, 7, 8};

    assertThat(encryption("cenc", v0).protection())
        .isEqualTo(new SampleProtection(true, 0, 0, 16, kid, new byte[0]));
    assertThat(encryption("cbcs", v1).protection())
        .isEqualTo(new SampleProtection(true, 1, 9, 0, kid, iv));
  }

  @ParameterizedTest
  @CsvSource({"piff,1,cenc,true", "piff,2,cbc1,true", "piff,0,piff,false", "cenc,1,cenc,true"})
  void readsTheTrackEncryptionOfPiff(
      String scheme, int algorithm, String meant, boolean isProtected) throws Exception {
    BoxBuilder tenc = uuid(PIFF_TENC).u32(0).u24(algorithm).u8(8).hex(KID);

    TrackEncryption encryption = encryption(scheme, tenc);

    assertThat(FourCc.text(encryption.scheme())).isEqualTo(meant);
    assertThat(encryption.protection().isProtected()).isEqualTo(isProtected);
    assertThat(encryption.protection().kid()).isEqualTo(HexFormat.of().parseHex(KID));
  }

  @Test
  void takesTheProtectionItKnows_ofSeveral() throws Exception {
    BoxBuilder entry =
        video("encv", protection("avc1", "odkm", box("odaf")), protection("avc1", "cbcs"));

    assertThat(read(entry).entries().get(0).encryption().orElseThrow().scheme())
        .isEqualTo(FourCc.of("cbcs"));
  }

  @Test
  void neverTakesAnUnknownScheme_forClear() throws Exception {
    assertThat(encryption("itun", box("user")).protection().isProtected()).isTrue();
    assertThat(encryption("piff", box("user")).protection().isProtected()).isFalse();
  }

  @Test
  void refusesProtectionThatDoesNotSayHow() {
    BoxBuilder tenc = full("tenc", 0, 0).u8(0).u8(0).u8(1).hex("09").hex(KID);

    assertThatThrownBy(() -> read(video("encv", box("avcC")))).hasMessageContaining("how it is");
    assertThatThrownBy(() -> read(video("encv", box("sinf")))).hasMessageContaining("no format");
    assertThatThrownBy(() -> encryption("cenc", box("free"))).hasMessageContaining("no box 'tenc'");
    assertThatThrownBy(() -> encryption("cbcs", tenc)).hasMessageContaining("not 0, 8 or 16");
    assertThatThrownBy(() -> encryption("cbcs", full("tenc", 0, 0).zeros(19)))
        .hasMessageContaining("ends before");
  }

  @Test
  void takesTheLastOfTwoMovies_whateverFollows() throws Exception {
    BoxBuilder first = movie(track(1, descriptions()));
    BoxBuilder second = movie(track(2, descriptions()), track(2, descriptions(plain("wvtt"))));

    InitSegment init =
        InitSegmentReader.read(file(box("ftyp"), first, second, box("mdat").claiming(1 << 30)));

    assertThat(init.tracks()).extracting(Track::id).containsExactly(2L, 2L);
    assertThat(init.track(2).orElseThrow().entries()).as("the first counts").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "<!DOCTYPE html><html><body>Not found</body></html>"})
  void refusesWhatIsNoInitializationSegment(String text) {
    assertThatThrownBy(() -> InitSegmentReader.read(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(MediaFormatException.class);
  }

  @Test
  void refusesFilesWithoutAMovie() {
    byte[] cut = file(box("ftyp"), movie().claiming(1L << 31));
    byte[] endless = file(box("ftyp"), box("moov").endless());
    byte[] huge = box("moov").large().claiming(1L << 40).bytes();

    assertThatThrownBy(() -> InitSegmentReader.read(box("ftyp").bytes()))
        .hasMessageContaining("No movie box");
    assertThatThrownBy(() -> InitSegmentReader.read(cut)).hasMessageContaining("'moov' is longer");
    assertThatThrownBy(() -> InitSegmentReader.read(endless)).hasMessageContaining("how long");
    assertThatThrownBy(() -> InitSegmentReader.read(huge)).hasMessageContaining("'moov' is longer");
  }

  @Test
  void refusesWhatTracksNeed() {
    BoxBuilder noTimescale =
        box("trak")
            .box(full("tkhd", 0, 0).zeros(80))
            .box(box("mdia").box(full("mdhd", 0, 0).zeros(20)));
    BoxBuilder liar = movie(box("trak").box(box("tkhd").claiming(1 << 20)));

    assertThatThrownBy(() -> InitSegmentReader.read(movie(box("trak")).bytes()))
        .hasMessage("Box 'trak' has no box 'tkhd'.");
    assertThatThrownBy(() -> InitSegmentReader.read(movie(noTimescale).bytes()))
        .hasMessageContaining("time scale 0");
    assertThatThrownBy(() -> InitSegmentReader.read(liar.bytes())).hasMessageContaining("longer");
  }

  @Test
  void readsAsManyTracksAndEntriesAsItsLimits_andNoMore() throws Exception {
    BoxBuilder[] tracks = tracks(InitSegmentReader.MAX_TRACKS + 1);
    BoxBuilder[] most = Arrays.copyOf(tracks, InitSegmentReader.MAX_TRACKS);
    BoxBuilder[] entries =
        IntStream.range(0, InitSegmentReader.MAX_ENTRIES)
            .mapToObj(i -> plain("wvtt"))
            .toArray(BoxBuilder[]::new);

    assertThat(InitSegmentReader.read(movie(most).bytes()).tracks()).hasSize(1_024);
    assertThat(read(entries).entries()).hasSize(1_024);
    assertThatThrownBy(() -> InitSegmentReader.read(movie(tracks).bytes()))
        .hasMessageContaining("1,024 tracks");
    assertThatThrownBy(() -> read(descriptionsOf(entries))).hasMessageContaining("1,024 entries");
  }

  @Test
  void allocatesLittle_whateverIsCounted() {
    BoxBuilder sgpd = full("sgpd", 1, 0).text("seig").u32(20).u32(0x7fff_ffffL).zeros(40);
    BoxBuilder sbgp = full("sbgp", 0, 0).text("seig").u32(0xffff_ffffL).zeros(80);
    BoxBuilder stsd = full("stsd", 0, 0).u32(0xffff_ffffL).box(plain("wvtt"));
    byte[][] liars = {
      movie(track(1, stsd, sgpd)).bytes(),
      movie(track(1, stsd, sbgp)).bytes(),
      movie(track(1, stsd, full("sgpd", 2, 0).text("seig").u32(0).u32(-1).u32(-1))).bytes()
    };
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assertThat(refused(liars)).as("and classes are loaded").isEqualTo(liars.length);

    long before = threads.getCurrentThreadAllocatedBytes();
    int refused = refused(liars);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(refused).isEqualTo(liars.length);
    assertThat(allocated).isLessThan(1 << 20);
  }

  private static int refused(byte[]... files) {
    int refused = 0;
    for (byte[] file : files) {
      try {
        InitSegmentReader.read(file);
      } catch (MediaFormatException e) {
        refused++;
      }
    }
    return refused;
  }

  private static BoxBuilder[] descriptionsOf(BoxBuilder... entries) {
    BoxBuilder[] more = Arrays.copyOf(entries, entries.length + 1);
    more[entries.length] = plain("wvtt");
    return more;
  }

  private static BoxBuilder[] tracks(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> track(i + 1, descriptions()))
        .toArray(BoxBuilder[]::new);
  }
}
