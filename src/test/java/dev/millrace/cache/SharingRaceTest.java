package dev.millrace.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.Metrics;
import dev.millrace.testing.Await;
import dev.millrace.testing.ManualTimer;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.OriginGate;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads, few segments, little memory: origins that fail, readers that leave. */
class SharingRaceTest {
  private static final int VIEWERS = 4_000;

  private final ExecutorService origins = Executors.newFixedThreadPool(4);
  private final ExecutorService clients = Executors.newFixedThreadPool(4);

  @AfterEach
  void stop() {
    origins.shutdownNow();
    clients.shutdownNow();
  }

  private static int length(Target target) {
    return target.requestTarget().hashCode() % 5 * 40_000 + 200_000;
  }

  private Fetching answer(FetchRequest request, Fetch.Listener listener, Random random) {
    ScriptedSource body = new ScriptedSource();
    boolean isKnown = random.nextBoolean();
    boolean isCut = random.nextInt(5) == 0;
    boolean isRefused = random.nextInt(10) == 0;
    int length = length(request.first().target());
    Headers headers =
        isKnown ? Headers.of("Content-Length", Integer.toString(length)) : Headers.EMPTY;
    origins.execute(
        () -> {
          if (isRefused) {
            listener.onFailure(new UpstreamException(Kind.UPSTREAM_CLOSED));
            return;
          }
          listener.onResponse(new UpstreamHead(200, headers, request.first().target()), body);
          for (int at = 0; at < length; at += 10_000) {
            if (isCut && at > length / 2) {
              body.fail(new UpstreamException(Kind.UPSTREAM_CLOSED));
              return;
            }
            body.add(OffsetBytes.range(at, at + 10_000), at + 10_000 == length);
          }
        });
    return () -> body.fail(new UpstreamException(Kind.CANCELLED));
  }

  private static void visit(SegmentCache cache, Random random, List<Viewer> viewers) {
    FetchRequest request = ScriptedOrigin.media("/" + random.nextInt(6));
    Viewer viewer = Viewer.of(cache, request);
    if (random.nextInt(4) == 0) {
      viewer.leave();
    } else {
      synchronized (viewers) {
        viewers.add(viewer);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void losesNoByte_andNoMemory(long seed) throws Exception {
    Random random = new Random(seed);
    ManualTimer timer = new ManualTimer();
    int bytes = 12 * Block.SIZE;
    SegmentCache cache =
        SegmentCache.of(
            new CacheConfig(bytes, Duration.ofSeconds(10), 0, Duration.ofSeconds(10)),
            (request, listener) -> answer(request, listener, new Random(random.nextLong())),
            CacheLimits.of(bytes, timer, timer::nanoTime),
            new OriginGate(10, 10, Duration.ofSeconds(1), timer),
            ByteBuffer::allocateDirect,
            Metrics.NONE);
    List<Viewer> viewers = new ArrayList<>();
    List<Future<?>> visits = new ArrayList<>();
    for (int i = 0; i < VIEWERS; i++) {
      Random own = new Random(seed * 1_000_003 + i);
      visits.add(clients.submit(() -> visit(cache, own, viewers)));
    }
    for (Future<?> visit : visits) {
      visit.get(60, TimeUnit.SECONDS);
    }
    Await.until(
        "everybody has an end",
        Duration.ofSeconds(30),
        () -> viewers.stream().allMatch(viewer -> viewer.isEnded() || viewer.failure() != null));
    assertThat(viewers).allMatch(viewer -> viewer.told() == 1);
    assertThat(viewers).noneMatch(Viewer::isWrong);
    assertThat(viewers).filteredOn(Viewer::isEnded).allMatch(SharingRaceTest::isWhole);
    Await.until(
        "all memory is back",
        Duration.ofSeconds(10),
        () -> {
          timer.advance(Duration.ofSeconds(11));
          return cache.usedBytes() == 0 && cache.entries() == 0;
        });
  }

  private static boolean isWhole(Viewer viewer) {
    UpstreamHead head = viewer.head();
    return head != null && viewer.count() == length(head.target());
  }
}
