package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What becomes of media playlists of which times are left out. */
final class SkipTest {
  private static final String[] FIVE = {
    "#EXTM3U",
    "#EXT-X-TARGETDURATION:6",
    "#EXTINF:6,",
    "0.ts",
    "#EXTINF:6,",
    "1.ts",
    "#EXTINF:6,",
    "2.ts",
    "#EXTINF:6,",
    "3.ts",
    "#EXTINF:6,",
    "4.ts",
    "#EXT-X-ENDLIST"
  };

  private static final String[] TAG_ORDER = {
    "#EXTM3U",
    "#EXT-X-TARGETDURATION:5",
    "#EXTINF:5,",
    "1.ts",
    "#EXTINF:5,",
    "2.ts",
    "#EXT-X-DISCONTINUITY",
    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
    "#EXTINF:5,",
    "3.ts",
    "#EXT-X-ENDLIST"
  };

  private static String lines(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void leavesOutWhatOverlaps() {
    assertThat(Filtered.skipping("6-11").of(FIVE))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-TARGETDURATION:6",
                "#EXTINF:6,",
                "0.ts",
                "#EXT-X-DISCONTINUITY",
                "#EXTINF:6,",
                "2.ts",
                "#EXTINF:6,",
                "3.ts",
                "#EXTINF:6,",
                "4.ts",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void touchesNothing_whenNothingOverlaps() {
    assertThat(Filtered.skipping("30-40").of(FIVE)).isEqualTo(lines(FIVE));
    assertThat(Filtered.skipping("").of(FIVE)).isEqualTo(lines(FIVE));
  }

  @Test
  void writesOneDiscontinuity_beforeKeyAndSegment() {
    assertThat(Filtered.skipping("5-10").of(TAG_ORDER))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-TARGETDURATION:5",
                "#EXTINF:5,",
                "1.ts",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00000000000000000000000000000002",
                "#EXTINF:5,",
                "3.ts",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void raisesTheMediaSequence_whenTheBeginningFallsOut() {
    assertThat(Filtered.skipping("0-7").of(TAG_ORDER))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-TARGETDURATION:5",
                "#EXT-X-MEDIA-SEQUENCE:2",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
                "#EXTINF:5,",
                "3.ts",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void raisesTheNumbersThatAreThere() {
    assertThat(
            Filtered.skipping("0-9")
                .of(
                    "#EXTM3U",
                    "#EXT-X-MEDIA-SEQUENCE:40",
                    "#EXT-X-DISCONTINUITY-SEQUENCE:7",
                    "#EXTINF:3,",
                    "a",
                    "#EXT-X-DISCONTINUITY",
                    "#EXTINF:3,",
                    "b",
                    "#EXT-X-DISCONTINUITY",
                    "#EXTINF:3,",
                    "c",
                    "#EXT-X-DISCONTINUITY",
                    "#EXTINF:3,",
                    "d",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MEDIA-SEQUENCE:43",
                "#EXT-X-DISCONTINUITY-SEQUENCE:9",
                "#EXT-X-DISCONTINUITY",
                "#EXTINF:3,",
                "d",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void addsTheDiscontinuitySequence_whenItIsNeeded() {
    assertThat(
            Filtered.skipping("0-6")
                .of(
                    "#EXTM3U",
                    "#EXT-X-DISCONTINUITY",
                    "#EXTINF:3,",
                    "a",
                    "#EXT-X-DISCONTINUITY",
                    "#EXTINF:3,",
                    "b",
                    "#EXTINF:3,",
                    "c",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MEDIA-SEQUENCE:2",
                "#EXT-X-DISCONTINUITY-SEQUENCE:1",
                "#EXT-X-DISCONTINUITY",
                "#EXTINF:3,",
                "c",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void givesEachSegmentItsVector_onceNumbersHaveShifted() {
    assertThat(
            Filtered.skipping("4-8")
                .of(
                    "#EXTM3U",
                    "#EXT-X-MEDIA-SEQUENCE:255",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
                    "#EXTINF:4,",
                    "a",
                    "#EXTINF:4,",
                    "b",
                    "#EXTINF:4,",
                    "c",
                    "#EXTINF:4,",
                    "d",
                    "#EXT-X-KEY:METHOD=NONE",
                    "#EXTINF:4,",
                    "e",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MEDIA-SEQUENCE:255",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
                "#EXTINF:4,",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00000000000000000000000000000101",
                "#EXTINF:4,",
                "c",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00000000000000000000000000000102",
                "#EXTINF:4,",
                "d",
                "#EXT-X-KEY:METHOD=NONE",
                "#EXTINF:4,",
                "e",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void leavesKeysAlone_thatHaveTheirVectorOrAnotherFormat() {
    String[] playlist = {
      "#EXTM3U",
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",IV=0x1",
      "#EXTINF:4,",
      "a",
      "#EXTINF:4,",
      "b",
      "#EXTINF:4,",
      "c",
      "#EXT-X-ENDLIST"
    };
    assertThat(Filtered.skipping("4-8").of(playlist))
        .isEqualTo(lines(playlist).replace("#EXTINF:4,\nb\n", "#EXT-X-DISCONTINUITY\n"));
  }

  @Test
  void carriesOverWhatIsInForce() {
    assertThat(
            Filtered.skipping("4-12")
                .of(
                    "#EXTM3U",
                    "#EXT-X-MAP:URI=\"i0\"",
                    "#EXTINF:4,",
                    "a",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\",IV=0x1",
                    "#EXT-X-MAP:URI=\"i1\",BYTERANGE=\"9@0\"",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x2",
                    "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.5+0100",
                    "#EXT-X-BITRATE:900",
                    "#EXTINF:4,",
                    "b",
                    "#EXTINF:4,",
                    "c",
                    "#EXTINF:4,",
                    "d",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MAP:URI=\"i0\"",
                "#EXTINF:4,",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\",IV=0x1",
                "#EXT-X-MAP:URI=\"i1\",BYTERANGE=\"9@0\"",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x2",
                "#EXT-X-BITRATE:900",
                "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:08.500+01:00",
                "#EXTINF:4,",
                "d",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void carriesOverThatThereIsNoKey() {
    assertThat(
            Filtered.skipping("4-8")
                .of(
                    "#EXTM3U",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1",
                    "#EXTINF:4,",
                    "a",
                    "#EXT-X-KEY:METHOD=NONE",
                    "#EXTINF:4,",
                    "b",
                    "#EXTINF:4,",
                    "c",
                    "#EXT-X-ENDLIST"))
        .endsWith(
            lines(
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-KEY:METHOD=NONE",
                "#EXTINF:4,",
                "c",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void doesNotCarryWhatTheNextSegmentSaysItself() {
    assertThat(
            Filtered.skipping("0-4")
                .of(
                    "#EXTM3U",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1",
                    "#EXT-X-MAP:URI=\"i\"",
                    "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z",
                    "#EXT-X-BITRATE:1",
                    "#EXTINF:4,",
                    "a",
                    "#EXT-X-DISCONTINUITY",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x1",
                    "#EXT-X-MAP:URI=\"i2\"",
                    "#EXT-X-PROGRAM-DATE-TIME:2026-01-02T00:00:00Z",
                    "#EXT-X-BITRATE:2",
                    "#EXTINF:4,",
                    "b",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MEDIA-SEQUENCE:1",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x1",
                "#EXT-X-MAP:URI=\"i2\"",
                "#EXT-X-PROGRAM-DATE-TIME:2026-01-02T00:00:00Z",
                "#EXT-X-BITRATE:2",
                "#EXTINF:4,",
                "b",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void writesTheOffsetOfAByteRange_thatFollowedFromOneLeftOut() {
    assertThat(
            Filtered.skipping("2-4")
                .of(
                    "#EXTM3U",
                    "#EXTINF:2,",
                    "#EXT-X-BYTERANGE:100@50",
                    "a",
                    "#EXTINF:2,",
                    "#EXT-X-BYTERANGE:30",
                    "a",
                    "#EXTINF:2,",
                    "#EXT-X-BYTERANGE:20",
                    "a",
                    "#EXTINF:2,",
                    "#EXT-X-BYTERANGE:10",
                    "a",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXTINF:2,",
                "#EXT-X-BYTERANGE:100@50",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXTINF:2,",
                "#EXT-X-BYTERANGE:20@180",
                "a",
                "#EXTINF:2,",
                "#EXT-X-BYTERANGE:10",
                "a",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void keepsWhatIsSaidOfTheWholePlaylist() {
    assertThat(
            Filtered.skipping("0-8")
                .of(
                    "#EXTM3U",
                    "# made by hand",
                    "#EXT-X-VERSION:6",
                    "#EXT-X-VENDOR:1",
                    "#EXTINF:4,",
                    "#EXT-X-TARGETDURATION:4",
                    "# gone",
                    "a",
                    "#EXT-X-CUE-OUT:4",
                    "#EXT-X-DATERANGE:ID=\"d\",START-DATE=\"2026-01-01T00:00:00Z\"",
                    "#EXTINF:4,",
                    "b",
                    "#EXTINF:4,",
                    "c",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "# made by hand",
                "#EXT-X-VERSION:6",
                "#EXT-X-VENDOR:1",
                "#EXT-X-TARGETDURATION:4",
                "#EXT-X-DATERANGE:ID=\"d\",START-DATE=\"2026-01-01T00:00:00Z\"",
                "#EXT-X-MEDIA-SEQUENCE:2",
                "#EXT-X-DISCONTINUITY",
                "#EXTINF:4,",
                "c",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void keepsLineEnds() {
    String crLf = lines(FIVE).replace("\n", "\r\n");

    assertThat(Filtered.skipping("6-11").of(crLf))
        .isEqualTo(Filtered.skipping("6-11").of(FIVE).replace("\n", "\r\n"));
  }

  @Test
  void leavesNoSegment_whenAllFallOut() {
    assertThat(Filtered.skipping("0-1000").of(FIVE))
        .isEqualTo("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-ENDLIST\n");
  }

  @Test
  void addsDurationsExactly() {
    String tenths = "#EXTINF:0.1,\ns\n".repeat(3);

    assertThat(Filtered.skipping("0.3-0.4").of("#EXTM3U\n" + tenths + "#EXTINF:0.1,\nlast\n"))
        .isEqualTo("#EXTM3U\n" + tenths);
  }

  @Test
  void touchesNoPlaylistWhoseWindowSlides() {
    String live =
        lines(FIVE)
            .replace("#EXT-X-ENDLIST\n", "")
            .replace("#EXTM3U\n", "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:5\n");

    assertThat(Filtered.skipping("6-11").of(live)).isEqualTo(live);
  }

  @Test
  void touchesNoDeltaUpdate() {
    String[] delta = {
      "#EXTM3U", "#EXT-X-SKIP:SKIPPED-SEGMENTS=3", "#EXTINF:4,", "a", "#EXTINF:4,", "b"
    };
    assertThat(Filtered.skipping("0-4").of(delta)).isEqualTo(lines(delta));
  }

  @Test
  void offersAGrowingPlaylistWithoutLowLatency() {
    assertThat(
            Filtered.skipping("4-8")
                .of(
                    "#EXTM3U",
                    "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3,HOLD-BACK=12",
                    "#EXT-X-PART-INF:PART-TARGET=1",
                    "#EXTINF:4,",
                    "a",
                    "#EXT-X-PART:DURATION=4,URI=\"b.0\"",
                    "#EXTINF:4,",
                    "b",
                    "#EXT-X-PART:DURATION=4,URI=\"c.0\"",
                    "#EXTINF:4,",
                    "c",
                    "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"d.0\"",
                    "#EXT-X-RENDITION-REPORT:URI=\"../r\",LAST-MSN=2"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-SERVER-CONTROL:HOLD-BACK=12",
                "#EXTINF:4,",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXTINF:4,",
                "c"));
  }

  @Test
  void touchesNeitherMultivariantPlaylistsNorChannelLists() {
    String multivariant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n";
    String channels = "#EXTM3U\n#EXTINF:-1,One\nhttp://a/1.ts\n#EXTINF:-1,Two\nhttp://a/2.ts\n";

    assertThat(Filtered.clearedAndSkipping("0-5").of(multivariant)).isEqualTo(multivariant);
    assertThat(Filtered.clearedAndSkipping("0-5").of(channels)).isEqualTo(channels);
  }
}
