package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlaylistRewriterTest {
  private static final int MAX_ADDRESS = PlaylistRewriter.MAX_ADDRESS_BYTES;
  private static final int MAX_LINE = PlaylistRewriter.MAX_LINE_BYTES;

  @Test
  void rewritesLinesThatAreNoTags() {
    assertRewritten(
        "#EXTM3U\n#EXTINF:4,\na.ts\n#EXT-X-BITRATE:9\nhttps://b/c\n",
        "#EXTM3U\n#EXTINF:4,\n<SEGMENT http://up.test/m/a.ts>\n#EXT-X-BITRATE:9\n<SEGMENT https://b/c>\n");
  }

  @Test
  void rewritesTheLineAfterStreamInfAsVariant() {
    assertRewritten(
        "#EXT-X-STREAM-INF:BANDWIDTH=1\n#c\n\n#EXT-X-X\nv\nw",
        "#EXT-X-STREAM-INF:BANDWIDTH=1\n#c\n\n#EXT-X-X\n<VARIANT http://up.test/m/v>\n<SEGMENT http://up.test/m/w>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#EXT-X-KEY:METHOD=AES-128,URI=| KEY",
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=| KEY",
        "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=| SESSION_KEY",
        "#EXT-X-MAP:BYTERANGE=\"1@0\",URI=| MAP",
        "#EXT-X-PART:DURATION=1,URI=| PART",
        "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=| PRELOAD_HINT",
        "#EXT-X-RENDITION-REPORT:URI=| RENDITION_REPORT",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x, URI=\",URI=| RENDITION",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=| I_FRAME_VARIANT",
        "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=| IMAGE_VARIANT",
        "#EXT-X-SESSION-DATA:DATA-ID=\"d\",URI=| SESSION_DATA",
        "#EXT-X-CONTENT-STEERING:PATHWAY-ID=\"p\",SERVER-URI=| STEERING",
        "#EXT-X-DATERANGE:ID=\"1\",X-ASSET-URI=| ASSET",
        "#EXT-X-DATERANGE:ID=\"1\",X-ASSET-LIST=| ASSET_LIST",
      })
  void rewritesTheAddressOfATag(String before, UriKind kind) {
    assertRewritten(
        before + "\"../k?a=1,b=2\", X=\"URI=c\"\n",
        before + "\"<" + kind + " http://up.test/k?a=1,b=2>\", X=\"URI=c\"\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"#EXT-X-PREFETCH:", "#EXT-X-TWITCH-PREFETCH:"})
  void rewritesAnAddressThatIsTheValue(String tag) {
    assertRewritten(
        tag + "https://b/s.ts?x=\"1\",2\r\n", tag + "<SEGMENT https://b/s.ts?x=\"1\",2>\r\n");
  }

  @Test
  void rewritesBothAddressesOfADateRange() {
    assertRewritten(
        "#EXT-X-DATERANGE:X-ASSET-URI=\"a\",X-ASSET-LIST=\"b\",X-AD=\"http://c/\"\n",
        "#EXT-X-DATERANGE:X-ASSET-URI=\"<ASSET http://up.test/m/a>\",X-ASSET-LIST=\"<ASSET_LIST http://up.test/m/b>\",X-AD=\"http://c/\"\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#EXT-X-KEY:METHOD=NONE",
        "#EXT-X-KEY:METHOD=NONE,URI=\"k\"",
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"",
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"SKD://k\"",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"data:text/plain;base64,AAAA\"",
        "#EXT-X-SESSION-DATA:DATA-ID=\"u\",URI=\"urn:x:y\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"\"",
        "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS",
        "#EXT-X-MEDIA:TYPE=AUDIO,URI=NONE",
        "#EXT-X-MEDIA:URI='a.m3u8'",
        "#EXT-X-UNKNOWN:URI=\"a\"",
        "#EXT-X-KEYS:URI=\"a\"",
        "#EXT-X-DATERANGE:ID=\"a\",URI=\"b\",X-ASSET-URI-2=\"c\"",
        "#EXTINF:-1 tvg-logo=\"http://a/b.png\",URI=\"c\"",
        "#EXT-X-BYTERANGE:5@0",
        "#EXT-X-PREFETCH:",
        "#EXT-X-PREFETCH",
        "#EXT-X-MAP",
        "#EXT-X-MAP:",
        "#EXT-X-MAP:URI",
        "#EXT-X-MAP:URI=",
        "# http://a/",
        "#",
        " \t ",
        "",
        "data:video/mp2t;base64,AAAA",
      })
  void leavesTheRest(String line) {
    String playlist = "#EXTM3U\n" + line + "\n\r\n" + line + "\r\n" + line;

    assertRewritten(playlist, playlist);
  }

  @Test
  void keepsLineEndsMarkAndBlanks() {
    assertRewritten(
        "\u00ef\u00bb\u00bf#EXTM3U\r\n\r\n \t\n#c \r\n a b.ts\t\r\n#EXT-X-MAP:URI=\" i \" \n\n\nlast",
        "\u00ef\u00bb\u00bf#EXTM3U\r\n\r\n \t\n#c \r\n <SEGMENT http://up.test/m/a b.ts>\t\r\n"
            + "#EXT-X-MAP:URI=\"<MAP http://up.test/m/i>\" \n\n\n<SEGMENT http://up.test/m/last>");
  }

  @Test
  void keepsWhatStandsBeforeTheHeader() {
    assertRewritten(
        "\n# made by hand\n\r\n#EXTM3U\na",
        "\n# made by hand\n\r\n#EXTM3U\n<SEGMENT http://up.test/m/a>");
  }

  @Test
  void keepsBytesThatAreNoUtf8() {
    assertRewritten(
        "#EXTINF:1,\u00fc\u00ff\n\u00e4.ts\n",
        "#EXTINF:1,\u00fc\u00ff\n<SEGMENT http://up.test/m/\u00e4.ts>\n");
  }

  @Test
  void rewritesAnUnquotedAddress() {
    assertRewritten(
        "#EXT-X-KEY:METHOD=AES-128,URI=k.bin ,IV=0x1\n",
        "#EXT-X-KEY:METHOD=AES-128,URI=<KEY http://up.test/m/k.bin> ,IV=0x1\n");
  }

  @Test
  void rewritesAddressesUpToTheirLimit() {
    String longest = "http://b/" + "x".repeat(MAX_ADDRESS - 9);

    assertRewritten(longest, "<SEGMENT " + longest + ">");
    assertRewritten(longest + "x", longest + "x");
  }

  @Test
  void countsTheAbsoluteAddress() {
    String longest = "x".repeat(MAX_ADDRESS - "http://up.test/m/".length());

    assertRewritten(longest, "<SEGMENT http://up.test/m/" + longest + ">");
    assertRewritten(longest + "x", longest + "x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", ""})
  void rewritesLinesUpToTheirLimit(String lineEnd) {
    String tag = "#EXT-X-MAP:URI=\"i\",X=\"";
    String longest = tag + "x".repeat(MAX_LINE - tag.length() - 1) + "\"";

    assertRewritten(
        longest + lineEnd, longest.replace("\"i\"", "\"<MAP http://up.test/m/i>\"") + lineEnd);
    assertRewritten("x" + longest + lineEnd, "x" + longest + lineEnd);
  }

  @Test
  void goesOnAfterALineThatIsTooLong() {
    String tooLong = "#" + "x".repeat(3 * MAX_LINE);

    assertRewritten(
        "#EXT-X-STREAM-INF:\n" + tooLong + "\na\n" + tooLong,
        "#EXT-X-STREAM-INF:\n" + tooLong + "\n<VARIANT http://up.test/m/a>\n" + tooLong);
    assertRewritten(
        "#EXT-X-STREAM-INF:\n" + tooLong.substring(1) + "\na",
        "#EXT-X-STREAM-INF:\n" + tooLong.substring(1) + "\n<SEGMENT http://up.test/m/a>");
  }

  @Test
  void rewritesAsManyAddressesInALineAsAreAllowed() {
    assertRewritten(
        "#EXT-X-MAP:" + attributes("\"i\"", 17),
        "#EXT-X-MAP:" + attributes("\"<MAP http://up.test/m/i>\"", 16) + ",URI=\"i\"");
  }

  private static String attributes(String value, int count) {
    return IntStream.range(0, count).mapToObj(i -> "URI=" + value).collect(Collectors.joining(","));
  }

  @Test
  void isEmpty_whenThePlaylistIs() {
    assertRewritten("", "");
  }

  private static void assertRewritten(String playlist, String expected) {
    assertThat(Rewriting.PLAIN.ofBytes(playlist)).isEqualTo(expected);
  }
}
