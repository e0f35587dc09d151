package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.millrace.stream.ByteBuilder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What holds for every playlist, and for every text. */
final class PlaylistFiltersPropertyTest {
  private static final List<String> TAGS =
      List.of(
          "#EXT-X-KEY:METHOD=NONE",
          "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\"",
          "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x00000000000000000000000000000007",
          "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k3\"",
          "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k4\",KEYFORMAT=\"f\"",
          "#EXT-X-MAP:URI=\"i1\"",
          "#EXT-X-MAP:URI=\"i2\",BYTERANGE=\"10@5\"",
          "#EXT-X-DISCONTINUITY",
          "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z",
          "#EXT-X-BITRATE:100",
          "#EXT-X-GAP",
          "# comment",
          "");

  @Property(tries = 500)
  void playsTheSame_butForWhatIsLeftOut(
      @ForAll("playlists") String playlist,
      @ForAll @IntRange(max = 60) int start,
      @ForAll @IntRange(min = 1, max = 40) int length) {
    String skip = start / 2.0 + "-" + (start + length) / 2.0;
    BigDecimal from = new BigDecimal(start).divide(new BigDecimal(2));
    BigDecimal to = new BigDecimal(start + length).divide(new BigDecimal(2));
    List<Played> before = Played.in(playlist);
    List<Played> after = Played.in(Filtered.skipping(skip).of(playlist));
    List<Played> expected = before.stream().filter(s -> !s.overlaps(from, to)).toList();

    assertThat(after.stream().map(Played::atAnyTime))
        .containsExactlyElementsOf(expected.stream().map(Played::atAnyTime).toList());
    for (int i = 0; i < expected.size(); i++) {
      int place = before.indexOf(expected.get(i));
      boolean isAfterGap = place > 0 && before.get(place - 1).overlaps(from, to);
      assertThat(after.get(i).isNewTimeline())
          .isEqualTo(isAfterGap || expected.get(i).isNewTimeline());
    }
  }

  @Property(tries = 200)
  void changesNothing_whenNothingIsLeftOutAndNothingIsEncrypted(
      @ForAll("playlists") String playlist) {
    assertThat(Filtered.skipping("5000-5001").of(playlist)).isEqualTo(playlist);
    assertThat(Filtered.cleared().of(playlist.replace("AES-128", "SAMPLE-AES")))
        .isEqualTo(playlist.replace("AES-128", "SAMPLE-AES"));
  }

  @Property(tries = 300)
  void leavesNoKeyToThePlayer_ofWhichLinksTell(@ForAll("playlists") String playlist) {
    String cleared = Filtered.cleared().of(playlist);

    assertThat(cleared).doesNotContain("METHOD=AES-128");
    List<Played> before = Played.in(playlist);
    List<Played> after = Played.in(cleared);
    for (int i = 0; i < before.size(); i++) {
      boolean isClear = before.get(i).keys().contains("METHOD=AES-128");
      assertThat(after.get(i).address().contains("{decrypt_iv=")).isEqualTo(isClear);
      assertThat(after.get(i).keys()).isEqualTo(isClear ? "[]" : before.get(i).keys());
      assertThat(after.get(i).address().contains("decrypt_range="))
          .isEqualTo(isClear && !before.get(i).range().isEmpty());
    }
  }

  @Property(tries = 1_000)
  void readsAnyText(@ForAll("texts") String text, @ForAll("filters") PlaylistFilters filters) {
    assertThatCode(
            () -> {
              PlaylistText playlist = PlaylistText.of(text);
              int position = 0;
              for (Edit edit :
                  filters.edits(playlist, PlaylistOutline.of(playlist), Filtered.BASE, Map.of())) {
                assertThat(edit.from()).isBetween(position, playlist.length());
                assertThat(edit.to()).isBetween(edit.from(), playlist.length());
                position = edit.to();
              }
              ByteBuilder written = new Filtered(filters).of(playlist);
              assertThat(written.length()).isNotNegative();
            })
        .doesNotThrowAnyException();
  }

  @Property(tries = 500)
  void readsAnyList(@ForAll("lists") String json) {
    try {
      byte[] written = JsonList.rewritten(json.getBytes(UTF_8), Filtered.BASE, Rewriting::show);
      assertThat(written).startsWith('{').endsWith('}');
    } catch (BadListException e) {
      assertThat(e.status()).isEqualTo(502);
    }
  }

  /** A list of segments that all have byte ranges, or all have none. */
  @Provide
  Arbitrary<String> playlists() {
    Arbitrary<List<String>> tags = Arbitraries.of(TAGS).list().ofMaxSize(3);
    Arbitrary<String> durations = Arbitraries.of("4", "2.5", "0.5", "6.006", "0", "3.100");
    Arbitrary<Boolean> isRangeSaid = Arbitraries.of(true, false);
    Arbitrary<List<String>> segments =
        Combinators.combine(tags, durations, isRangeSaid, isRangeSaid)
            .as(PlaylistFiltersPropertyTest::segment)
            .list()
            .ofMaxSize(12);
    return Combinators.combine(segments, isRangeSaid, Arbitraries.of("", "7", "4096"), isRangeSaid)
        .as(PlaylistFiltersPropertyTest::playlist);
  }

  private static String segment(
      List<String> tags, String duration, boolean isOffsetSaid, boolean isTagLast) {
    List<String> lines = new ArrayList<>();
    lines.add("#EXTINF:" + duration + ",");
    lines.add("#EXT-X-BYTERANGE:100" + (isOffsetSaid ? "@1000" : ""));
    lines.addAll(isTagLast ? lines.size() : 0, tags);
    return String.join("\n", lines) + "\n";
  }

  private static String playlist(
      List<String> segments, boolean hasRanges, String sequence, boolean isMarked) {
    StringBuilder text = new StringBuilder("#EXTM3U\n");
    text.append(sequence.isEmpty() ? "" : "#EXT-X-MEDIA-SEQUENCE:" + sequence + "\n");
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      String ranged =
          i == 0 && !segment.contains("@1000")
              ? segment.replace("BYTERANGE:100\n", "BYTERANGE:100@0\n")
              : segment;
      text.append(hasRanges ? ranged : segment.replaceAll("#EXT-X-BYTERANGE.*\n", ""));
      text.append("s" + i + "\n");
    }
    return text.append(isMarked ? "#EXT-X-DISCONTINUITY\n" : "")
        .append("#EXT-X-ENDLIST\n")
        .toString();
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> lines =
        Arbitraries.oneOf(
            Arbitraries.of(TAGS),
            Arbitraries.of(
                "#EXTM3U",
                "#EXTINF:4,",
                "#EXTINF:",
                "s",
                "#EXT-X-STREAM-INF:RESOLUTION=1x99999999999,BANDWIDTH=x",
                "#EXT-X-STREAM-INF:BANDWIDTH=9223372036854775807",
                "#EXT-X-BYTERANGE:999999999999999999@999999999999999999",
                "#EXT-X-BYTERANGE:1",
                "#EXT-X-BYTERANGE",
                "#EXT-X-MEDIA-SEQUENCE:999999999999999999",
                "#EXT-X-MEDIA-SEQUENCE:-",
                "#EXT-X-PROGRAM-DATE-TIME:+999999999-12-31T23:59:59Z",
                "#EXT-X-START:TIME-OFFSET=1",
                "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$a}\"",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"{$a}",
                "#EXT-X-SERVER-CONTROL:",
                "#EXT-X-PART:URI=\"p\"",
                "#EXT-X-ENDLIST"),
            Arbitraries.strings().ofMaxLength(20));
    return Combinators.combine(
            lines.list().ofMaxSize(30),
            Arbitraries.of("\n", "\r\n", "\r"),
            Arbitraries.of("#EXTM3U\n", ""))
        .as((all, end, first) -> first + String.join(end, all));
  }

  @Provide
  Arbitrary<PlaylistFilters> filters() {
    Arbitrary<Optional<SkippedRanges>> skip =
        Arbitraries.of("", "0-4", "3-5,8-100").map(SkippedRanges::parse).optional();
    Arbitrary<Optional<VariantChoice>> variant =
        Arbitraries.of(VariantChoice.greatest(), VariantChoice.parse("720p")).optional();
    return Combinators.combine(
            Arbitraries.of(-18.0, 0.0, 1e300).optional(),
            Arbitraries.of(-18.0).optional(),
            skip,
            variant,
            Arbitraries.of(true, false))
        .as(PlaylistFilters::new);
  }

  @Provide
  Arbitrary<String> lists() {
    return Arbitraries.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"RELOAD-URI\"",
            "\"PATHWAY-CLONES\"",
            "\"ASSETS\"",
            "\"URI\"",
            "\"URI-REPLACEMENT\"",
            "\"HOST\"",
            "\"PER-VARIANT-URIS\"",
            "\"a\"",
            "1",
            "null")
        .list()
        .ofMaxSize(20)
        .map(tokens -> "{" + String.join("", tokens) + "}");
  }
}
