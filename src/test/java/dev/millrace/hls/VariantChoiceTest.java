package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VariantChoiceTest {
  private static final String GROUPS =
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="x",URI="al.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="x",URI="ah.m3u8"
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="de",URI="s.m3u8"
      """;
  private static final String LOW =
      "#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=854x480,AUDIO=\"lo\",SUBTITLES=\"s\"\n480.m3u8\n";
  private static final String HIGH =
      "#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1920x1080,AUDIO=\"hi\",SUBTITLES=\"s\"\n1080.m3u8\n";

  private static String variant(int height, int bandwidth) {
    String resolution = height == 0 ? "" : ",RESOLUTION=" + 2 * height + "x" + height;
    return "#EXT-X-STREAM-INF:BANDWIDTH=%d%s\nv%d-%d\n"
        .formatted(bandwidth, resolution, height, bandwidth);
  }

  @Test
  void leavesTheGreatest_withAllGroups() {
    assertThat(Filtered.choosing(VariantChoice.greatest()).of(GROUPS + LOW + HIGH))
        .isEqualTo(GROUPS + HIGH);
  }

  @ParameterizedTest
  @CsvSource({"720p,360", "1080p,1080", "360p,360", "240p,360", "4320p,1080", "1079p,360"})
  void leavesTheWanted_elseTheNextLower_elseTheLowest(String resolution, int height) {
    String playlist = "#EXTM3U\n" + variant(1080, 9) + variant(360, 3);

    assertThat(Filtered.choosing(VariantChoice.parse(resolution)).of(playlist))
        .isEqualTo("#EXTM3U\n" + variant(height, height == 1080 ? 9 : 3));
  }

  @Test
  void decidesByBandwidth_amongEqualHeights() {
    String playlist = "#EXTM3U\n" + variant(720, 5) + variant(720, 7) + variant(720, 6);

    assertThat(Filtered.choosing(VariantChoice.greatest()).of(playlist))
        .isEqualTo("#EXTM3U\n" + variant(720, 7));
    assertThat(Filtered.choosing(VariantChoice.parse("720p")).of(playlist))
        .isEqualTo("#EXTM3U\n" + variant(720, 7));
  }

  @Test
  void takesVariantsWithoutResolution_onlyIfAllAre() {
    String without = variant(0, 90) + variant(0, 99);

    assertThat(
            Filtered.choosing(VariantChoice.greatest()).of("#EXTM3U\n" + without + variant(9, 1)))
        .isEqualTo("#EXTM3U\n" + variant(9, 1));
    assertThat(Filtered.choosing(VariantChoice.parse("720p")).of("#EXTM3U\n" + without))
        .isEqualTo("#EXTM3U\n" + variant(0, 99));
  }

  @Test
  void keepsTheSameVariantOfOtherPathways() {
    String a = "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=2x2,PATHWAY-ID=\"a\"\na\n";
    String b = "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=2x2,PATHWAY-ID=\"b\"\nb\n";
    String again = "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=2x2,PATHWAY-ID=\"b\"\nc\n";
    String steering = "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"a\"\n";

    assertThat(
            Filtered.choosing(VariantChoice.greatest())
                .of(steering + variant(1, 9) + a + b + again + variant(2, 8)))
        .isEqualTo(steering + a + b);
  }

  @Test
  void keepsAsManyPathwaysAsTheLimit() {
    StringBuilder playlist = new StringBuilder("#EXTM3U\n");
    for (int i = 0; i <= VariantRow.MAX_PATHWAYS; i++) {
      playlist.append("#EXT-X-STREAM-INF:BANDWIDTH=9,PATHWAY-ID=\"" + i + "\"\nv" + i + "\n");
    }

    assertThat(Filtered.choosing(VariantChoice.greatest()).of(playlist.toString()))
        .contains("v" + (VariantRow.MAX_PATHWAYS - 1) + "\n")
        .doesNotContain("v" + VariantRow.MAX_PATHWAYS + "\n");
  }

  @Test
  void keepsEverythingElse() {
    String others =
        """
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,RESOLUTION=2x2,URI="i"
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
        # c

        #EXT-X-X:1
        """;
    String split = "#EXT-X-STREAM-INF:BANDWIDTH=1\n# between\n\nlow\n";

    assertThat(
            Filtered.choosing(VariantChoice.greatest())
                .of("#EXTM3U\n" + split + others + variant(0, 2)))
        .isEqualTo("#EXTM3U\n# between\n\n" + others + variant(0, 2));
  }

  @Test
  void leavesOutVariantsWithoutAddress_unlessThereAreNoOthers() {
    String bare = "#EXT-X-STREAM-INF:BANDWIDTH=99\n";

    assertThat(Filtered.choosing(VariantChoice.greatest()).of("#EXTM3U\n" + bare + variant(0, 2)))
        .isEqualTo("#EXTM3U\n" + variant(0, 2));
    assertThat(Filtered.choosing(VariantChoice.greatest()).of("#EXTM3U\n" + bare))
        .isEqualTo("#EXTM3U\n" + bare);
  }

  @Test
  void touchesNoMediaPlaylist() {
    String media = "#EXTM3U\n#EXTINF:4,\na\n";

    assertThat(Filtered.choosing(VariantChoice.greatest()).of(media)).isEqualTo(media);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "p", "720", "720P", "-1p", "7 0p", "123456p", "abc", "0x2p"})
  void rejectsWhatIsNoResolution(String text) {
    assertThatThrownBy(() -> VariantChoice.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such as 720p");
  }

  @Test
  void acceptsFiveDigits() {
    assertThat(VariantChoice.parse("99999p")).isNotNull();
  }
}
