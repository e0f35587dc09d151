package dev.millrace.cache;

import static dev.millrace.cache.CacheFixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.OriginGate;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefetchTest {
  private static final FetchRequest PLAYLIST = ScriptedOrigin.document("/live.m3u8");

  private final CacheFixture two = CacheFixture.ahead(64, 2);
  private final CacheFixture unahead = CacheFixture.ahead(64, 0);
  private final ScriptedOrigin origin = two.origin;

  private static List<FetchRequest> segments(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(i -> ScriptedOrigin.media("/" + i + ".ts"))
        .toList();
  }

  private void answer() {
    origin.last().answer(OffsetBytes.range(0, 100));
  }

  @Test
  void fetchesWhatFollows_oneAfterTheOther_andNoMore() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/3.ts");
    assertThat(origin.count()).isEqualTo(1);
    answer();
    assertThat(origin.last().path()).isEqualTo("/4.ts");
    answer();
    assertThat(origin.last().path()).isEqualTo("/5.ts");
    answer();
    assertThat(origin.count()).isEqualTo(3);
    assertThat(two.metrics.total("cache_prefetched")).isEqualTo(2);
  }

  @Test
  void givesWhatWasFetchedAhead_andGoesOn() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts");
    answer();
    answer();
    answer();
    assertThat(two.view("/1.ts").hasAll(100)).isTrue();
    assertThat(origin.last().path()).isEqualTo("/3.ts");
    assertThat(origin.count()).isEqualTo(4);
  }

  @Test
  void isJoined_byWhoAsksWhileItArrives() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts");
    answer();
    Viewer viewer = two.view("/1.ts");
    answer();
    assertThat(viewer.hasAll(100)).isTrue();
    assertThat(origin.last().path()).isEqualTo("/2.ts");
  }

  @Test
  void h25_goesOnWithThePlaylistAsItIsNow_eachOnce() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 2), 0);
    two.view("/2.ts");
    answer();
    assertThat(origin.count()).isEqualTo(1);
    for (int i = 1; i < 10; i++) {
      two.cache.prefetch().follow(PLAYLIST, segments(i, i + 2), i);
      if (i <= 2) {
        assertThat(origin.last().path()).isEqualTo("/" + (i + 2) + ".ts");
        answer();
      }
    }
    assertThat(origin.count()).isEqualTo(3);
    assertThat(two.cache.prefetch().lists()).isEqualTo(1);
  }

  @Test
  void olderReadings_takeNothingBack() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 3), 0);
    two.cache.prefetch().follow(PLAYLIST, segments(1, 4), 1);
    two.view("/4.ts");
    answer();
    two.cache.prefetch().follow(PLAYLIST, segments(0, 3), 0);
    two.cache.prefetch().follow(PLAYLIST, segments(1, 4), 1);

    assertThat(two.view("/4.ts").hasAll(100)).isTrue();
    assertThat(origin.count()).isEqualTo(1);
  }

  @Test
  void h26_stopsAfterAFailure_untilAViewerIsPastIt() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts");
    answer();
    origin.last().respond(500).end();
    two.view("/0.ts");
    assertThat(origin.count()).isEqualTo(2);
    Viewer viewer = two.view("/1.ts");
    answer();
    assertThat(viewer.hasAll(100)).isTrue();
    assertThat(origin.last().path()).isEqualTo("/2.ts");
    origin.last().fail(new UpstreamException(Kind.CONNECT_FAILED));
    assertThat(origin.count()).isEqualTo(4);
  }

  @Test
  void asksWithTheFieldsOfTheViewer() {
    FetchRequest own = ScriptedOrigin.media("/1.ts", "Cookie", "a=1");
    two.cache
        .prefetch()
        .follow(PLAYLIST, List.of(ScriptedOrigin.media("/0.ts", "Cookie", "a=1"), own), 0);
    two.view("/0.ts", "Cookie", "a=1");
    answer();
    Viewer viewer = Viewer.of(two.cache, own);
    answer();
    assertThat(viewer.hasAll(100)).isTrue();
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void doesNothing_forOthersFieldsRangesOrUnknownSegments() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts", "Cookie", "a=1");
    answer();
    two.view("/0.ts", "Range", "bytes=0-9");
    answer();
    two.view("/x.ts");
    answer();
    assertThat(origin.count()).isEqualTo(3);
  }

  @Test
  void doesNothing_ifTheSegmentWasNotKept() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts");
    origin.last().answer(OffsetBytes.range(0, 100), "Cache-Control", "no-store");
    assertThat(origin.count()).isEqualTo(1);
  }

  @Test
  void forgetsPlaylistsOfRanges() {
    FetchRequest part = ScriptedOrigin.media("/film.ts");
    two.cache.prefetch().follow(PLAYLIST, List.of(part, part), 0);
    assertThat(two.cache.prefetch().lists()).isZero();
  }

  @Test
  void isCancelled_whenTheViewerJumps() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 99), 0);
    two.view("/0.ts");
    answer();
    ScriptedOrigin.Asked ahead = origin.last();
    two.view("/50.ts");
    assertThat(ahead.isCancelled()).isTrue();
    answer();
    assertThat(origin.last().path()).isEqualTo("/51.ts");
    assertThat(two.metrics.total("cache_wasted")).isEqualTo(1);
  }

  @Test
  void isCancelled_whenNobodyAsksForLong() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts");
    answer();
    two.pass(59);
    assertThat(origin.last().isCancelled()).isFalse();
    two.pass(1);
    assertThat(origin.last().isCancelled()).isTrue();
    assertThat(two.cache.prefetch().running()).isZero();
  }

  @Test
  void waits_whileTheOriginIsBusy() {
    List<CompletableFuture<OriginGate.Permit>> permits =
        IntStream.range(0, 5).mapToObj(i -> two.gate.enter("http://origin.example:80")).toList();
    two.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    two.view("/0.ts");
    answer();
    assertThat(origin.count()).isEqualTo(1);
    permits.get(0).join().release();
    two.view("/0.ts");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void runsTwoOfEachOrigin() {
    for (int list = 0; list < 3; list++) {
      two.cache
          .prefetch()
          .follow(
              ScriptedOrigin.document("/" + list + ".m3u8"),
              List.of(
                  ScriptedOrigin.media("/" + list + "/0.ts"),
                  ScriptedOrigin.media("/" + list + "/1.ts")),
              0);
      two.view("/" + list + "/0.ts");
      origin.number(list == 0 ? 0 : list == 1 ? 2 : 4).answer(OffsetBytes.range(0, 100));
    }
    assertThat(two.cache.prefetch().running()).isEqualTo(2);
    assertThat(origin.count()).isEqualTo(5);
  }

  @Test
  void takesNoMemoryOfWhatIsStillToBeUsed() {
    CacheFixture small = CacheFixture.ahead(4, 5);
    small.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    small.view("/0.ts");
    small.origin.last().answer(OffsetBytes.range(0, BLOCK));
    for (int i = 1; i <= 4; i++) {
      small.origin.last().answer(OffsetBytes.range(0, BLOCK));
    }
    assertThat(small.origin.last().path()).isEqualTo("/5.ts");
    ScriptedSource refused =
        small.origin.last().respond(200, "Content-Length", Integer.toString(BLOCK));
    assertThat(refused.failure()).isNotNull();
    assertThat(small.view("/1.ts").hasAll(BLOCK)).isTrue();
  }

  @Test
  void endsWhatHasNoEnd() {
    CacheFixture small = CacheFixture.ahead(4, 5);
    small.cache.prefetch().follow(PLAYLIST, segments(0, 9), 0);
    small.view("/0.ts");
    small.origin.last().answer(OffsetBytes.range(0, 10));
    ScriptedSource endless = small.origin.last().respond(200);
    endless.add(OffsetBytes.range(0, 3 * BLOCK), false);
    assertThat(small.origin.last().isCancelled()).isTrue();
    assertThat(small.usedBlocks()).isEqualTo(1);
    assertThat(endless.held()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 65})
  void remembers64Playlists(int lists) {
    for (int list = 0; list < lists; list++) {
      two.cache.prefetch().follow(ScriptedOrigin.document("/" + list + ".m3u8"), segments(0, 1), 0);
    }
    assertThat(two.cache.prefetch().lists()).isEqualTo(64);
  }

  @Test
  void remembers4MiB() {
    String name = "/" + "x".repeat(1_000);
    for (int list = 0; list < 4; list++) {
      String path = name + list;
      two.cache
          .prefetch()
          .follow(
              ScriptedOrigin.document("/" + list + ".m3u8"),
              IntStream.range(0, 1_900).mapToObj(i -> ScriptedOrigin.media(path + i)).toList(),
              0);
    }
    assertThat(two.cache.prefetch().lists()).isEqualTo(2);
  }

  @Test
  void remembers2000Segments() {
    two.cache.prefetch().follow(PLAYLIST, segments(0, 2_000), 0);
    two.view("/1998.ts");
    answer();
    assertThat(origin.last().path()).isEqualTo("/1999.ts");
    answer();
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void isOff_withoutMemory() {
    assertThat(CacheFixture.ahead(1, 2).cache.prefetch().isOn()).isFalse();
    assertThat(two.cache.prefetch().isOn()).isTrue();
  }

  @Test
  void fetchesNothing_whenNoneAreWanted_butForgetsWhatLeadsElsewhere() {
    CacheFixture none = CacheFixture.ahead(64, 0);
    assertThat(none.cache.prefetch().isOn()).isTrue();
    none.cache.prefetch().follow(PLAYLIST, segments(0, 2), 0);
    none.view("/0.ts");
    none.origin.last().answer(OffsetBytes.range(0, 100));
    assertThat(none.origin.count()).isEqualTo(1);
    none.cache.prefetch().follow(PLAYLIST, segments(0, 2), 3);
    none.view("/0.ts");
    assertThat(none.origin.count()).isEqualTo(2);
  }

  /** Has all of these in the cache. */
  private void keep(int first, int last) {
    for (int i = first; i <= last; i++) {
      unahead.view("/" + i + ".ts");
      unahead.origin.last().answer(OffsetBytes.range(0, 100));
    }
  }

  /** What of these has to be asked for. */
  private List<Integer> missing(int first, int last) {
    List<Integer> missing = new ArrayList<>();
    for (int i = first; i <= last; i++) {
      int before = unahead.origin.count();
      unahead.view("/" + i + ".ts");
      if (unahead.origin.count() > before) {
        unahead.origin.last().answer(OffsetBytes.range(0, 100));
        missing.add(i);
      }
    }
    return missing;
  }

  private void reads(int firstNumber, int... names) {
    unahead
        .cache
        .prefetch()
        .follow(
            PLAYLIST,
            Arrays.stream(names).mapToObj(i -> ScriptedOrigin.media("/" + i + ".ts")).toList(),
            firstNumber);
  }

  @Test
  void forgetsNothing_whenAPlaylistIsReadAgain() {
    reads(0, 0, 1, 2, 3);
    keep(0, 3);
    reads(0, 0, 1, 2, 3);
    assertThat(missing(0, 3)).isEmpty();
  }

  @Test
  void forgetsNothing_whenTheWindowMovesOn() {
    reads(0, 0, 1, 2);
    keep(0, 2);
    reads(1, 1, 2, 3);
    assertThat(missing(0, 2)).isEmpty();
  }

  @Test
  void forgetsWhatIsUsedAgain_alsoAfterItWasAway() {
    reads(0, 0, 1);
    keep(0, 1);
    reads(1, 1, 2);
    keep(2, 2);
    reads(2, 2, 0);
    assertThat(missing(0, 2)).containsExactly(0);
  }

  @Test
  void forgetsAll_whenTheEncoderBeganAgain() {
    reads(7, 0, 1, 2);
    keep(0, 2);
    reads(0, 0, 1, 2);
    assertThat(missing(0, 2)).containsExactly(0, 1, 2);
    reads(1, 1, 2, 0);
    assertThat(missing(0, 2)).containsExactly(0);
  }

  @Test
  void forgetsNothing_whenAnOlderReadingComesLate() {
    reads(0, 0, 1, 2);
    reads(1, 1, 2, 3);
    keep(0, 3);
    reads(0, 0, 1, 2);
    reads(1, 1, 2, 3);
    reads(0, 0, 1, 2);
    assertThat(missing(0, 3)).isEmpty();
  }
}
