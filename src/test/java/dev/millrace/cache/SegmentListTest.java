package dev.millrace.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.upstream.FetchRequest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which addresses lead elsewhere than before. */
final class SegmentListTest {
  private static SegmentList list(long firstNumber, String... names) {
    List<FetchRequest> requests =
        Arrays.stream(names).map(name -> ScriptedOrigin.media("/" + name)).toList();
    return SegmentList.of(requests, firstNumber).orElseThrow();
  }

  private static List<String> names(List<CacheKey> keys) {
    return keys.stream().map(key -> key.target().requestTarget().substring(1)).toList();
  }

  private static List<String> newIn(SegmentList newer, SegmentList older) {
    return names(newer.newSince(older));
  }

  @Test
  void nothingIsNew_inTheSame() {
    assertThat(newIn(list(3, "a", "b", "c"), list(3, "a", "b", "c"))).isEmpty();
  }

  @Test
  void theEndIsNew_whenTheWindowMovesOn() {
    assertThat(newIn(list(5, "b", "c", "d"), list(4, "a", "b", "c"))).containsExactly("d");
    assertThat(newIn(list(4, "a", "b", "c", "d"), list(4, "a", "b", "c"))).containsExactly("d");
    assertThat(newIn(list(5, "b", "c"), list(4, "a", "b", "c"))).isEmpty();
  }

  @Test
  void aNameUsedAgain_isNew() {
    assertThat(newIn(list(1, "b", "c", "a"), list(0, "a", "b", "c"))).containsExactly("a");
    assertThat(newIn(list(3, "a", "b", "c"), list(0, "a", "b", "c")))
        .containsExactly("a", "b", "c");
  }

  @Test
  void allIsNew_whenTheEncoderBeganAgain() {
    assertThat(newIn(list(0, "a", "b"), list(700, "a", "b"))).containsExactly("a", "b");
    assertThat(newIn(list(0, "a", "b"), list(1L << 40, "a", "b"))).containsExactly("a", "b");
  }

  @Test
  void sameNumbersOfOtherNamesOrFields_areNew() {
    assertThat(newIn(list(0, "a", "x"), list(0, "a", "b"))).containsExactly("x");
    SegmentList withCookie =
        SegmentList.of(List.of(ScriptedOrigin.media("/a", "Cookie", "c=1")), 0).orElseThrow();
    assertThat(withCookie.newSince(list(0, "a"))).hasSize(1);
  }
}
