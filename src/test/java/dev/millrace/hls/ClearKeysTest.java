package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of playlists whose segments are to be delivered in the clear. */
final class ClearKeysTest {
  private static String lines(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  private static String iv(String digits) {
    return "0".repeat(32 - digits.length()) + digits;
  }

  @Test
  void leavesKeysOut_andHasLinksCarryThem() {
    assertThat(
            Filtered.cleared()
                .of(
                    "#EXTM3U",
                    "#EXT-X-MEDIA-SEQUENCE:41",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"g.key\"",
                    "#EXTINF:6,",
                    "41.ts",
                    "#EXTINF:6,",
                    "42.ts",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"http://k.test/2\",IV=0Xabc,KEYFORMAT=\"identity\"",
                    "#EXTINF:6,",
                    "43.ts"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MEDIA-SEQUENCE:41",
                "#EXTINF:6,",
                "41.ts{decrypt_iv=" + iv("29") + ", decrypt_key=http://up.test/m/g.key}",
                "#EXTINF:6,",
                "42.ts{decrypt_iv=" + iv("2a") + ", decrypt_key=http://up.test/m/g.key}",
                "#EXTINF:6,",
                "43.ts{decrypt_iv=" + iv("abc") + ", decrypt_key=http://k.test/2}"));
  }

  @Test
  void leavesByteRangesOut_andHasLinksCarryThem() {
    assertThat(
            Filtered.cleared()
                .of(
                    "#EXTM3U",
                    "#EXTINF:6,",
                    "#EXT-X-BYTERANGE:100@16",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1",
                    "a",
                    "#EXT-X-BYTERANGE:50",
                    "#EXTINF:6,",
                    "a",
                    "#EXT-X-KEY:METHOD=NONE",
                    "#EXT-X-BYTERANGE:5",
                    "#EXTINF:6,",
                    "a"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXTINF:6,",
                "a{decrypt_iv="
                    + iv("1")
                    + ", decrypt_key=http://up.test/m/k, decrypt_range=16-115}",
                "#EXTINF:6,",
                "a{decrypt_iv="
                    + iv("1")
                    + ", decrypt_key=http://up.test/m/k, decrypt_range=116-165}",
                "#EXT-X-KEY:METHOD=NONE",
                "#EXT-X-BYTERANGE:5",
                "#EXTINF:6,",
                "a"));
  }

  @Test
  void clearsInitializationSections() {
    assertThat(
            Filtered.cleared()
                .of(
                    "#EXTM3U",
                    "#EXT-X-MAP:URI=\"i0\"",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1",
                    "#EXT-X-MAP:URI=\"i1\"",
                    "#EXTINF:6,",
                    "a",
                    "#EXT-X-MAP:URI=\"i2\",BYTERANGE=\"10@4\"",
                    "#EXTINF:6,",
                    "b"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-MAP:URI=\"i0\"",
                "#EXT-X-MAP:URI=\"i1{decrypt_iv=" + iv("1") + ", decrypt_key=http://up.test/m/k}\"",
                "#EXTINF:6,",
                "a{decrypt_iv=" + iv("1") + ", decrypt_key=http://up.test/m/k}",
                "#EXT-X-MAP:URI=\"i2{decrypt_iv="
                    + iv("1")
                    + ", decrypt_key=http://up.test/m/k, decrypt_range=4-13}\"",
                "#EXTINF:6,",
                "b{decrypt_iv=" + iv("1") + ", decrypt_key=http://up.test/m/k}"));
  }

  @Test
  void leavesToThePlayerWhatItCannotDecrypt() {
    String[] playlist = {
      "#EXTM3U",
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k1\",IV=0x1",
      "#EXTINF:6,",
      "a",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"skd://k2\",IV=0x1",
      "#EXTINF:6,",
      "b",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k3\",KEYFORMAT=\"com.widevine\"",
      "#EXTINF:6,",
      "c",
      "#EXT-X-KEY:METHOD=AES-256-GCM,URI=\"k4\"",
      "#EXTINF:6,",
      "d",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k5\",IV=1234",
      "#EXTINF:6,",
      "e",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"\"",
      "#EXTINF:6,",
      "f"
    };
    assertThat(Filtered.cleared().of(playlist)).isEqualTo(lines(playlist));
  }

  @Test
  void endsTheKeysOfAPlayer_whenClearSegmentsFollow_andSaysThemAgainAfterwards() {
    assertThat(
            Filtered.cleared()
                .of(
                    "#EXTM3U",
                    "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"f\",KEYFORMAT=\"x\"",
                    "#EXTINF:6,",
                    "a",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1",
                    "#EXTINF:6,",
                    "b",
                    "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",IV=0x1",
                    "#EXTINF:6,",
                    "c"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"f\",KEYFORMAT=\"x\"",
                "#EXTINF:6,",
                "a",
                "#EXT-X-KEY:METHOD=NONE",
                "#EXTINF:6,",
                "b{decrypt_iv=" + iv("1") + ", decrypt_key=http://up.test/m/k}",
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"f\",KEYFORMAT=\"x\"",
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",IV=0x1",
                "#EXTINF:6,",
                "c"));
  }

  @Test
  void offersNoPartsAndNoDeltas() {
    assertThat(
            Filtered.cleared()
                .of(
                    "#EXTM3U",
                    "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,PART-HOLD-BACK=3",
                    "#EXT-X-PART-INF:PART-TARGET=1",
                    "#EXT-X-MEDIA-SEQUENCE:10",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
                    "#EXTINF:4,",
                    "10",
                    "#EXT-X-PART:DURATION=1,URI=\"11.0\"",
                    "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"11.1\"",
                    "#EXT-X-RENDITION-REPORT:URI=\"r\",LAST-MSN=10"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES",
                "#EXT-X-MEDIA-SEQUENCE:10",
                "#EXTINF:4,",
                "10{decrypt_iv=" + iv("a") + ", decrypt_key=http://up.test/m/k}",
                "#EXT-X-RENDITION-REPORT:URI=\"r\",LAST-MSN=10"));
  }

  @Test
  void replacesVariablesInTheKeysAddress() {
    assertThat(
            Filtered.cleared()
                .of(
                    "#EXTM3U",
                    "#EXT-X-DEFINE:NAME=\"d\",VALUE=\"keys/7\"",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"/{$d}.key\",IV=0x1",
                    "#EXTINF:4,",
                    "a"))
        .endsWith("a{decrypt_iv=" + iv("1") + ", decrypt_key=http://up.test/keys/7.key}\n");
  }

  @Test
  void keepsNumbersOfTheOriginal_whenTimesAreLeftOut() {
    assertThat(
            Filtered.clearedAndSkipping("4-8")
                .of(
                    "#EXTM3U",
                    "#EXTINF:4,",
                    "a",
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
                    "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"5\"",
                    "#EXTINF:4,",
                    "b",
                    "#EXTINF:4,",
                    "c",
                    "#EXT-X-ENDLIST"))
        .isEqualTo(
            lines(
                "#EXTM3U",
                "#EXTINF:4,",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-MAP:URI=\"i{decrypt_iv="
                    + iv("1")
                    + ", decrypt_key=http://up.test/m/k, decrypt_range=0-4}\"",
                "#EXTINF:4,",
                "c{decrypt_iv=" + iv("2") + ", decrypt_key=http://up.test/m/k}",
                "#EXT-X-ENDLIST"));
  }

  @Test
  void forgetsTheOldestFormat_beyondTheLimit() {
    KeysInForce keys = KeysInForce.NONE;
    for (int i = 0; i <= KeysInForce.MAX_FORMATS; i++) {
      keys = keys.plus(new SegmentKey("k" + i, "AES-128", "f" + i, "", "", true));
    }

    assertThat(keys.keys()).hasSize(KeysInForce.MAX_FORMATS);
    assertThat(keys.keys().get(0).line()).isEqualTo("k1");
    assertThat(ClearKeys.areIn(PlaylistText.of("#EXTM3U\n"), Filtered.BASE, Map.of())).isFalse();
  }
}
