package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.HlsOrigin;
import dev.millrace.testing.MpdFiles;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RecordedRequest;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.Script;
import dev.millrace.testing.SegmentIndexes;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Media playlists of single files whose index is fetched (contract for DASH §5.3, case 63; D02).
 */
@Timeout(60)
class MpdIndexIT {
  private static final byte[] START =
      SegmentIndexes.joined(SegmentIndexes.box("ftyp", 24), SegmentIndexes.box("moov", 776));
  private static final byte[] THREE =
      SegmentIndexes.sidx(
          0, 0, 0, new int[] {1_000, 4_000}, new int[] {2_000, 4_000}, new int[] {500, 4_000});
  private static final String INIT = "<Initialization range=\"0-799\"/>";

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final HlsOrigin files = new HlsOrigin();
  @AutoClose private final OriginServer origin = OriginServer.start(files);

  private RawAnswer play(String segmentBase, Script file) throws IOException {
    files.playlist("/film.mpd", MpdFiles.singleFile(segmentBase), MpdFiles.TYPE);
    files.answer("/film.mp4", file);
    MpdLink link = MpdLink.playlist(origin.url("/film.mpd"), "1_v_1000000");
    return PROXY.fetch("GET", link.toString());
  }

  private static String indexed(long first, long last) {
    return "<SegmentBase indexRange=\"" + first + "-" + last + "\">" + INIT + "</SegmentBase>";
  }

  private static Script file(byte[]... parts) {
    return ToyOrigins.content(SegmentIndexes.joined(parts), "video/mp4");
  }

  private static List<String> ranges(RawAnswer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return MpdLink.linksIn(answer).stream()
        .filter(link -> link.contains("/segment.mp4?"))
        .map(MpdLink::parametersOf)
        .map(parameters -> parameters.getOrDefault("segment_range", "none"))
        .toList();
  }

  private List<String> asked() {
    return origin.requests().stream()
        .filter(request -> request.path().equals("/film.mp4"))
        .map(request -> request.field("Range").orElse("none"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void entriesAreTheFragments(int version) throws IOException {
    byte[] sidx =
        SegmentIndexes.sidx(version, 0, 0, new int[] {1_000, 4_000}, new int[] {2_000, 8_000});
    int end = 800 + sidx.length;
    RawAnswer answer = play(indexed(800, end - 1), file(START, sidx, new byte[3_000]));
    assertThat(ranges(answer))
        .containsExactly(end + "-" + (end + 999), (end + 1_000) + "-" + (end + 2_999));
    assertThat(answer.text()).contains("#EXTINF:4.000,", "#EXTINF:8.000,", "#EXT-X-ENDLIST");
    assertThat(asked()).containsExactly("bytes=800-" + (end - 1));
    Map<String, String> map = MpdLink.parametersOf(MpdLink.linksIn(answer).get(0));
    assertThat(map).containsEntry("init_range", "0-799");
  }

  @Test
  void mediaMayBeginFurtherBehind() throws IOException {
    byte[] sidx = SegmentIndexes.sidx(0, 0, 100, new int[] {1_000, 12_000});
    int media = 800 + sidx.length + 100;
    assertThat(ranges(play(indexed(800, media - 101), file(START, sidx, new byte[1_100]))))
        .containsExactly(media + "-" + (media + 999));
  }

  @Test
  void indexMayStandBehindAnotherBox() throws IOException {
    byte[] styp = SegmentIndexes.box("styp", 20);
    int end = 820 + THREE.length;
    RawAnswer answer = play(indexed(800, end - 1), file(START, styp, THREE, new byte[3_500]));
    assertThat(ranges(answer)).hasSize(3).first().isEqualTo(end + "-" + (end + 999));
  }

  @Test
  void indexIsLookedFor_ifNobodySaysWhereItIs() throws IOException {
    RawAnswer answer =
        play("<SegmentBase>" + INIT + "</SegmentBase>", file(START, THREE, new byte[3_500]));
    assertThat(ranges(answer)).hasSize(3);
    assertThat(asked()).containsExactly("bytes=0-65535");
  }

  @Test
  void indexIsLookedForBehindALongMovieBox() throws IOException {
    byte[] moov = SegmentIndexes.box("moov", 200_000);
    RawAnswer answer =
        play("<SegmentBase>" + INIT + "</SegmentBase>", file(moov, THREE, new byte[3_500]));
    assertThat(ranges(answer)).hasSize(3).first().asString().startsWith("200068-");
    assertThat(asked()).containsExactly("bytes=0-65535", "bytes=200000-216383");
  }

  @Test
  void indexThatIsCutIsAskedForWhole() throws IOException {
    byte[] free = SegmentIndexes.box("free", (64 << 10) - 40);
    RawAnswer answer = play("", file(free, THREE, new byte[3_500]));
    assertThat(ranges(answer)).hasSize(3);
    assertThat(asked()).hasSize(2);
  }

  @Test
  void indexesOfIndexesAreFollowed_inTheOrderOfTheMedia() throws IOException {
    byte[] one = SegmentIndexes.sidx(0, 0, 0, new int[] {100, 2_000}, new int[] {200, 2_000});
    byte[] two = SegmentIndexes.sidx(1, 8_000, 0, new int[] {300, 4_000});
    int first = one.length + 300;
    int second = two.length + 300;
    byte[] root =
        SegmentIndexes.sidx(
            0, 0, 0, new int[] {-first, 4_000}, new int[] {50, 4_000}, new int[] {-second, 4_000});
    int at = 800 + root.length;
    RawAnswer answer =
        play(
            indexed(800, at - 1),
            file(START, root, one, new byte[300], new byte[50], two, new byte[300]));
    int media = at + one.length;
    int last = at + first + 50 + two.length;
    assertThat(ranges(answer))
        .containsExactly(
            media + "-" + (media + 99),
            (media + 100) + "-" + (media + 299),
            (at + first) + "-" + (at + first + 49),
            last + "-" + (last + 299));
  }

  @Test
  void fileWithoutIndexIsOneSegment() throws IOException {
    RawAnswer answer =
        play(
            "<SegmentBase>" + INIT + "</SegmentBase>", file(START, SegmentIndexes.box("mdat", 99)));
    assertThat(ranges(answer)).hasSize(1);
  }

  @Test
  void wholeFileInPlaceOfARangeIsReadUpToTheIndex() throws IOException {
    byte[] all = SegmentIndexes.joined(START, THREE, new byte[3_500]);
    RawAnswer answer =
        play(indexed(800, 799 + THREE.length), e -> e.bytes(200, all, "Content-Type: video/mp4"));
    assertThat(ranges(answer)).hasSize(3);
  }

  @Test
  void wholeFileInPlaceOfAFarRangeIs502() throws IOException {
    byte[] all = new byte[(1 << 20) + 100];
    long far = (1 << 20) + 1;
    RawAnswer answer = play(indexed(far, far + 50), e -> e.bytes(200, all));
    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.text()).contains("bad_range");
  }

  @Test
  void anotherPartThanAskedForIs502() throws IOException {
    RawAnswer answer =
        play(indexed(800, 899), e -> e.bytes(206, new byte[100], "Content-Range: bytes 0-99/4000"));
    assertThat(answer.status()).isEqualTo(502);
  }

  @Test
  void refusalOfTheFileIsPassedOn() throws IOException {
    assertThat(play(indexed(800, 899), e -> e.text(403, "")).status()).isEqualTo(403);
  }

  @Test
  void noMoreThanAMebibyteIsAskedForAtATime() throws IOException {
    RawAnswer answer = play(indexed(800, 5 << 20), file(START, THREE, new byte[3_500]));
    assertThat(ranges(answer)).hasSize(3);
    assertThat(asked()).containsExactly("bytes=800-" + (799 + (1 << 20)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "900-800", "1-99999999999999999999"})
  void indexRangeThatIsNoneIsNotUsed(String range) throws IOException {
    String base = "<SegmentBase indexRange=\"" + range + "\">" + INIT + "</SegmentBase>";
    assertThat(ranges(play(base, file(START, THREE, new byte[3_500])))).hasSize(3);
    assertThat(asked()).containsExactly("bytes=0-65535");
  }

  @Test
  void indexThatEndsNowhereIsNotUsed() throws IOException {
    byte[] root = SegmentIndexes.sidx(0, 0, 0, new int[] {-44, 4_000});
    assertThat(ranges(play(indexed(800, 843), file(START, root, endless())))).hasSize(1);
    assertThat(asked().size()).isBetween(1, 8);
  }

  /** An index whose next part begins right behind it, many times over. */
  private static byte[] endless() {
    byte[] again = SegmentIndexes.sidx(0, 0, 0, new int[] {-44, 4_000});
    return SegmentIndexes.joined(again, again, again, again, again, again, again, again);
  }

  private RawAnswer playPeriods(int count, byte[] sidx) throws IOException {
    String one = MpdFiles.singleFile(indexed(800, 800 + sidx.length - 1));
    int begin = one.indexOf("<Period>");
    int end = one.indexOf("</MPD>");
    String period = one.substring(begin, end).replace("<Period>", "<Period duration='PT12S'>");
    String all = one.substring(0, begin) + period.repeat(count) + "</MPD>";
    String path = "/" + count + ".mpd"; // the one before is remembered
    files.playlist(path, all, MpdFiles.TYPE);
    files.answer("/film.mp4", file(START, sidx, new byte[3_500]));
    MpdLink link = MpdLink.playlist(origin.url(path), "1_v_1000000");
    return PROXY.fetch("GET", link.toString());
  }

  /** One after the other is asked for, so that nobody waits for ever. */
  @Test
  void indexesOf64FilesAreRead_ofMoreNone() throws IOException {
    assertThat(ranges(playPeriods(64, THREE))).hasSize(3 * 64);
    int before = asked().size();
    RawAnswer refused = playPeriods(65, THREE);
    assertThat(refused.status()).isEqualTo(502);
    assertThat(refused.text()).contains("more than 64 files with an index");
    assertThat(asked()).hasSize(before);
  }

  @ParameterizedTest
  @CsvSource({"32768, 200, #EXTM3U", "32769, 502, more than 65536 entries"})
  void entriesOfAllIndexesAreLimitedTogether(int each, int status, String told) throws IOException {
    int[][] entries = new int[each][];
    Arrays.fill(entries, new int[] {1, 1});
    RawAnswer answer = playPeriods(2, SegmentIndexes.sidx(0, 0, 0, entries));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text()).contains(told);
  }

  @Test
  void fieldsOfTheRequestReachTheFile() throws IOException {
    files.playlist("/film.mpd", MpdFiles.singleFile(indexed(800, 867)), MpdFiles.TYPE);
    files.answer("/film.mp4", file(START, THREE, new byte[3_500]));
    MpdLink link = MpdLink.playlist(origin.url("/film.mpd"), "1_v_1000000").with("h_x-token", "t1");
    assertThat(PROXY.fetch("GET", link.toString(), "Range: bytes=0-5").status()).isEqualTo(200);
    RecordedRequest last = origin.requests().get(origin.requests().size() - 1);
    assertThat(last.field("x-token")).contains("t1");
    assertThat(last.field("Range")).contains("bytes=800-867");
  }
}
