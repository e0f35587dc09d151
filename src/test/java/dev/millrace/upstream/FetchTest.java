package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.FakeUpstream.Sent;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FetchTest {
  private final FetchFixture fetches = new FetchFixture();

  private Sent last() {
    return fetches.upstream.last();
  }

  @Test
  void deliversTheAnswer_andKeepsThePermitUntilItIsOver() {
    fetches.get();
    ScriptedSource answer = last().respond(200, "Content-Length", "2");
    answer.addLast("ab");

    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("ab");
    assertThat(fetches.isGateFree()).isFalse();
    last().complete();

    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.calls()).isEqualTo(1);
    assertThat(fetches.timer.pending()).isZero();
    assertThat(answer.held()).isZero();
  }

  @Test
  void givesThePermitBackAtTheHeaders_whenTheLengthIsUnknown() {
    fetches.get();
    last().respond(200);

    assertThat(fetches.isGateFree()).isTrue();
  }

  @Test
  void waitsAtTheGate() {
    OriginGate.Permit permit = fetches.occupyGate();
    fetches.get();
    assertThat(fetches.upstream.sent()).isEmpty();

    permit.release();

    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  @Test
  void fails_whenTheGateRefuses() {
    fetches.occupyGate();
    for (int i = 0; i < 11; i++) {
      fetches.get();
    }

    assertThat(fetches.reason()).isEqualTo("origin_busy");
    assertThat(fetches.failures.get(0).status()).isEqualTo(503);
  }

  @Test
  void followsARedirect_onceItsAnswerIsDiscarded() {
    fetches.get();
    Sent first = last();
    ScriptedSource page = first.respond(302, "Location", "/w").add("moved");
    assertThat(fetches.upstream.sent()).hasSize(1);
    page.end();
    first.complete();

    assertThat(last().request().target().requestTarget()).isEqualTo("/w");
    assertThat(page.held()).isZero();
    last().answer(204);
    assertThat(fetches.heads).extracting(UpstreamHead::status).containsExactly(204);
    assertThat(fetches.isGateFree()).isTrue();
  }

  @Test
  void passesTheGateOfTheNextOrigin() {
    fetches.get();
    last().answer(302, "Location", "http://b.example/");

    assertThat(fetches.gate.enter(FetchFixture.ORIGIN)).isDone();
    assertThat(fetches.gate.enter("http://b.example:80")).isNotDone();
  }

  @Test
  void retriesAfterADelay_withoutHoldingAPermit() {
    fetches.get();
    last().answer(503);
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.upstream.sent()).hasSize(1);

    fetches.timer.advance(Duration.ofMillis(200));

    assertThat(fetches.upstream.sent()).hasSize(2);
  }

  @Test
  void fails_whenRetriesAreUsedUp() {
    fetches.get();
    for (int i = 0; i < 3; i++) {
      last().fail(new UpstreamException(Kind.CONNECT_FAILED));
      fetches.timer.advance(Duration.ofMillis(400));
    }

    assertThat(fetches.upstream.sent()).hasSize(3);
    assertThat(fetches.reason()).isEqualTo("connect_failed");
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void retriesNoMore_whenTheBudgetIsSpent() {
    fetches.get();
    fetches.timer.advance(ResumeConfig.defaults().budget().plusMillis(1));
    last().fail(new UpstreamException(Kind.CONNECT_FAILED));

    assertThat(fetches.upstream.sent()).hasSize(1);
    assertThat(fetches.reason()).isEqualTo("connect_failed");
  }

  @Test
  void countsWhatItDoes() {
    fetches.get();
    last().answer(503);
    fetches.timer.advance(Duration.ofMillis(200));
    last().answer(302, "Location", "/w");
    last().answer(204);

    assertThat(fetches.metrics.total("gate_wait")).isEqualTo(3);
    assertThat(fetches.metrics.total("upstream_first_byte")).isEqualTo(3);
    assertThat(fetches.metrics.total("upstream_retries")).isEqualTo(1);
  }

  // time for headers

  @Test
  void fails_whenHeadersDoNotCome() {
    fetches.get();
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT);

    assertThat(fetches.reason()).isEqualTo("upstream_timeout");
    assertThat(fetches.failures.get(0).status()).isEqualTo(504);
    assertThat(last().abortCause()).isNotNull();
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void countsTheTimeOverAllAttempts() {
    fetches.get();
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT.minusSeconds(1));
    last().answer(302, "Location", "/w");
    fetches.timer.advance(Duration.ofMillis(999));
    assertThat(fetches.calls()).isZero();

    fetches.timer.advance(Duration.ofMillis(1));

    assertThat(fetches.reason()).isEqualTo("upstream_timeout");
  }

  @Test
  void countsNoTimeAtTheGate() {
    OriginGate.Permit permit = fetches.occupyGate();
    fetches.get();
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT.multipliedBy(2));
    permit.release();
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT.minusMillis(1));
    assertThat(fetches.calls()).isZero();

    last().answer(204);

    assertThat(fetches.heads).hasSize(1);
  }

  @Test
  void fails_whenADiscardedAnswerNeverEnds() {
    fetches.get();
    last().respond(302, "Location", "/w");
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT);

    assertThat(fetches.reason()).isEqualTo("upstream_timeout");
    assertThat(fetches.isGateFree()).isTrue();
  }

  @Test
  void hasNoTimeLimit_afterDelivery() {
    fetches.get();
    last().respond(200, "Content-Length", "2");
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT.multipliedBy(100));

    assertThat(last().abortCause()).isNull();
  }

  // HEAD

  @Test
  void deliversAnEmptyBody_forHead() {
    fetches.fetch("HEAD");
    last().answer(200, "Content-Length", "1234");

    assertThat(fetches.body.read().isLast()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
    assertThat(fetches.isGateFree()).isTrue();
  }

  @Test
  void pullsNoBody_whenHeadIsAskedAsGet() {
    fetches.fetch("HEAD");
    last().answer(405);
    assertThat(last().request().method()).isEqualTo("GET");
    ScriptedSource answer = last().respond(200, "Content-Length", "1000000");
    answer.add(new byte[60_000], false);

    assertThat(fetches.heads).hasSize(1);
    assertThat(answer.failure()).isNotNull();
    assertThat(answer.held()).isZero();
  }
}
