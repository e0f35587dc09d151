package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteBuilder;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

final class PlaylistRewriterPropertyTest {
  private static final Pattern SHOWN = Pattern.compile("<([A-Z_]+) http://up\\.test/m/([^>]*)>");
  private static final List<String> PIECES =
      List.of(
          "#EXTM3U",
          "#EXTINF:4,",
          "#EXT-X-KEY:",
          "#EXT-X-STREAM-INF:",
          "#EXT-X-DATERANGE:",
          "URI=\"",
          "URI=",
          "X-ASSET-LIST=\"",
          "METHOD=NONE",
          "\"",
          ",",
          "\n",
          "\r\n",
          "\r",
          " ",
          "\t",
          "a.ts",
          "../b",
          "http://",
          "//",
          "?",
          "#",
          "data:",
          "skd://",
          "\u00ef\u00bb\u00bf",
          "\u0000",
          "\u00ff",
          ":",
          "=",
          "{$a}",
          "{$",
          "}",
          "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"",
          "#EXT-X-DEFINE:QUERYPARAM=\"a\"",
          "#EXT-X-PREFETCH:",
          "#EXT-X-MEDIA:");

  /** Addresses here only lack the directory, so what is shown can be put back. */
  @Property(tries = 2000)
  void changesAddressesOnly(@ForAll("playlists") String playlist) {
    String rewritten = Rewriting.PLAIN.ofBytes(playlist);

    assertThat(SHOWN.matcher(rewritten).replaceAll("$2")).isEqualTo(playlist);
    assertThat(kinds(rewritten)).isEqualTo(expectedKinds(playlist));
  }

  private static List<String> kinds(String rewritten) {
    return SHOWN.matcher(rewritten).results().map(shown -> shown.group(1)).toList();
  }

  private static List<String> expectedKinds(String playlist) {
    StringBuilder kinds = new StringBuilder();
    boolean isVariant = false;
    for (String line : playlist.split("\r?\n", -1)) {
      if (line.startsWith("#EXT-X-STREAM-INF")) {
        isVariant = true;
      } else if (line.startsWith("#EXT-X-MAP")) {
        kinds.append("MAP ");
      } else if (line.startsWith("#EXT-X-PART:")) {
        kinds.append("PART ");
      } else if (!line.isBlank() && !line.startsWith("#")) {
        kinds.append(isVariant ? "VARIANT " : "SEGMENT ");
        isVariant = false;
      }
    }
    return kinds.isEmpty() ? List.of() : List.of(kinds.toString().trim().split(" ", -1));
  }

  @Property(tries = 2000)
  void isTheSameInPiecesOfAnySize(
      @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 300) int enough) {
    Rewriting rewriting = Rewriting.at("http://up.test/m/x.m3u8?a=1");

    assertThat(rewriting.of(Rewriting.bytes(text), enough).toByteArray())
        .isEqualTo(rewriting.ofBytes(text).getBytes(ISO_8859_1));
  }

  @Property(tries = 2000)
  void keepsTheNumberOfLines_andThoseWithoutAddresses(@ForAll("texts") String text) {
    List<String> lines = List.of(text.split("\n", -1));
    List<String> rewritten = List.of(Rewriting.PLAIN.ofBytes(text).split("\n", -1));

    assertThat(rewritten).hasSameSizeAs(lines);
    for (int i = 0; i < lines.size(); i++) {
      boolean isChanged = rewritten.get(i).contains("<") || rewritten.get(i).equals(lines.get(i));
      assertThat(isChanged).as(lines.get(i)).isTrue();
    }
  }

  @Property(tries = 500)
  void isNotMuchLongerThanEnough(@ForAll("texts") String text) {
    PlaylistRewriter rewriter =
        new PlaylistRewriter(
            Rewriting.bytes(text), "http://up.test/", Map.of(), List.of(), Rewriting::show);
    ByteBuilder piece = new ByteBuilder(100);
    while (rewriter.write(piece.clear(), 50)) {
      assertThat(piece.length()).isBetween(50, 50 + 40 * (text.length() + 1));
    }
  }

  @Property(tries = 1000)
  void outlinesAnything(@ForAll("texts") String text) {
    PlaylistOutline outline = PlaylistOutline.of(Rewriting.bytes(text));

    assertThat(outline.headerEnd()).isBetween(0, text.length());
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(PIECES).list().ofMaxSize(40).map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<String> playlists() {
    Arbitrary<String> name =
        Arbitraries.strings()
            .withChars("abc019_-~%@!*()+;,=&?\u00e4\u00ff")
            .ofMinLength(1)
            .ofMaxLength(30)
            .filter(text -> !text.startsWith("?"));
    Arbitrary<String> line =
        Combinators.combine(
                Arbitraries.of(
                    "%s",
                    "%s",
                    "#EXT-X-STREAM-INF:%s",
                    "#EXTINF:4,%s",
                    "",
                    " \t",
                    "#%s",
                    "#EXT-X-MAP:URI=\"%s\",BYTERANGE=\"1@2\"",
                    "#EXT-X-PART:DURATION=1,URI=\"%s\"",
                    "#EXT-X-KEY:METHOD=NONE,URI=\"%s\"",
                    "#EXT-X-UNKNOWN:URI=\"%s\""),
                name,
                Arbitraries.of("\n", "\r\n"))
            .as((form, text, end) -> form.replace("%s", text) + end);
    return line.list().ofMaxSize(30).map(lines -> lines.stream().collect(Collectors.joining()));
  }
}
