package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.OverBudgetException;
import dev.millrace.testing.ManualTimer;
import dev.millrace.upstream.OriginGate.Permit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OriginGateTest {
  private static final String A = "https://a.example:443";
  private static final String B = "https://b.example:443";
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final ManualTimer timer = new ManualTimer();
  private final OriginGate gate = new OriginGate(10, 4, TIMEOUT, timer);

  @Test
  void letsTenIn_andTheEleventhWaits() {
    List<CompletableFuture<Permit>> first = enter(A, 10);
    CompletableFuture<Permit> eleventh = gate.enter(A);

    assertThat(first).allMatch(CompletableFuture::isDone);
    assertThat(eleventh).isNotDone();

    first.get(3).join().release();

    assertThat(eleventh).isCompleted();
    assertThat(timer.pending()).isZero();
  }

  @Test
  void countsEachOriginByItself() {
    enter(A, 11);

    assertThat(gate.enter(B)).isCompleted();
    assertThat(gate.activeOrigins()).isEqualTo(2);
  }

  @Test
  void servesInOrderOfArrival() {
    List<CompletableFuture<Permit>> inside = enter(A, 10);
    List<CompletableFuture<Permit>> waiting = enter(A, 4);

    for (int i = 0; i < 4; i++) {
      inside.get(i).join().release();
      assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(i + 1);
      assertThat(waiting.get(i)).isCompleted();
    }
  }

  @Test
  void refusesAtOnce_whenTheLineIsFull() {
    enter(A, 14);

    assertBusy(gate.enter(A));
    assertThat(gate.waiting()).isEqualTo(4);
    assertThat(timer.pending()).isEqualTo(4);
  }

  @Test
  void refusesAtOnce_whenAllLinesTogetherAreFull() {
    for (int origin = 0; origin < 8; origin++) {
      enter("http://" + origin + ":80", 14);
    }
    enter(A, 10);

    assertBusy(gate.enter(A));
    assertThat(gate.enter(B)).isCompleted();
  }

  @Test
  void neverWaits_whenNobodyMay() {
    OriginGate strict = new OriginGate(1, 0, TIMEOUT, timer);
    Permit permit = strict.enter(A).join();

    assertBusy(strict.enter(A));
    permit.release();

    assertThat(strict.enter(A)).isCompleted();
  }

  @Test
  void refusesAtTheDeadline() {
    enter(A, 10);
    CompletableFuture<Permit> waiting = gate.enter(A);

    timer.advance(TIMEOUT.minusNanos(1));
    assertThat(waiting).isNotDone();
    timer.advance(Duration.ofNanos(1));

    assertBusy(waiting);
    assertThat(gate.waiting()).isZero();
  }

  @Test
  void skipsWhoGaveUp() {
    List<CompletableFuture<Permit>> inside = enter(A, 10);
    List<CompletableFuture<Permit>> waiting = enter(A, 3);

    waiting.get(0).cancel(false);
    waiting.get(1).completeExceptionally(new IllegalStateException("gone"));
    assertThat(gate.waiting()).isEqualTo(1);
    assertThat(timer.pending()).isEqualTo(1);
    inside.get(0).join().release();

    assertThat(waiting.get(2)).isCompleted();
  }

  @Test
  void releasesOnce_howeverOftenCalled() {
    Permit permit = enter(A, 10).get(0).join();
    List<CompletableFuture<Permit>> waiting = enter(A, 2);

    permit.release();
    permit.release();

    assertThat(waiting.get(0)).isCompleted();
    assertThat(waiting.get(1)).isNotDone();
  }

  @Test
  void forgetsOrigin_whenItsLastPermitIsBack() {
    List<CompletableFuture<Permit>> all = enter(A, 12);

    all.forEach(future -> future.join().release());

    assertThat(gate.activeOrigins()).isZero();
    assertThat(gate.waiting()).isZero();
    assertThat(timer.pending()).isZero();
  }

  @Test
  void rejectsNonsense() {
    assertThatThrownBy(() -> new OriginGate(0, 1, TIMEOUT, timer))
        .hasMessage("permits: 0 (expected: >= 1)");
    assertThatThrownBy(() -> new OriginGate(1, -1, TIMEOUT, timer))
        .hasMessage("maxWaiting: -1 (expected: >= 0)");
  }

  @Test
  void fails_whenTheTimerHasStopped() {
    List<CompletableFuture<Permit>> inside = enter(A, 10);
    timer.shutdown();

    assertThat(gate.enter(A))
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RejectedExecutionException.class);
    inside.forEach(future -> future.join().release());
    assertThat(gate.activeOrigins()).isZero();
  }

  @Test
  void keepsTheStackFlat_whenThousandsReleaseInAChain() {
    OriginGate wide = new OriginGate(1, 100_000, TIMEOUT, timer);
    Permit first = wide.enter(A).join();
    AtomicInteger served = new AtomicInteger();
    AtomicInteger deepest = new AtomicInteger();
    for (int i = 0; i < 5_000; i++) {
      CompletableFuture<Permit> waiter = wide.enter(A);
      onTurn(
          waiter,
          permit -> {
            served.incrementAndGet();
            deepest.accumulateAndGet(new Throwable().getStackTrace().length, Math::max);
            permit.release();
          });
    }

    first.release();

    assertThat(served).hasValue(5_000);
    assertThat(deepest.get()).isLessThan(200);
    assertThat(wide.activeOrigins()).isZero();
  }

  @Test
  void passesThePermitOn_whenTheWaiterGivesUpDuringItsTurn() {
    OriginGate single = new OriginGate(1, 4, TIMEOUT, timer);
    Permit first = single.enter(A).join();
    CompletableFuture<Permit> second = single.enter(A);
    CompletableFuture<Permit> third = single.enter(A);
    CompletableFuture<Permit> fourth = single.enter(A);
    // the second releases at once, so the third is out of the line while its turn is still queued
    onTurn(
        second,
        permit -> {
          permit.release();
          third.cancel(false);
        });

    first.release();

    assertThat(third).isCancelled();
    assertThat(fourth).isCompleted();
    fourth.join().release();
    assertThat(single.activeOrigins()).isZero();
  }

  @Test
  void neitherLeaksNorExceedsPermits_underContention() throws Exception {
    OriginGate busy = new OriginGate(3, 1_000, TIMEOUT, timer);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(6);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<?>> workers = new ArrayList<>();
    for (int worker = 0; worker < 6; worker++) {
      int seed = worker;
      workers.add(
          threads.submit(
              () -> {
                start.await();
                enterAndLeave(busy, inside, most, seed);
                return null;
              }));
    }
    start.countDown();
    for (Future<?> worker : workers) {
      worker.get(30, TimeUnit.SECONDS);
    }
    threads.shutdown();

    assertThat(most.get()).isBetween(1, 3);
    assertThat(busy.activeOrigins()).isZero();
    assertThat(busy.waiting()).isZero();
    assertThat(timer.pending()).isZero();
  }

  /** Every third gives up, so that cancelling meets turns on other threads. */
  private static void enterAndLeave(
      OriginGate gate, AtomicInteger inside, AtomicInteger most, int seed) {
    for (int i = seed; i < 5_000 + seed; i++) {
      CompletableFuture<Permit> entered = gate.enter(A);
      if (i % 3 == 0 && entered.cancel(false)) {
        continue;
      }
      onTurn(
          entered,
          permit -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            permit.release();
          });
    }
  }

  private List<CompletableFuture<Permit>> enter(String origin, int times) {
    return IntStream.range(0, times).mapToObj(i -> gate.enter(origin)).toList();
  }

  private static void onTurn(CompletableFuture<Permit> waiter, Consumer<Permit> action) {
    CompletableFuture<Void> unused = waiter.thenAccept(action);
  }

  private static void assertBusy(CompletableFuture<Permit> future) {
    assertThat(future)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            OverBudgetException.class,
            e -> {
              assertThat(e.reason()).isEqualTo("origin_busy");
              assertThat(e.status()).isEqualTo(503);
              assertThat(e.retryAfter()).isPresent();
            });
  }
}
