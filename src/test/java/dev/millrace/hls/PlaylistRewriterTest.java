package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlaylistRewriterTest {
  @Test
  void rewritesLinesThatAreNoTags() {
    assertThat(Rewriting.PLAIN.of("#EXTM3U\n#EXTINF:4,\na.ts\n#EXT-X-BITRATE:9\nhttps://b/c\n"))
        .isEqualTo(
            "#EXTM3U\n#EXTINF:4,\n<SEGMENT http://up.test/m/a.ts>\n#EXT-X-BITRATE:9\n<SEGMENT https://b/c>\n");
  }

  @Test
  void rewritesTheLineAfterStreamInfAsVariant() {
    assertThat(Rewriting.PLAIN.of("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n#c\n\n#EXT-X-X\nv\nw"))
        .isEqualTo(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n#c\n\n#EXT-X-X\n<VARIANT http://up.test/m/v>\n<SEGMENT http://up.test/m/w>");
  }

  @Test
  void rewritesAttributes() {
    assertThat(Rewriting.PLAIN.of("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"../k\",IV=0x1\r\n"))
        .isEqualTo("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"<KEY http://up.test/k>\",IV=0x1\r\n");
  }
}
