package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaylistSignatureTest {
  private static PlaylistSignature of(String text, boolean isAll) {
    return PlaylistSignature.of(ByteBuffer.wrap(text.getBytes(UTF_8)), isAll);
  }

  @ParameterizedTest
  @CsvSource({
    "#EXTM3U, PLAYLIST, PLAYLIST",
    "'\ufeff\n \n# c\n#EXTM3U x', PLAYLIST, PLAYLIST",
    "#EXT, UNDECIDED, OTHER",
    "'#EXTINF:1\n', UNDECIDED, OTHER",
    "'', UNDECIDED, EMPTY",
    "' \r\n', UNDECIDED, EMPTY",
    "\ufeff, UNDECIDED, EMPTY",
    "'\n<html>', HTML, HTML",
    "'1.ts\n#EXTM3U', OTHER, OTHER",
    "G, OTHER, OTHER",
  })
  void tellsFromTheBeginning(String text, PlaylistSignature soFar, PlaylistSignature atEnd) {
    assertThat(of(text, false)).isEqualTo(soFar);
    assertThat(of(text, true)).isEqualTo(atEnd);
  }

  @Test
  void looksAtSoMuchOnly() {
    String comment = "#" + "x".repeat(PlaylistSignature.WINDOW_BYTES - 9) + "\n";
    assertThat(of(comment + "#EXTM3U", false)).isEqualTo(PlaylistSignature.PLAYLIST);
    assertThat(of("#" + comment + "#EXTM3U", false)).isEqualTo(PlaylistSignature.OTHER);
  }
}
