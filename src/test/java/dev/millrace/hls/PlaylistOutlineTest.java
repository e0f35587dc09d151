package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlaylistOutlineTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "#EXTM3U",
        "#EXTM3U\n",
        "#EXTM3U url-tvg=\"x\"\r\n",
        "\ufeff#EXTM3U",
        "\ufeff\n#EXTM3U",
        "\n \r\n# comment\n#comment\n#EXTM3U",
        "  #EXTM3U \n"
      })
  void isAPlaylist(String text) {
    assertThat(outline(text).isPlaylist()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "#",
        "# EXTM3U",
        "#EXTINF:1,\n#EXTM3U",
        "a\n#EXTM3U",
        "<html>",
        "#extm3u",
        "EXTM3U"
      })
  void isNoPlaylist(String text) {
    assertThat(outline(text).isPlaylist()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "#EXT-X-STREAM-INF:BANDWIDTH=1,true",
    "#EXT-X-MEDIA:TYPE=AUDIO,true",
    "#EXT-X-I-FRAME-STREAM-INF:URI=a,true",
    "#EXTINF:1,false",
    "#EXT-X-TARGETDURATION:1,false",
    "#EXT-X-VERSION:3,false",
  })
  void isMultivariant_whenItListsPlaylists(String line, boolean isMultivariant) {
    assertThat(outline("#EXTM3U\n" + line).isMultivariant()).isEqualTo(isMultivariant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "#EXT-X-ENDLIST| true",
        "#EXT-X-PLAYLIST-TYPE:VOD| true",
        "#EXT-X-PLAYLIST-TYPE: VOD | true",
        "#EXT-X-PLAYLIST-TYPE:EVENT| false",
        "#EXT-X-ENDLISTS| false",
        "# #EXT-X-ENDLIST| false",
      })
  void isEnded(String line, boolean isEnded) {
    assertThat(outline("#EXTM3U\n#EXTINF:1,\na\n" + line + "\r\n").isEnded()).isEqualTo(isEnded);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "#EXT-X-MEDIA-SEQUENCE:1| true",
        "#EXT-X-MEDIA-SEQUENCE:18446744073709551615| true",
        "#EXT-X-MEDIA-SEQUENCE:0| false",
        "#EXT-X-MEDIA-SEQUENCE:-1| false",
        "#EXT-X-MEDIA-SEQUENCE:x| false",
        "#EXT-X-TARGETDURATION:1| false",
      })
  void isLive_whenItsFirstSegmentsAreGone(String line, boolean isLive) {
    String text = "#EXTM3U\n" + line + "\n#EXTINF:1,\na\n";

    assertThat(outline(text).isLive()).isEqualTo(isLive);
    assertThat(outline(text + "#EXT-X-ENDLIST").isLive()).isFalse();
    assertThat(outline(text + "#EXT-X-STREAM-INF:X=1\nb").isLive()).isFalse();
  }

  @Test
  void knowsDurations() {
    PlaylistOutline outline =
        outline("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PART-INF:X=1,PART-TARGET=0.5\n");

    assertThat(outline.targetDurationSeconds()).hasValue(6);
    assertThat(outline.partTargetSeconds()).hasValue(0.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1.2.3", "-1", "NaN", "1e3", ".", "0x1p3", "1f"})
  void knowsNoDuration_whenItIsNoNumber(String value) {
    PlaylistOutline outline =
        outline(
            "#EXTM3U\n#EXT-X-TARGETDURATION:" + value + "\n#EXT-X-PART-INF:PART-TARGET=" + value);

    assertThat(outline.targetDurationSeconds()).isEqualTo(OptionalDouble.empty());
    assertThat(outline.partTargetSeconds()).isEqualTo(OptionalDouble.empty());
  }

  @Test
  void knowsAStart() {
    assertThat(outline("#EXTM3U\n#EXT-X-START:TIME-OFFSET=1").hasStart()).isTrue();
    assertThat(outline("#EXTM3U\n#EXT-X-STARTS:TIME-OFFSET=1").hasStart()).isFalse();
  }

  @Test
  void knowsAChannelList() {
    assertThat(outline("#EXTM3U\n#EXTINF:-1 a=\"b\",C\nd").isChannelList()).isTrue();
    assertThat(outline("#EXTM3U\n#EXTINF:1,C\nd").isChannelList()).isFalse();
    assertThat(outline("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:-1,C\nd").isChannelList())
        .isFalse();
  }

  @Test
  void knowsWhereTheHeaderEnds() {
    assertThat(outline("#EXTM3U").headerEnd()).isEqualTo(7);
    assertThat(outline("\ufeff#c\r\n#EXTM3U x\r\n#A").headerEnd()).isEqualTo(18);
    assertThat(outline("\ufeff#c\n#EXTM3U x\r\n#A").lineEnd()).isEqualTo("\r\n");
    assertThat(outline("#EXTM3U\n\r\n").lineEnd()).isEqualTo("\n");
    assertThat(outline("a\r\n").headerEnd()).isZero();
  }

  @Test
  void readsTagsOfLongLines() {
    assertThat(outline("#EXTM3U " + "x".repeat(100_000) + "\n#EXT-X-ENDLIST").isEnded()).isTrue();
    assertThat(outline("#EXTM3U " + "x".repeat(100_000) + "\r\n#A").headerEnd()).isEqualTo(100_010);
  }

  private static PlaylistOutline outline(String text) {
    return PlaylistOutline.of(PlaylistText.of(text));
  }
}
