package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PlaylistEditsTest {
  private static final String THREE = "#EXTM3U\n#EXTINF:1,\na\n#EXTINF:2,\r\nb\r\n#EXTINF:3,\nc";

  @Test
  void leavesLinesOut() {
    assertThat(edited(THREE, edit("#EXTINF:2", "#EXTINF:3", "")))
        .isEqualTo(
            "#EXTM3U\n#EXTINF:1,\n<SEGMENT http://up.test/m/a>\n#EXTINF:3,\n<SEGMENT http://up.test/m/c>");
  }

  @Test
  void insertsLinesAndRewritesThem() {
    assertThat(
            edited(
                THREE,
                edit("#EXTINF:1", "#EXTINF:1", "#EXT-X-START:TIME-OFFSET=1\n"),
                edit("#EXTINF:1", "#EXTINF:2", "#EXT-X-MAP:URI=\"i\"\nx\r\n"),
                edit("#EXTINF:3", "#EXTINF:3", "#EXT-X-DISCONTINUITY\n")))
        .isEqualTo(
            "#EXTM3U\n#EXT-X-START:TIME-OFFSET=1\n#EXT-X-MAP:URI=\"<MAP http://up.test/m/i>\"\n<SEGMENT http://up.test/m/x>\r\n#EXTINF:2,\r\n<SEGMENT http://up.test/m/b>\r\n#EXT-X-DISCONTINUITY\n#EXTINF:3,\n<SEGMENT http://up.test/m/c>");
  }

  @Test
  void insertsAtTheEnd_onALineOfItsOwn() {
    assertThat(edited("#EXTM3U", new Edit(7, 7, "#A\n"))).isEqualTo("#EXTM3U\n#A\n");
    assertThat(edited("#EXTM3U\n", new Edit(8, 8, "#A\n"))).isEqualTo("#EXTM3U\n#A\n");
    assertThat(edited("", new Edit(0, 0, "#A\n"))).isEqualTo("#A\n");
  }

  @Test
  void leavesEverythingOut() {
    assertThat(edited(THREE, new Edit(0, THREE.length(), ""))).isEmpty();
    assertThat(edited(THREE, new Edit(0, 1000, "#A"))).isEqualTo("#A");
  }

  @Test
  void seesVariablesAndVariantsInLinesThatAreLeftOut() {
    String playlist = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-STREAM-INF:\nv\n{$a}";

    assertThat(edited(playlist, new Edit(8, playlist.indexOf("{$a}"), "")))
        .isEqualTo("#EXTM3U\n<SEGMENT http://up.test/m/1>");
  }

  @Test
  void linksOfAnInsertionCarryWhatTheEditSays() {
    Edit edit = new Edit(8, 8, "#EXT-X-MAP:URI=\"i\"\n#EXT-X-MAP:URI=\"j\"\n", Map.of("x", "1"));

    assertThat(edited(THREE, edit))
        .contains("<MAP http://up.test/m/i {x=1}>", "<MAP http://up.test/m/j {x=1}>", "m/a>");
  }

  @Test
  void linksOfALineCarryWhatAnEmptyEditSays() {
    int a = THREE.indexOf("a\n");
    int b = THREE.indexOf("b\r");

    assertThat(
            edited(
                THREE, new Edit(a, a, "", Map.of("x", "1")), new Edit(b, b, "", Map.of("x", "2"))))
        .contains("m/a {x=1}>", "m/b {x=2}>", "m/c>");
  }

  private static Edit edit(String from, String to, String insertion) {
    return new Edit(THREE.indexOf(from), THREE.indexOf(to), insertion);
  }

  private static String edited(String playlist, Edit... edits) {
    return Rewriting.PLAIN.with(edits).of(playlist);
  }
}
