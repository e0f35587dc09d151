package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.FakeUpstream.Sent;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that their origin cuts, with the product's limits: 2 attempts, 1 s apart, within 30 s. */
class ResumedBodyTest {
  private static final String TAG = "\"t\"";
  private static final Duration DELAY = ResumeConfig.defaults().delay();
  private static final Duration BUDGET = ResumeConfig.defaults().budget();

  private final AtomicInteger demands = new AtomicInteger();
  private FetchFixture fetches = new FetchFixture();

  private Sent last() {
    return fetches.upstream.last();
  }

  /** Ten bytes are promised, and "0123" read, before the connection breaks; the reader waits. */
  private Fetch cutAfterFour() {
    Fetch fetch = fetches.get();
    cut(last().respond(200, "Content-Length", "10", "ETag", TAG), "0123");
    return fetch;
  }

  private void cut(ScriptedSource answer, String bytes) {
    if (!bytes.isEmpty()) {
      answer.add(bytes);
      assertThat(FetchFixture.readAll(fetches.body)).isEqualTo(bytes);
    }
    Sent broken = last();
    answer.fail(new EOFException("cut"));
    assertThat(fetches.body.read()).isNull();
    fetches.body.demand(demands::incrementAndGet);
    broken.complete();
  }

  private ScriptedSource resume(long from) {
    return last().respond(206, "Content-Range", "bytes " + from + "-9/10", "ETag", TAG);
  }

  private Kind failure() {
    return ((UpstreamException) FetchFixture.failureOf(fetches.body)).kind();
  }

  private void assertNothingIsLeft() {
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void goesOnAtTheNextByte_atOnce() {
    cutAfterFour();
    assertThat(fetches.upstream.sent()).hasSize(2);
    assertThat(last().field("Range")).isEqualTo("bytes=4-9");
    assertThat(last().field("If-Range")).isEqualTo(TAG);

    resume(4).addLast("456789");

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("456789");
    last().complete();
    assertThat(fetches.body.read().isLast()).isTrue();
    assertThat(fetches.metrics.total("upstream_resumes")).isEqualTo(1);
    assertNothingIsLeft();
  }

  @Test
  void goesOnFromTheBeginning_whenNoByteCame() {
    fetches.get();
    cut(last().respond(200, "Content-Length", "10", "ETag", TAG), "");

    assertThat(last().field("Range")).isEqualTo("bytes=0-9");
  }

  @Test
  void takesAFreshRedirectFromTheOriginalTarget() {
    fetches.get();
    last().answer(302, "Location", "/token/1");
    cut(last().respond(200, "Content-Length", "10", "ETag", TAG), "0123");

    assertThat(last().request().target().requestTarget()).isEqualTo("/v.mp4");
    last().answer(302, "Location", "/token/2");
    assertThat(last().request().target().requestTarget()).isEqualTo("/token/2");
    assertThat(last().field("Range")).isEqualTo("bytes=4-9");
  }

  @Test
  void goesOn_whenTheOriginFallsSilent() {
    fetches.get();
    last().respond(200, "Content-Length", "10", "ETag", TAG).add("0123");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123");
    fetches.body.demand(() -> fetches.body.read());

    fetches.timer.advance(FetchFixture.IDLE_TIMEOUT);

    assertThat(last().field("Range")).isEqualTo("bytes=4-9");
  }

  @Test
  void isComplete_whenOnlyTheEndWasCut() {
    fetches.get();
    ScriptedSource answer = last().respond(206, "Content-Range", "bytes 0-9/10").add("0123456789");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123456789");

    answer.fail(new EOFException("cut"));
    last().complete();

    assertThat(fetches.body.read().isLast()).isTrue();
    assertThat(fetches.upstream.sent()).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void fails_whenTheOriginSendsMoreThanItSaid() {
    cutAfterFour();
    ScriptedSource answer = resume(4);
    answer.add("456789+");

    assertThat(FetchFixture.readAll(fetches.body)).isEmpty();
    assertThat(failure()).isEqualTo(Kind.BAD_RESPONSE);
    assertThat(answer.held()).isZero();
    assertThat(answer.failure()).isNotNull();
  }

  // how often

  @Test
  void waitsBeforeTheSecondAttempt_andGivesUpAfterIt() {
    cutAfterFour();
    last().answer(503);
    fetches.timer.advance(DELAY.minusMillis(1));
    assertThat(fetches.upstream.sent()).hasSize(2);
    fetches.timer.advance(Duration.ofMillis(1));
    assertThat(fetches.upstream.sent()).hasSize(3);
    assertThat(demands).hasValue(0);

    last().fail(new UpstreamException(Kind.CONNECT_FAILED));

    assertThat(demands).hasValue(1);
    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertThat(fetches.upstream.sent()).hasSize(3);
    assertThat(fetches.metrics.total("upstream_resumes")).isZero();
    assertNothingIsLeft();
  }

  @Test
  void makesAtMostTwiceAsManyRequestsAsAttempts() {
    cutAfterFour();
    for (int i = 0; i < 10; i++) {
      last().fail(new UpstreamException(Kind.UPSTREAM_CLOSED));
      fetches.timer.advance(DELAY);
    }

    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertThat(fetches.upstream.sent()).hasSize(1 + 2 * 2);
  }

  @Test
  void countsAttemptsAnew_afterAGoodByte() {
    cutAfterFour();
    for (int next = 4; next < 9; next++) {
      last().answer(503);
      fetches.timer.advance(DELAY);
      cut(resume(next), "x");
      fetches.timer.advance(DELAY);
    }
    resume(9).addLast("9");

    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("9");
    assertThat(fetches.metrics.total("upstream_resumes")).isEqualTo(6);
  }

  @Test
  void goesOnAtOnceAgain_onlyWhenTheLastAnswerGotFar() {
    byte[] much = new byte[64 << 10];
    fetches.get();
    cut(last().respond(200, "Content-Length", "1000000"), "0123");
    last().respond(206, "Content-Range", "bytes 4-999999/1000000").add("45");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("45");
    last().abort(new EOFException("cut"));
    assertThat(fetches.body.read()).isNull();
    assertThat(fetches.upstream.sent()).hasSize(2);
    fetches.timer.advance(DELAY);

    last().respond(206, "Content-Range", "bytes 6-999999/1000000").add(much, false);
    assertThat(FetchFixture.readAll(fetches.body)).hasSize(much.length);
    last().abort(new EOFException("cut"));
    assertThat(fetches.body.read()).isNull();

    assertThat(fetches.upstream.sent()).hasSize(4);
  }

  @Test
  void triesNothing_whenSwitchedOff() {
    fetches = new FetchFixture(new ResumeConfig(false, 2, DELAY, BUDGET));
    fetches.get();
    ScriptedSource answer = last().respond(200, "Content-Length", "10", "ETag", TAG).add("0123");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123");

    answer.fail(new EOFException("cut"));

    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  // how long

  @Test
  void waitsForTheMomentThatTheOriginNames() {
    cutAfterFour();
    last().answer(429, "Retry-After", "20");
    fetches.timer.advance(Duration.ofSeconds(20).minusMillis(1));
    assertThat(fetches.upstream.sent()).hasSize(2);

    fetches.timer.advance(Duration.ofMillis(1));

    assertThat(fetches.upstream.sent()).hasSize(3);
  }

  @Test
  void givesUpAtOnce_whenThatMomentIsBeyondTheBudget() {
    cutAfterFour();
    last().answer(429, "Retry-After", "31");

    assertThat(demands).hasValue(1);
    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cutsAnAttemptThatStaysSilent_whenTheBudgetIsSpent(boolean hasHeaders) {
    cutAfterFour();
    ScriptedSource silent = hasHeaders ? resume(4) : new ScriptedSource();
    fetches.timer.advance(BUDGET.minusMillis(1));
    assertThat(demands).hasValue(0);

    fetches.timer.advance(Duration.ofMillis(1));

    assertThat(demands).hasValue(1);
    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertThat(last().abortCause()).isNotNull();
    assertThat(silent.failure() != null).isEqualTo(hasHeaders);
    assertNothingIsLeft();
  }

  @Test
  void keepsAnAnswerThatWaitsForItsReader_whateverTheBudget() {
    fetches.get();
    last().respond(200, "Content-Length", "10", "ETag", TAG).add("0123");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123");
    last().abort(new EOFException("cut"));
    assertThat(fetches.body.read()).isNull();
    ScriptedSource answer = resume(4).add("45");
    fetches.timer.advance(BUDGET.multipliedBy(9));

    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("45");
    answer.addLast("6789");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("6789");
  }

  @Test
  void beginsTheBudgetAnew_afterAGoodByte() {
    cutAfterFour();
    fetches.timer.advance(BUDGET.minusSeconds(2));
    cut(resume(4), "4");
    fetches.timer.advance(BUDGET.minusSeconds(2));

    resume(5).addLast("56789");

    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("56789");
  }

  // never wrong bytes

  @ParameterizedTest
  @CsvSource({
    "200, bytes 0-9/10, \"t\"",
    "206, bytes 4-9/10, \"u\"",
    "206, bytes 4-9/10, none",
    "206, bytes 4-8/9, \"t\"",
    "206, bytes 4-10/11, \"t\"",
    "206, bytes 0-9/10, \"t\"",
    "416, bytes */3, \"t\""
  })
  void neverGluesOtherContent(int status, String range, String tag) {
    cutAfterFour();
    ScriptedSource other = last().respond(status, "Content-Range", range, "ETag", tag);

    assertThat(demands).hasValue(1);
    assertThat(failure()).isEqualTo(Kind.CHANGED_CONTENT);
    assertThat(other.failure()).isNotNull();
    last().complete();
    fetches.timer.advance(BUDGET);
    assertThat(fetches.upstream.sent()).hasSize(2);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 410, 500})
  void givesUp_whenTheOriginRefuses(int status) {
    cutAfterFour();
    last().answer(status);

    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertThat(fetches.upstream.sent()).hasSize(2);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @CsvSource({"200, X-None, 1", "206, Content-Range, bytes 0-9/*", "206, Content-Range, bytes 0-9"})
  void givesUp_whenTheTotalIsUnknown(int status, String name, String value) {
    fetches.get();
    ScriptedSource answer = last().respond(status, name, value, "ETag", TAG).add("0123");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123");

    answer.fail(new EOFException("cut"));

    assertThat(failure()).isEqualTo(Kind.UPSTREAM_CLOSED);
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  // cancel

  @Test
  void endsAnAttempt_whenCancelled() {
    Fetch fetch = cutAfterFour();

    fetch.cancel();

    assertThat(demands).hasValue(1);
    assertThat(failure()).isEqualTo(Kind.CANCELLED);
    assertThat(last().abortCause()).isNotNull();
    assertNothingIsLeft();
  }

  @Test
  void endsTheWaitForAnAttempt_whenCancelled() {
    Fetch fetch = cutAfterFour();
    last().answer(503);
    assertThat(fetches.timer.pending()).isEqualTo(2);

    fetch.cancel();

    assertThat(failure()).isEqualTo(Kind.CANCELLED);
    assertNothingIsLeft();
    fetches.timer.advance(BUDGET);
    assertThat(fetches.upstream.sent()).hasSize(2);
  }

  @Test
  void endsAResumedAnswer_whenCancelled() {
    Fetch fetch = cutAfterFour();
    ScriptedSource answer = resume(4).add("45");

    fetch.cancel();

    assertThat(failure()).isEqualTo(Kind.CANCELLED);
    assertThat(answer.held()).isZero();
    assertThat(last().abortCause()).isNotNull();
    assertNothingIsLeft();
  }

  @Test
  void endsAnAnswerThatComesAfterTheCancel() {
    Fetch fetch = cutAfterFour();
    Sent late = last();
    fetch.cancel();

    ScriptedSource answer = late.respond(206, "Content-Range", "bytes 4-9/10", "ETag", TAG);

    assertThat(answer.failure()).isNotNull();
    assertThat(failure()).isEqualTo(Kind.CANCELLED);
  }

  @Test
  void givesUp_whenTheServerStops() {
    fetches.get();
    ScriptedSource answer = last().respond(200, "Content-Length", "10").add("0123");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123");
    fetches.timer.shutdown();

    answer.fail(new EOFException("cut"));

    assertThat(failure()).isEqualTo(Kind.CANCELLED);
  }
}
