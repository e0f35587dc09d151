package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StartTagTest {
  private static final String VOD = "#EXTM3U\n#EXTINF:4,\na\n#EXT-X-ENDLIST\n";
  private static final String LIVE = "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:5\n#EXTINF:4,\na\n";
  private static final String DEFAULT = "#EXT-X-START:TIME-OFFSET=-18.0,PRECISE=YES\n";

  private static String with(String playlist, String line) {
    return playlist.replace("#EXTM3U\n", "#EXTM3U\n" + line);
  }

  @Test
  void addsTheDefault_toLiveMediaPlaylistsOnly() {
    String begun = LIVE.replace(":5", ":0");
    String ended = LIVE + "#EXT-X-ENDLIST\n";
    String typed = with(LIVE, "#EXT-X-PLAYLIST-TYPE:VOD\n");

    assertThat(Filtered.startingByDefault().of(LIVE)).isEqualTo(with(LIVE, DEFAULT));
    assertThat(Filtered.startingByDefault().of(VOD)).isEqualTo(VOD);
    assertThat(Filtered.startingByDefault().of(begun)).isEqualTo(begun);
    assertThat(Filtered.startingByDefault().of(ended)).isEqualTo(ended);
    assertThat(Filtered.startingByDefault().of(typed)).isEqualTo(typed);
  }

  @ParameterizedTest
  @CsvSource({"-5,-5.0", "0,0.0", "12.25,12.25", "-1e10,-10000000000.0", "1e-7,0.00000010"})
  void addsWhatIsAskedFor_toEveryMediaPlaylist(double seconds, String text) {
    String line = "#EXT-X-START:TIME-OFFSET=" + text + ",PRECISE=YES\n";

    assertThat(Filtered.starting(seconds).of(VOD)).isEqualTo(with(VOD, line));
    assertThat(Filtered.starting(seconds).of(LIVE)).isEqualTo(with(LIVE, line));
  }

  @Test
  void addsNoDefault_whereThereAreParts_butWhatIsAskedFor() {
    String parts = with(LIVE, "#EXT-X-PART-INF:PART-TARGET=0.5\n");

    assertThat(Filtered.startingByDefault().of(parts)).isEqualTo(parts);
    assertThat(Filtered.starting(-18).of(parts)).isEqualTo(with(parts, DEFAULT));
  }

  @Test
  void neverAddsASecondOne() {
    String said = LIVE + "#EXT-X-START:TIME-OFFSET=3\n";

    assertThat(Filtered.startingByDefault().of(said)).isEqualTo(said);
    assertThat(Filtered.starting(-18).of(said)).isEqualTo(with(LIVE, DEFAULT));
  }

  @Test
  void replacesOneRightAfterTheHeader() {
    assertThat(Filtered.starting(-18).of(with(VOD, "#EXT-X-START:TIME-OFFSET=3\n")))
        .isEqualTo(with(VOD, DEFAULT));
  }

  @Test
  void touchesNeitherMultivariantPlaylistsNorChannelLists() {
    String multivariant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n";
    String channels = "#EXTM3U\n#EXTINF:-1,One\nhttp://a/1.ts\n";

    assertThat(Filtered.starting(-5).of(multivariant)).isEqualTo(multivariant);
    assertThat(Filtered.starting(-5).of(channels)).isEqualTo(channels);
  }

  @Test
  void keepsLineEndsAndWhatComesFirst() {
    String playlist = "\ufeff\r\n# c\r\n" + LIVE.replace("\n", "\r\n");

    assertThat(Filtered.startingByDefault().of(playlist))
        .isEqualTo("\ufeff\r\n# c\r\n" + with(LIVE, DEFAULT).replace("\n", "\r\n"));
  }
}
