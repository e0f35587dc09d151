package dev.millrace.cache;

import static dev.millrace.cache.CacheFixture.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentCacheTest {
  private final CacheFixture of16 = CacheFixture.ofBlocks(16);
  private final ScriptedOrigin origin = of16.origin;

  @Test
  void asksOnce_forManyAtATime() {
    List<Viewer> viewers = IntStream.range(0, 50).mapToObj(i -> of16.view("/a")).toList();
    origin.last().answer(OffsetBytes.range(0, 100_000));
    assertThat(viewers).allMatch(viewer -> viewer.hasAll(100_000));
    assertThat(origin.count()).isEqualTo(1);
    assertThat(of16.metrics.total("cache_shared")).isEqualTo(49);
    assertThat(of16.metrics.total("cache_misses")).isEqualTo(1);
  }

  @Test
  void givesBytesAsTheyArrive_alsoToThoseWhoComeLater() {
    Viewer first = of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "100000");
    body.add(OffsetBytes.range(0, 70_000), false);
    Viewer late = of16.view("/a");
    assertThat(late.head()).isEqualTo(first.head());
    assertThat(late.count()).isEqualTo(70_000);
    body.add(OffsetBytes.range(70_000, 100_000), true);
    assertThat(first.hasAll(100_000)).isTrue();
    assertThat(late.hasAll(100_000)).isTrue();
  }

  @Test
  void givesHeadBeforeTheFirstByte() {
    Viewer viewer = of16.view("/a");
    origin.last().respond(200, "Content-Length", "10");
    assertThat(viewer.head()).isNotNull();
    assertThat(viewer.count()).isZero();
  }

  @Test
  void keepsWhatIsWhole() {
    of16.view("/a");
    origin.last().answer(OffsetBytes.range(0, 10));
    assertThat(of16.view("/a").hasAll(10)).isTrue();
    assertThat(origin.count()).isEqualTo(1);
    assertThat(of16.metrics.total("cache_hits")).isEqualTo(1);
  }

  @Test
  void keepsPartsAndWholesApart() {
    of16.view("/a");
    of16.view("/a", "Range", "bytes=0-9");
    of16.view("/a", "Range", "bytes=0-8");
    of16.view("/a", "Range", "bytes=0-9");
    assertThat(origin.count()).isEqualTo(3);
  }

  @Test
  void f35_sharesNothingBetweenOtherFieldsOrCredentials() {
    of16.view("/a", "Cookie", "a=1");
    of16.view("/a", "Cookie", "a=2");
    of16.view("/a");
    FetchRequest plain = ScriptedOrigin.media("/a");
    var named =
        new dev.millrace.upstream.Target(
            "http", "origin.example", 80, "/a", java.util.Optional.of("u:p"));
    Viewer.of(of16.cache, FetchRequest.of(new UpstreamRequest("GET", named, Headers.EMPTY)));
    Viewer.of(of16.cache, FetchRequest.of(UpstreamRequest.document(named, Headers.EMPTY)));
    Viewer.of(of16.cache, plain);
    assertThat(origin.count()).isEqualTo(5);
  }

  @Test
  void letsByWhatIsNotShared() {
    FetchRequest get = ScriptedOrigin.media("/a");
    var target = get.first().target();
    List<FetchRequest> others =
        List.of(
            FetchRequest.of(new UpstreamRequest("HEAD", target, Headers.EMPTY)),
            new FetchRequest(get.first(), List.of(), true),
            new FetchRequest(get.first(), List.of(target), false),
            FetchRequest.of(
                UpstreamRequest.forwarded(
                    "GET", target, Headers.EMPTY, java.util.Optional.empty())));
    for (FetchRequest other : others) {
      Viewer.of(of16.cache, other);
      Viewer.of(of16.cache, other);
    }
    assertThat(origin.count()).isEqualTo(8);
    assertThat(of16.cache.entries()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8_192, 8_193})
  void letsByRequestsThatAreTooLong(int characters) {
    String path = "/" + "x".repeat(characters - 1 - "origin.example".length());
    of16.view(path);
    of16.view(path);
    assertThat(origin.count()).isEqualTo(characters <= 8_192 ? 1 : 2);
  }

  @Test
  void isOff_withoutMemory() {
    CacheFixture off = CacheFixture.ofBlocks(1);
    off.view("/a");
    off.view("/a");
    assertThat(off.origin.count()).isEqualTo(2);
  }

  @Test
  void reservesAllOfAKnownLength() {
    of16.view("/a");
    origin.last().respond(200, "Content-Length", Integer.toString(8 * BLOCK));
    assertThat(of16.usedBlocks()).isEqualTo(8);
  }

  @Test
  void handsOn_whatIsLongerThanHalf() {
    Viewer first = of16.view("/a");
    Viewer second = of16.view("/a");
    ScriptedSource body =
        origin.last().respond(200, "Content-Length", Integer.toString(8 * BLOCK + 1));
    assertThat(origin.count()).isEqualTo(2);
    body.add(OffsetBytes.range(0, 8 * BLOCK + 1), true);
    assertThat(first.hasAll(8 * BLOCK + 1)).isTrue();
    assertThat(second.head()).isNull();
    assertThat(of16.cache.entries()).isZero();
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void handedOnBodyIsCancelled_whenItsReaderLeaves() {
    Viewer first = of16.view("/a");
    origin.last().respond(200, "Content-Length", Integer.toString(9 * BLOCK));
    first.leave();
    assertThat(origin.last().isCancelled()).isTrue();
  }

  @Test
  void handsOn_whenAllMemoryIsBeingRead() {
    of16.view("/a");
    origin.last().respond(200, "Content-Length", Integer.toString(8 * BLOCK));
    of16.view("/b");
    origin.last().respond(200, "Content-Length", Integer.toString(8 * BLOCK));
    Viewer third = of16.view("/c");
    origin.last().answer(OffsetBytes.range(0, 10));
    assertThat(third.hasAll(10)).isTrue();
    assertThat(of16.usedBlocks()).isEqualTo(16);
  }

  @Test
  void dropsTheOneFirst_thatWasLeftLongestAgo() {
    for (String path : List.of("/a", "/b", "/c", "/d")) {
      of16.view(path);
      origin.last().answer(OffsetBytes.range(0, 4 * BLOCK));
    }
    of16.view("/a");
    of16.view("/e");
    origin.last().answer(OffsetBytes.range(0, 4 * BLOCK));
    assertThat(origin.count()).isEqualTo(5);
    of16.view("/a");
    of16.view("/c");
    assertThat(origin.count()).isEqualTo(5);
    of16.view("/b");
    assertThat(origin.count()).isEqualTo(6);
  }

  @Test
  void keepsMemoryThatIsBeingWritten() {
    Viewer slow = Viewer.paused(of16.cache, ScriptedOrigin.media("/a"));
    origin.last().answer(OffsetBytes.range(0, 10));
    slow.hold();
    slow.leave();
    of16.pass(301);
    assertThat(of16.cache.entries()).isZero();
    assertThat(of16.usedBlocks()).isEqualTo(1);
    slow.letGo();
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void dropsAfterItsTime_countedFromItsArrival() {
    of16.view("/a");
    origin.last().answer(OffsetBytes.range(0, 10));
    of16.pass(150);
    of16.view("/a");
    of16.pass(149);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(1);
    of16.pass(1);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void givesMemoryBack_afterItsTime() {
    of16.view("/a");
    origin.last().answer(OffsetBytes.range(0, 10));
    of16.pass(299);
    of16.view("/a");
    of16.pass(2);
    assertThat(of16.usedBlocks()).isZero();
    assertThat(of16.cache.entries()).isZero();
  }

  @Test
  void forgottenWhileItIsRead_goesOnForItsReader_andForNobodyElse() {
    Viewer reading = Viewer.paused(of16.cache, ScriptedOrigin.media("/a"));
    origin.last().answer(OffsetBytes.range(0, 3 * BLOCK));
    of16.cache.forget(CacheKey.of(ScriptedOrigin.media("/a")).orElseThrow());
    assertThat(of16.cache.entries()).isZero();
    Viewer next = of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
    origin.last().answer(OffsetBytes.range(0, 10));
    assertThat(next.hasAll(10)).isTrue();
    reading.resume();
    assertThat(reading.hasAll(3 * BLOCK)).isTrue();
    assertThat(of16.usedBlocks()).isEqualTo(1);
    assertThat(of16.view("/a").hasAll(10)).isTrue();
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void forgottenWhileItArrives_isNotKept() {
    Viewer reading = of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "100");
    body.add(OffsetBytes.range(0, 50), false);
    of16.cache.forget(CacheKey.of(ScriptedOrigin.media("/a")).orElseThrow());
    Viewer next = of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
    body.add(OffsetBytes.range(50, 100), true);
    assertThat(reading.hasAll(100)).isTrue();
    origin.last().answer(OffsetBytes.range(0, 10));
    assertThat(next.hasAll(10)).isTrue();
    assertThat(of16.view("/a").hasAll(10)).isTrue();
    assertThat(origin.count()).isEqualTo(2);
    assertThat(of16.usedBlocks()).isEqualTo(1);
  }

  @Test
  void forgottenAndLeft_isCancelledAtOnce() {
    Viewer reading = of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "100");
    body.add(OffsetBytes.range(0, 50), false);
    of16.cache.forget(CacheKey.of(ScriptedOrigin.media("/a")).orElseThrow());
    reading.leave();
    assertThat(origin.last().isCancelled()).isTrue();
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void goesOnAlone_for3SecondsOnly() {
    Viewer viewer = of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "100");
    body.add(OffsetBytes.range(0, 50), false);
    viewer.leave();
    of16.pass(2);
    assertThat(origin.last().isCancelled()).isFalse();
    of16.pass(1);
    assertThat(origin.last().isCancelled()).isTrue();
    assertThat(of16.usedBlocks()).isZero();
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void goesOn_ifSomebodyComesWithin3Seconds() {
    of16.view("/a").leave();
    Viewer viewer = of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "100");
    body.add(OffsetBytes.range(0, 50), false);
    viewer.leave();
    of16.pass(2);
    Viewer next = of16.view("/a");
    of16.pass(5);
    body.add(OffsetBytes.range(50, 100), true);
    assertThat(next.hasAll(100)).isTrue();
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void keepsNoDocument_thatSetsACookie() {
    FetchRequest playlist = ScriptedOrigin.document("/live");
    Viewer.of(of16.cache, playlist);
    origin.last().answer(OffsetBytes.range(0, 10), "Set-Cookie", "session=1");
    of16.cache.keepFor(playlist, Duration.ofSeconds(60));
    Viewer.of(of16.cache, playlist);
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void keepsASegment_whoseCookieNobodySees() {
    of16.view("/a");
    origin.last().answer(OffsetBytes.range(0, 10), "Set-Cookie", "session=1");
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(1);
  }

  @Test
  void keepsNoLongerThanTheOriginAllows() {
    of16.view("/a");
    origin.last().answer(OffsetBytes.range(0, 10), "Cache-Control", "max-age=5");
    of16.pass(4);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(1);
    of16.pass(1);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-store", "private", "no-cache", "max-age=0", "s-maxage=0, max-age=9"})
  void sharesWhatMayNotBeKept_whileItArrives(String caching) {
    of16.view("/a");
    ScriptedSource body =
        origin.last().respond(200, "Content-Length", "10", "Cache-Control", caching);
    Viewer second = of16.view("/a");
    body.add(OffsetBytes.range(0, 10), true);
    assertThat(second.hasAll(10)).isTrue();
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
    assertThat(of16.usedBlocks()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 503, 301, 204, 416})
  void sharesOtherStatuses_whileTheyArrive(int status) {
    Viewer first = of16.view("/a");
    Viewer second = of16.view("/a");
    origin.last().respond(status).end();
    assertThat(List.of(first, second)).allMatch(Viewer::isEnded);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void growsUpToHalf_withoutALength() {
    Viewer viewer = of16.view("/a");
    ScriptedSource body = origin.last().respond(200);
    body.add(OffsetBytes.range(0, 8 * BLOCK), false);
    assertThat(of16.usedBlocks()).isEqualTo(8);
    Viewer joiner = of16.view("/a");
    body.end();
    assertThat(viewer.hasAll(8 * BLOCK)).isTrue();
    assertThat(joiner.hasAll(8 * BLOCK)).isTrue();
    assertThat(of16.view("/a").hasAll(8 * BLOCK)).isTrue();
    assertThat(origin.count()).isEqualTo(1);
  }

  @Test
  void isNobodysToJoin_onceItIsLonger() {
    Viewer viewer = of16.view("/a");
    ScriptedSource body = origin.last().respond(200);
    body.add(OffsetBytes.range(0, 8 * BLOCK + 1), false);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
    body.add(OffsetBytes.range(8 * BLOCK + 1, 40 * BLOCK), true);
    assertThat(viewer.hasAll(40 * BLOCK)).isTrue();
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void holdsTheOriginUp_forTheSlowestReader() {
    Viewer slow = Viewer.paused(of16.cache, ScriptedOrigin.media("/a"));
    Viewer quick = of16.view("/a");
    ScriptedSource body = origin.last().respond(200);
    for (int i = 0; i < 20; i++) {
      body.add(OffsetBytes.range((long) i * BLOCK, (i + 1L) * BLOCK), i == 19);
    }
    assertThat(quick.count()).isEqualTo(8 * BLOCK);
    assertThat(body.isEnded()).isFalse();
    slow.resume();
    assertThat(slow.hasAll(20 * BLOCK)).isTrue();
    assertThat(quick.hasAll(20 * BLOCK)).isTrue();
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void failsWhoFellBehind_after10Seconds() {
    Viewer slow = Viewer.paused(of16.cache, ScriptedOrigin.media("/a"));
    Viewer quick = of16.view("/a");
    ScriptedSource body = origin.last().respond(200);
    for (int i = 0; i < 20; i++) {
      body.add(OffsetBytes.range((long) i * BLOCK, (i + 1L) * BLOCK), i == 19);
    }
    of16.pass(9);
    assertThat(quick.isEnded()).isFalse();
    of16.pass(2);
    assertThat(quick.hasAll(20 * BLOCK)).isTrue();
    slow.resume();
    assertThat(slow.failure()).isInstanceOf(FellBehindException.class);
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void letsALoneReaderPause() {
    Viewer slow = Viewer.paused(of16.cache, ScriptedOrigin.media("/a"));
    ScriptedSource body = origin.last().respond(200);
    body.add(OffsetBytes.range(0, 20 * BLOCK), true);
    of16.pass(1000);
    slow.resume();
    assertThat(slow.hasAll(20 * BLOCK)).isTrue();
  }

  @Test
  void s38_endsAnEndlessBody_withItsLastReader() {
    Viewer first = of16.view("/a");
    Viewer second = of16.view("/a");
    ScriptedSource body = origin.last().respond(200);
    body.add(OffsetBytes.range(0, 20 * BLOCK), false);
    first.leave();
    body.add(OffsetBytes.range(20 * BLOCK, 21 * BLOCK), false);
    assertThat(second.count()).isEqualTo(21 * BLOCK);
    assertThat(origin.last().isCancelled()).isFalse();
    second.leave();
    assertThat(origin.last().isCancelled()).isTrue();
    assertThat(of16.usedBlocks()).isZero();
    assertThat(body.held()).isZero();
  }

  @Test
  void cancelsBeforeTheHead_whenAllHaveLeft() {
    Viewer first = of16.view("/a");
    Viewer second = of16.view("/a");
    first.leave();
    assertThat(origin.last().isCancelled()).isFalse();
    second.leave();
    assertThat(origin.last().isCancelled()).isTrue();
    assertThat(first.told()).isEqualTo(1);
    assertThat(second.told()).isEqualTo(1);
    assertThat(of16.cache.entries()).isZero();
  }

  @Test
  void goesOnAlone_ifLittleIsMissing() {
    CacheFixture large = CacheFixture.ofBlocks(128);
    Viewer viewer = large.view("/a");
    int length = 4 << 20;
    ScriptedSource body =
        large.origin.last().respond(200, "Content-Length", Integer.toString(length));
    body.add(OffsetBytes.range(0, length / 2 + 1), false);
    viewer.leave();
    assertThat(large.origin.last().isCancelled()).isFalse();
    body.add(OffsetBytes.range(length / 2 + 1, length), true);
    assertThat(large.view("/a").hasAll(length)).isTrue();
    assertThat(large.origin.count()).isEqualTo(1);
  }

  @Test
  void isCancelled_ifMuchIsMissing() {
    CacheFixture large = CacheFixture.ofBlocks(128);
    Viewer viewer = large.view("/a");
    int length = 4 << 20;
    ScriptedSource body =
        large.origin.last().respond(200, "Content-Length", Integer.toString(length));
    body.add(OffsetBytes.range(0, length / 2), false);
    viewer.leave();
    assertThat(large.origin.last().isCancelled()).isTrue();
    assertThat(large.usedBlocks()).isZero();
  }

  @Test
  void failsItsReaders_afterWhatTheyCanRead() {
    Viewer first = of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "100");
    body.add(OffsetBytes.range(0, 50), false);
    Viewer late = Viewer.paused(of16.cache, ScriptedOrigin.media("/a"));
    body.fail(new UpstreamException(Kind.UPSTREAM_CLOSED));
    late.resume();
    assertThat(List.of(first, late))
        .allMatch(viewer -> viewer.count() == 50 && viewer.failure() instanceof UpstreamException);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
    assertThat(of16.usedBlocks()).isZero();
  }

  @Test
  void asksAgainOnce_forThoseWhoJoined() {
    Viewer first = of16.view("/a");
    Viewer second = of16.view("/a");
    Viewer third = of16.view("/a");
    origin.last().fail(new UpstreamException(Kind.UPSTREAM_TIMEOUT));
    assertThat(first.failure()).isInstanceOf(UpstreamException.class);
    assertThat(origin.count()).isEqualTo(2);
    origin.last().fail(new UpstreamException(Kind.UPSTREAM_TIMEOUT));
    assertThat(List.of(second, third)).allMatch(viewer -> viewer.failure() != null);
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void answersThoseWhoJoined_fromTheSecondTry() {
    of16.view("/a");
    Viewer second = of16.view("/a");
    origin.last().fail(new UpstreamException(Kind.UPSTREAM_CLOSED));
    origin.last().answer(OffsetBytes.range(0, 10));
    assertThat(second.hasAll(10)).isTrue();
    assertThat(second.told()).isEqualTo(1);
  }

  @Test
  void doesNotAskAgain_whenTheGateIsFull() {
    of16.view("/a");
    Viewer second = of16.view("/a");
    origin.last().fail(new OverBudgetException("origin_busy", "no turn"));
    assertThat(second.failure()).isInstanceOf(OverBudgetException.class);
    assertThat(origin.count()).isEqualTo(1);
  }

  @Test
  void isNotKept_ifItIsShorterThanItSaid() {
    of16.view("/a");
    origin.last().respond(200, "Content-Length", "20").add(OffsetBytes.range(0, 10), true);
    of16.view("/a");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void staysSmall_whenTheJvmGivesNoMore() {
    AtomicInteger given = new AtomicInteger();
    CacheFixture poor =
        CacheFixture.withMemory(
            16,
            size -> {
              if (given.incrementAndGet() > 2) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
              }
              return ByteBuffer.allocate(size);
            });
    Viewer large = poor.view("/a");
    poor.origin.last().answer(OffsetBytes.range(0, 3 * BLOCK));
    Viewer small = poor.view("/b");
    poor.origin.last().answer(OffsetBytes.range(0, 2 * BLOCK));
    assertThat(large.hasAll(3 * BLOCK)).isTrue();
    assertThat(small.hasAll(2 * BLOCK)).isTrue();
    poor.view("/b");
    assertThat(poor.origin.count()).isEqualTo(2);
    assertThat(given).hasValue(3);
  }

  @Test
  void keysTellNoFields() {
    assertThat(CacheKey.of(ScriptedOrigin.media("/a?token=1", "Cookie", "secret")).orElseThrow())
        .asString()
        .doesNotContain("secret", "token=1");
  }

  @Test
  void sharesDocumentsWhileTheyArrive_andKeepsNoneByItself() {
    Viewer first = of16.read("/live");
    Viewer second = of16.read("/live");
    origin.last().answer(OffsetBytes.range(0, 10));
    assertThat(List.of(first, second)).allMatch(viewer -> viewer.hasAll(10));
    of16.read("/live");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void keepsDocuments_forAsLongAsTheirReaderSays() {
    of16.read("/live");
    origin.last().answer(OffsetBytes.range(0, 10));
    of16.cache.keepFor(ScriptedOrigin.document("/live"), java.time.Duration.ofMillis(500));
    of16.timer.advance(java.time.Duration.ofMillis(499));
    of16.read("/live");
    assertThat(origin.count()).isEqualTo(1);
    of16.timer.advance(java.time.Duration.ofMillis(1));
    of16.read("/live");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void keepsDocuments_whoseReaderSpeaksBeforeTheirEndIsTold() {
    Viewer first = of16.read("/vod");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "10");
    body.add(OffsetBytes.range(0, 10), false);
    assertThat(first.hasAll(10)).isTrue();
    of16.cache.keepFor(ScriptedOrigin.document("/vod"), Duration.ofSeconds(60));
    body.end();
    of16.timer.advance(Duration.ofSeconds(59));
    assertThat(of16.read("/vod").hasAll(10)).isTrue();
    assertThat(origin.count()).isEqualTo(1);
  }

  @Test
  void hearsTheEnd_ofWhatIsNotKept() {
    Viewer first = of16.view("/a");
    ScriptedSource body =
        origin.last().respond(200, "Content-Length", "10", "Cache-Control", "no-store");
    body.add(OffsetBytes.range(0, 10), false);
    assertThat(first.hasAll(10)).isTrue();
    assertThat(origin.last().isCancelled()).isFalse();
    body.end();
    assertThat(of16.usedBlocks()).isZero();
    of16.view("/b");
    origin.last().respond(200, "Content-Length", "10").add(OffsetBytes.range(0, 10), false);
    of16.pass(3);
    assertThat(origin.last().isCancelled()).isTrue();
  }

  /** The first is told of the failure; then the second would ask again, but leaves. */
  @Test
  void isHeldUpByNobody_whoLeavesBeforeHeAsksAgain() {
    List<Viewer> leaving = new ArrayList<>();
    List<Viewer> staying = new ArrayList<>();
    of16.cache.fetch(
        ScriptedOrigin.media("/a"),
        new Fetch.Listener() {
          @Override
          public void onResponse(UpstreamHead head, Content.Source body) {
            throw new AssertionError("answered");
          }

          @Override
          public void onFailure(ExchangeException why) {
            staying.add(of16.view("/a"));
            leaving.forEach(Viewer::leave);
          }
        });
    leaving.add(of16.view("/a"));
    origin.last().fail(new UpstreamException(Kind.UPSTREAM_CLOSED));
    ScriptedSource body = origin.last().respond(200);
    for (int at = 0; at < 12 * BLOCK; at += BLOCK) {
      body.add(OffsetBytes.range(at, at + BLOCK), at == 11 * BLOCK);
    }
    assertThat(staying.get(0).hasAll(12 * BLOCK)).isTrue();
    assertThat(leaving.get(0).told()).isEqualTo(1);
  }

  @Test
  void countsAHit_whenAllIsHereAndItsEndIsNotTold() {
    of16.view("/a");
    ScriptedSource body = origin.last().respond(200, "Content-Length", "10");
    body.add(OffsetBytes.range(0, 10), false);
    assertThat(of16.view("/a").hasAll(10)).isTrue();
    assertThat(of16.metrics.total("cache_hits")).isEqualTo(1);
  }

  @Test
  void keepsNoDocument_thatTheOriginForbids() {
    of16.read("/live");
    origin.last().answer(OffsetBytes.range(0, 10), "Cache-Control", "no-store");
    of16.cache.keepFor(ScriptedOrigin.document("/live"), java.time.Duration.ofSeconds(60));
    of16.read("/live");
    assertThat(origin.count()).isEqualTo(2);
  }

  @Test
  void dropsDocumentsThatNobodySpeaksFor() {
    of16.read("/live");
    origin.last().answer(OffsetBytes.range(0, 10));
    of16.pass(3);
    assertThat(of16.usedBlocks()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 33})
  void keepsNoDocumentsAbove2MiB(int blocks) {
    CacheFixture large = CacheFixture.ofBlocks(256);
    large.read("/vod");
    large.origin.last().answer(OffsetBytes.range(0, (long) blocks * BLOCK));
    large.cache.keepFor(ScriptedOrigin.document("/vod"), java.time.Duration.ofSeconds(60));
    large.read("/vod");
    assertThat(large.origin.count()).isEqualTo(blocks == 32 ? 1 : 2);
  }

  @Test
  void joinsNoDocument_thatHasArrivedForASecond() {
    of16.read("/live");
    origin.last().respond(200, "Content-Length", "10");
    of16.pass(1);
    of16.read("/live");
    assertThat(origin.count()).isEqualTo(1);
    of16.timer.advance(java.time.Duration.ofMillis(1));
    of16.read("/live");
    assertThat(origin.count()).isEqualTo(2);
  }
}
