package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 8216bis §4.3 and §4.4.2.3. */
final class PlaylistVariablesTest {
  private static final String BASE = "http://up.test/m/x.m3u8?t=a%2Fb+c%22&e=&%75=v&t=2";
  private static final Rewriting REWRITING = Rewriting.at(BASE);

  @Test
  void replacesVariablesInAddressesOnly() {
    String define =
        "#EXT-X-DEFINE:NAME=\"h\",VALUE=\"http://b/\"\n#EXT-X-DEFINE:NAME=\"q\",VALUE=\"c=1\"\n";

    assertThat(
            REWRITING.of(
                define
                    + "#{$h}\n#EXT-X-MAP:URI=\"{$h}i?{$q}\",X=\"{$h}\"\n#EXTINF:1,{$h}\n{$h}s?{$q}&{$q}\n"))
        .isEqualTo(
            define
                + "#{$h}\n#EXT-X-MAP:URI=\"<MAP http://b/i?c=1>\",X=\"{$h}\"\n#EXTINF:1,{$h}\n<SEGMENT http://b/s?c=1&c=1>\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{$b}", "{$a", "{$", "{a}", "$a", "{$}", "{$A}", "{{$b}}"})
  void leavesWhatIsNotDefined(String reference) {
    String define = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\"\n";

    assertThat(REWRITING.of(define + reference + "/{$a}"))
        .isEqualTo(define + "<SEGMENT http://up.test/m/" + reference + "/x>");
  }

  @Test
  void leavesTheReference_whenNothingIsDefined() {
    assertThat(REWRITING.of("{$a}/b")).isEqualTo("<SEGMENT http://up.test/m/{$a}/b>");
  }

  @Test
  void replacesInValuesOfLaterVariables_butNotAgain() {
    String define =
        "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$b}\"\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"{$a}x\"\n#EXT-X-DEFINE:NAME=\"c\",VALUE=\"{$a}y\"\n";

    assertThat(REWRITING.of(define + "{$b}/{$c}"))
        .endsWith("<SEGMENT http://up.test/m/{$b}x/{$b}y>");
  }

  @Test
  void takesTheLastValue_whenDefinedTwice() {
    assertThat(
            REWRITING.of(
                "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n{$a}\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"2\"\n{$a}"))
        .contains("m/1>")
        .contains("m/2>");
  }

  @Test
  void keepsOtherSchemesWithTheirVariables() {
    String playlist = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-KEY:URI=\"skd://{$a}\"\n";

    assertThat(REWRITING.of(playlist)).isEqualTo(playlist);
  }

  @Test
  void importsVariables() {
    String define = "#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-DEFINE:IMPORT=\"b\"\n";

    assertThat(REWRITING.importing(Map.of("a", "x/y", "c", "z")).of(define + "{$a}/{$b}/{$c}"))
        .isEqualTo(define + "<SEGMENT http://up.test/m/x/y/{$b}/{$c}>");
  }

  @Test
  void readsVariablesFromTheQuery_andTellsThePlayerTheirValue() {
    assertThat(
            REWRITING.of(
                "#EXT-X-DEFINE: QUERYPARAM=\"u\" ,X=1\r\n#EXT-X-DEFINE:QUERYPARAM=\"e\"\n{$u}-{$e}\n"))
        .isEqualTo(
            "#EXT-X-DEFINE: NAME=\"u\",VALUE=\"v\" ,X=1\r\n#EXT-X-DEFINE:NAME=\"e\",VALUE=\"\"\n<SEGMENT http://up.test/m/v->\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "missing", ""})
  void leavesQueryParameters_whenTheyAreMissingOrCannotBeQuoted(String name) {
    String define = "#EXT-X-DEFINE:QUERYPARAM=\"" + name + "\"\n";

    assertThat(REWRITING.of(define + "{$" + name + "}"))
        .isEqualTo(define + "<SEGMENT http://up.test/m/{$" + name + "}>");
  }

  @Test
  void decodesPercentAndNothingElse() {
    assertThat(Rewriting.at("http://a/?x=a+b%2Fc%zz%C3%A4%").of("#EXT-X-DEFINE:QUERYPARAM=\"x\"\n"))
        .isEqualTo("#EXT-X-DEFINE:NAME=\"x\",VALUE=\"a+b/c%zz\u00c3\u00a4%\"\n");
  }

  @Test
  void linksToMediaPlaylistsCarryAllVariables_othersNone() {
    assertThat(
            REWRITING.of(
                "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-MEDIA:URI=\"m\"\n#EXT-X-I-FRAME-STREAM-INF:URI=\"i\"\n#EXT-X-IMAGE-STREAM-INF:URI=\"p\"\n#EXT-X-SESSION-KEY:URI=\"k\"\n#EXT-X-STREAM-INF:\nv\nw\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"{$a}2\"\n"))
        .contains("<RENDITION http://up.test/m/m {def_a=1, def_b=12}>")
        .contains("<I_FRAME_VARIANT http://up.test/m/i {def_a=1, def_b=12}>")
        .contains("<IMAGE_VARIANT http://up.test/m/p {def_a=1, def_b=12}>")
        .contains("<VARIANT http://up.test/m/v {def_a=1, def_b=12}>")
        .contains("<SESSION_KEY http://up.test/m/k>")
        .contains("<SEGMENT http://up.test/m/w>");
  }

  @Test
  void renditionReportsCarryWhatTheirPlaylistWasGiven() {
    assertThat(
            REWRITING
                .importing(Map.of("a", "1"))
                .of("#EXT-X-DEFINE:NAME=\"b\",VALUE=\"2\"\n#EXT-X-RENDITION-REPORT:URI=\"r\"\ns"))
        .endsWith(
            "\"<RENDITION_REPORT http://up.test/m/r {def_a=1}>\"\n<SEGMENT http://up.test/m/s>");
  }

  @Test
  void carriesAsManyVariablesAsAreAllowed() {
    String variant = "#EXT-X-STREAM-INF:\nv";

    assertThat(REWRITING.of(defines(33, i -> "" + i) + variant))
        .contains("def_n32=32}")
        .doesNotContain("def_n33");
  }

  @Test
  void carriesAsManyBytesAsAreAllowed() {
    String longest = "x".repeat(4096 - "n1".length() - "n2".length());
    String variant = "#EXT-X-STREAM-INF:\nv";

    assertThat(REWRITING.of(defines(2, i -> i == 1 ? longest : "") + variant))
        .contains("def_n1=" + longest + ", def_n2=}");
    assertThat(REWRITING.of(defines(2, i -> i == 1 ? longest : "y") + variant))
        .contains("def_n1=" + longest + "}");
  }

  @Test
  void definesAsManyVariablesAsAreAllowed() {
    assertThat(REWRITING.of(defines(257, i -> "v" + i) + "{$n256}/{$n257}"))
        .endsWith("<SEGMENT http://up.test/m/v256/{$n257}>");
  }

  @Test
  void definesAsManyBytesAsAreAllowed() {
    String defined = defines(8, i -> "x".repeat(8 * 1024 - 2 - (i == 8 ? 3 : 0)));
    String more = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"12\"\n";

    assertThat(REWRITING.of(defined + more + "{$a}")).endsWith("<SEGMENT http://up.test/m/12>");
    assertThat(REWRITING.of(defined + more.replace("12", "123") + "{$a}"))
        .endsWith("<SEGMENT http://up.test/m/{$a}>");
  }

  @Test
  void leavesAnAddressThatBecomesTooLong() {
    String define = defines(1, i -> "x".repeat(4096));

    assertThat(REWRITING.of(define + "{$n1}{$n1}")).isEqualTo(define + "{$n1}{$n1}");
  }

  private static String defines(int count, IntFunction<String> value) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "#EXT-X-DEFINE:NAME=\"n" + i + "\",VALUE=\"" + value.apply(i) + "\"\n")
        .collect(Collectors.joining());
  }
}
