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
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies without an end of their own. */
class LiveBodyTest {
  private static final Duration BUDGET = ResumeConfig.defaults().budget();
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private final FetchFixture fetches = new FetchFixture();
  private final AtomicInteger demands = new AtomicInteger();

  private Sent last() {
    return fetches.upstream.last();
  }

  private ScriptedSource open() {
    return last().respond(200, "Content-Type", "video/mp2t");
  }

  /** The origin sends something, again after {@code duration}, and ends politely. */
  private void runFor(Duration duration) {
    ScriptedSource answer = open().add("ab");
    Sent exchange = last();
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("ab");
    fetches.timer.advance(duration);
    answer.add("cd").end();
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("cd");
    exchange.complete();
  }

  private void await() {
    assertThat(fetches.body.read()).isNull();
    fetches.body.demand(demands::incrementAndGet);
  }

  @Test
  void isUnbrokenForADay_whenItsOriginEndsEveryTenMinutes() {
    fetches.live();
    for (int i = 0; i < 24 * 6; i++) {
      runFor(TEN_MINUTES);
    }

    assertThat(fetches.upstream.sent()).hasSize(24 * 6 + 1);
    assertThat(fetches.body.read()).isNull();
    assertThat(fetches.calls()).isEqualTo(1);
    assertThat(fetches.metrics.total("upstream_resumes")).isEqualTo(24 * 6 - 1);
  }

  @Test
  void isGuessed_onceItHasRunForTenSeconds() {
    fetches.get();
    runFor(Duration.ofSeconds(10));
    assertThat(fetches.upstream.sent()).hasSize(2);
    assertThat(last().field("Range")).isEqualTo("bytes=0-");

    runFor(Duration.ofSeconds(1));

    fetches.timer.advance(Duration.ofSeconds(1));
    assertThat(fetches.upstream.sent()).hasSize(3);
  }

  @Test
  void ends_whenItHasNotRunForTenSeconds() {
    fetches.get();
    runFor(Duration.ofSeconds(9));

    assertThat(fetches.body.read().isLast()).isTrue();
    assertThat(fetches.upstream.sent()).hasSize(1);
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void ends_whenItMayBeAFile() {
    fetches.get();
    ScriptedSource answer =
        last().respond(200, "Content-Type", "video/mp2t", "ETag", "\"t\"").add("ab");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("ab");
    fetches.timer.advance(TEN_MINUTES);

    answer.addLast("cd");

    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("cd");
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  @Test
  void isOpenedAtTheOriginalTarget() {
    fetches.live();
    last().answer(302, "Location", "/token/1");
    runFor(TEN_MINUTES);

    assertThat(last().request().target().requestTarget()).isEqualTo("/v.mp4");
  }

  // back-off

  @Test
  void backsOff_whenItsOriginKeepsEndingAfterAFewBytes() {
    fetches.live();
    runFor(Duration.ZERO);
    assertThat(fetches.upstream.sent()).hasSize(2);
    int sent = 2;
    for (int seconds : new int[] {1, 2, 4, 8, 10, 10, 10}) {
      runFor(Duration.ZERO);
      fetches.timer.advance(Duration.ofMillis(seconds * 1000L - 1));
      assertThat(fetches.upstream.sent()).hasSize(sent);
      fetches.timer.advance(Duration.ofMillis(1));
      assertThat(fetches.upstream.sent()).hasSize(++sent);
    }
  }

  @Test
  void ends_whenItCannotBeOpenedWithinTheBudget() {
    fetches.live();
    runFor(TEN_MINUTES);
    await();
    for (int i = 0; i < 5; i++) {
      last().answer(503);
      fetches.timer.advance(Duration.ofSeconds(10));
    }
    last().answer(404);

    assertThat(demands).hasValue(1);
    assertThat(fetches.body.read().isLast()).isTrue();
    assertThat(fetches.body.read().getFailure()).isNull();
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void ends_whenTheNextAnswerStaysSilent() {
    fetches.live();
    runFor(TEN_MINUTES);
    await();
    ScriptedSource silent = open();

    fetches.timer.advance(BUDGET);

    assertThat(demands).hasValue(1);
    assertThat(fetches.body.read().getFailure()).isNull();
    assertThat(silent.failure()).isNotNull();
    assertThat(fetches.timer.pending()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "audio/aac"})
  void takesNoOtherType(String type) {
    fetches.live();
    runFor(TEN_MINUTES);
    ScriptedSource other = last().respond(200, "Content-Type", type);

    assertThat(other.failure()).isNotNull();
    last().complete();
    fetches.timer.advance(Duration.ofSeconds(1));
    assertThat(fetches.upstream.sent()).hasSize(3);
  }

  // cuts

  @Test
  void isOpenedAfterACut_whenAsked() {
    fetches.live();
    open().fail(new EOFException("cut"));
    await();
    assertThat(fetches.upstream.sent()).hasSize(2);

    open().add("ab");

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("ab");
  }

  @Test
  void fails_whenItWasCutAndCannotBeOpened() {
    fetches.live();
    open().fail(new EOFException("cut"));
    await();

    fetches.timer.advance(BUDGET);

    assertThat(FetchFixture.failureOf(fetches.body))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UPSTREAM_CLOSED));
  }

  @Test
  void failsAfterACut_whenOnlyGuessed() {
    fetches.get();
    ScriptedSource answer = open().add("ab");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("ab");
    fetches.timer.advance(TEN_MINUTES);
    answer.fail(new EOFException("cut"));

    assertThat(FetchFixture.failureOf(fetches.body)).isInstanceOf(UpstreamException.class);
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  // other sources

  @Test
  void turnsToTheNextSource_whenItsOwnStaysAway() {
    fetches.live("http://b.example/w", "http://c.example/x");
    runFor(TEN_MINUTES);
    String[] order = {"a", "b", "c", "a"};
    for (String host : order) {
      assertThat(last().request().target().origin()).startsWith("http://" + host + ".example");
      last().answer(503);
      fetches.timer.advance(Duration.ofSeconds(4));
    }
    assertThat(fetches.metrics.total("upstream_fallbacks")).isEqualTo(4);
  }

  @Test
  void staysWithTheSourceThatTookOver() {
    fetches.live("http://b.example/w");
    runFor(TEN_MINUTES);
    last().answer(404);
    fetches.timer.advance(Duration.ofSeconds(1));
    runFor(TEN_MINUTES);

    assertThat(last().request().target().origin()).startsWith("http://b.example");
  }

  @Test
  void endsTheWait_whenCancelled() {
    Fetch fetch = fetches.live();
    runFor(TEN_MINUTES);
    last().answer(503);
    await();

    fetch.cancel();

    assertThat(demands).hasValue(1);
    assertThat(fetches.timer.pending()).isZero();
    assertThat(fetches.isGateFree()).isTrue();
  }
}
