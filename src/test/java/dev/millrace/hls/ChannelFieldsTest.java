package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelFieldsTest {
  private static List<Edit> edits(String list) {
    List<Edit> edits = new ArrayList<>();
    new ChannelFields(PlaylistText.of(list)).forEach(edits::add);
    return edits;
  }

  private static Map<String, String> fieldsOf(String entry) {
    List<Edit> edits = edits("#EXTM3U\n#EXTINF:-1,One\n" + entry + "\n");
    return edits.isEmpty() ? Map.of() : edits.get(0).carried();
  }

  @Test
  void readsOptionsOfTheEntryThatFollows() {
    String first = "#EXTM3U\n#EXTVLCOPT:http-referrer=http://ref.test/?a=b\n#EXTINF:-1,One\n";
    String options = "#extvlcopt:HTTP-User-Agent= Box+1.0%20 \r\n#EXTVLCOPT:http-origin=http://o\n";
    String before = first + options + "#EXTVLCOPT:http-cookie=a=1; b=2\n\n";
    assertThat(edits(before + "http://up.test/1\n#EXTINF:-1,Two\nhttp://up.test/2\n"))
        .containsExactly(
            new Edit(
                before.length(),
                before.length(),
                "",
                Map.of(
                    "h_referer", "http://ref.test/?a=b",
                    "h_user-agent", "Box+1.0%20",
                    "h_origin", "http://o",
                    "h_cookie", "a=1; b=2")));
  }

  @Test
  void readsWhatFollowsTheBar_asAForm() {
    assertThat(fieldsOf("http://up.test/1.ts|User-Agent=Box+1%2e0&X-Key=a=b&Cookie=%C3%A9#1"))
        .isEqualTo(Map.of("h_user-agent", "Box 1.0", "h_x-key", "a=b", "h_cookie", "é#1"));
  }

  @Test
  void prefersWhatFollowsTheBar() {
    assertThat(fieldsOf("#EXTVLCOPT:http-referrer=http://a/\nu|Referrer=http://b/"))
        .isEqualTo(Map.of("h_referer", "http://b/"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "u",
        "u|",
        "u|&&",
        "u|User-Agent",
        "u|=x",
        "u|User-Agent=",
        "u|User-Agent=%20",
        "u|X=a%0D%0AEvil: b",
        "u|X=a%00",
        "u|a b=c",
        "u|ä=c",
        "u|verifypeer=false&seekable=0",
        "u|Range=bytes=0-",
        "#EXTVLCOPT:network-caching=1000",
        "#EXTVLCOPT:http-referrer",
        "#EXTVLCOPT=http-referrer:x",
        "#KODIPROP:http-referrer=x",
        "#EXTVLCOPT:http-referrer=x",
      })
  void leavesOutWhatIsNoField(String entry) {
    assertThat(edits("#EXTM3U\n#EXTINF:-1,One\n" + entry + "\n")).isEmpty();
  }

  @Test
  void keepsMalformedEscapes() {
    assertThat(fieldsOf("u|X=100%&Y=%zz%4")).isEqualTo(Map.of("h_x", "100%", "h_y", "%zz%4"));
  }

  @Test
  void takes32Fields_andNoMore() {
    String all =
        IntStream.range(0, 33).mapToObj(i -> "x" + i + "=1").collect(Collectors.joining("&"));
    assertThat(fieldsOf("u|" + all)).hasSize(32).doesNotContainKey("h_x32");
    assertThat(fieldsOf("u|" + all.replace("&x32=1", ""))).hasSize(32);
  }

  @Test
  void takes4KiBOfFields_andNoMore() {
    String most = "v".repeat(ChannelFields.MAX_FIELD_CHARACTERS - 1);
    assertThat(fieldsOf("u|x=" + most)).containsEntry("h_x", most);
    assertThat(fieldsOf("u|x=" + most + "v")).isEmpty();
    assertThat(fieldsOf("u|y=1&x=" + most)).isEqualTo(Map.of("h_y", "1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"http://h/a.ts|x=1; http://h/a.ts", "http://h/a.ts |x|y=1; http://h/a.ts", "u; u"})
  void addressEndsAtTheBar(String entry, String address) {
    ByteBuilder bytes = new ByteBuilder(64).append(entry);
    assertThat(ChannelFields.addressLength(bytes)).isEqualTo(address.length());
  }
}
