package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Every way in which a relay can break: told once, source failed, nothing held after close. */
class RelayFailureTest {
  private final IOException reset = new IOException("reset");

  private static RelayFixture writing() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.source.add("ab").add("cd");
    slow.relay.begin(slow.source, null);
    slow.out.begin();
    return slow;
  }

  private static RelayFixture awaitingData() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.relay.begin(fast.source, null);
    fast.out.begin();
    return fast;
  }

  private static void assertBroken(RelayFixture broken) {
    assertThat(broken.source.failure()).isNotNull();
    assertClosed(broken);
  }

  /** Amid a write: the source is given up when the abort is over. */
  private static void assertAborted(RelayFixture broken) {
    assertThat(broken.source.failure()).isNull();
    assertClosed(broken);
  }

  private static void assertClosed(RelayFixture broken) {
    assertThat(broken.failures).hasSize(1);
    assertThat(broken.completions).isZero();
    broken.relay.close();
    assertThat(broken.source.failure()).isNotNull();
    assertThat(broken.source.held()).isZero();
    assertThat(broken.timer.pending()).isZero();
  }

  /** Tomcat would forget the abort, and end the response as if whole. */
  @Test
  void failsTheCallOfTheContainer_whileItIsBeingAborted() throws IOException {
    RelayFixture slow = writing();
    slow.relay.throwFailure();
    slow.out.fail(reset);

    assertThatThrownBy(slow.relay::onWritePossible).isInstanceOf(IOException.class);
    assertBroken(slow);
    assertThatCode(slow.relay::onWritePossible).doesNotThrowAnyException();
  }

  /**
   * What Tomcat's call finds in the middle of a failure: the abort may come once it has gone on.
   */
  @Test
  void holdsTheCallOfTheContainer_untilTheAbortIsUnderWay() throws Exception {
    RelayFixture slow = writing();
    slow.relay.throwFailure();
    CountDownLatch isFailing = new CountDownLatch(1);
    CountDownLatch mayAbort = new CountDownLatch(1);
    slow.onFailure =
        () -> {
          isFailing.countDown();
          assertThatCode(mayAbort::await).doesNotThrowAnyException();
        };
    Thread stall = new Thread(() -> slow.timer.advance(RelayFixture.CLIENT_IDLE));
    stall.start();
    isFailing.await();

    CompletableFuture<Void> call = new CompletableFuture<>();
    new Thread(() -> finish(call, slow.relay)).start();

    assertThatThrownBy(() -> call.get(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    mayAbort.countDown();
    assertThat(call)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withCauseInstanceOf(IOException.class);
    stall.join();
    assertAborted(slow);
  }

  private static void finish(CompletableFuture<Void> call, Relay relay) {
    try {
      relay.onWritePossible();
      call.complete(null);
    } catch (IOException e) {
      call.completeExceptionally(e);
    }
  }

  /** Jetty would close the output, which ends the response as if whole. */
  @Test
  void leavesTheCallOfTheContainer_whileItIsBeingAborted() throws IOException {
    RelayFixture slow = writing();
    slow.out.fail(reset);

    assertThatCode(slow.relay::onWritePossible).doesNotThrowAnyException();
    assertBroken(slow);
  }

  @Test
  void fails_whenTheClientLeavesDuringAWrite() throws IOException {
    RelayFixture slow = writing();

    slow.out.fail(reset);

    assertThat(slow.source.held()).isEqualTo(1);
    assertBroken(slow);
  }

  @Test
  void fails_whenTheClientLeavesDuringTheFlush() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.relay.begin(slow.source, null);
    slow.out.begin();

    slow.out.fail(reset);

    assertBroken(slow);
  }

  @Test
  void fails_whenTheClientLeavesWhileDataIsAwaited() throws IOException {
    RelayFixture fast = awaitingData();

    fast.out.fail(reset);

    assertBroken(fast);
  }

  @Test
  void fails_whenTheClientLeavesBeforeTheBody() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.out.begin();
    fast.out.fail(reset);
    fast.source.addLast("ab");

    fast.relay.begin(fast.source, null);

    assertBroken(fast);
  }

  @Test
  void fails_whenTheClientLeavesBeforeTheContainerIsReady() {
    RelayFixture fast = RelayFixture.fast();
    fast.out.fail(reset);
    fast.source.add("ab");

    fast.relay.begin(fast.source, null);

    assertBroken(fast);
  }

  @Test
  void fails_whenTheClientLeavesBetweenTheBodyAndTheContainer() {
    RelayFixture fast = RelayFixture.fast();
    fast.source.add("ab");
    fast.relay.begin(fast.source, null);

    fast.out.fail(reset);

    assertBroken(fast);
  }

  @Test
  void fails_whenTheClientStalls() throws IOException {
    RelayFixture slow = writing();
    slow.timer.advance(RelayFixture.CLIENT_IDLE.minusMillis(1));
    assertThat(slow.ends()).isZero();

    slow.timer.advance(RelayFixture.CLIENT_IDLE);

    assertAborted(slow);
  }

  @Test
  void isPatient_whenTheClientTakesSomethingNowAndThen() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.relay.begin(slow.source, null);
    slow.out.begin();
    for (int i = 0; i < 10; i++) {
      slow.timer.advance(RelayFixture.CLIENT_IDLE.minusMinutes(1));
      slow.out.finishWrite();
      slow.source.add("a");
    }

    assertThat(slow.ends()).isZero();
  }

  @Test
  void isPatient_whileTheOriginIsSilent() throws IOException {
    RelayFixture fast = awaitingData();

    fast.timer.advance(Duration.ofDays(2));

    assertThat(fast.ends()).isZero();
  }

  @Test
  void ignoresTheContainer_afterAStall() throws IOException {
    RelayFixture slow = writing();
    slow.timer.advance(RelayFixture.CLIENT_IDLE.multipliedBy(2));

    slow.out.fail(reset);

    assertBroken(slow);
  }

  @Test
  void tellsTheFailureOfTheSource() throws IOException {
    RelayFixture fast = awaitingData();
    EOFException cut = new EOFException("cut");

    fast.source.fail(cut);

    assertThat(fast.failures).containsExactly(cut);
    assertBroken(fast);
  }

  @Test
  void finishesTheWrite_beforeItTellsTheFailureOfTheSource() throws IOException {
    RelayFixture slow = writing();
    slow.source.fail(new EOFException("cut"));
    assertThat(slow.ends()).isZero();

    slow.out.finishWrite();

    assertThat(slow.out.text()).isEqualTo("ab");
    assertBroken(slow);
  }
}
