package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

class FetchBodyTest {
  private static final Duration LIMIT = FetchFixture.IDLE_TIMEOUT;

  private final FetchFixture fetches = new FetchFixture();
  private final ScriptedSource answer = new ScriptedSource();
  private final FetchBody body = new FetchBody(answer, fetches.fetcher).open();
  private final AtomicInteger demands = new AtomicInteger();

  @Test
  void fails_whenTheOriginIsSilentWhileBytesAreWanted() {
    body.demand(demands::incrementAndGet);

    fetches.timer.advance(LIMIT.multipliedBy(2));

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.failureOf(body))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UPSTREAM_IDLE));
  }

  @Test
  void neverFails_whileNothingIsWanted() {
    answer.add("a");
    body.read().release();

    fetches.timer.advance(LIMIT.multipliedBy(100));

    assertThat(answer.failure()).isNull();
  }

  @Test
  void countsEachSilenceByItself() {
    for (int i = 0; i < 5; i++) {
      body.demand(demands::incrementAndGet);
      fetches.timer.advance(LIMIT.minusSeconds(1));
      answer.add("a");
      body.read().release();
    }

    assertThat(answer.failure()).isNull();
  }

  @Test
  void watchesNoLonger_afterTheLastChunk() {
    answer.addLast("a");
    body.read().release();

    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void watchesNoLonger_afterAFailure() {
    body.fail(new UpstreamException(Kind.CANCELLED));

    assertThat(fetches.timer.pending()).isZero();
    assertThat(FetchFixture.failureOf(body)).isInstanceOf(UpstreamException.class);
  }

  @Test
  void tellsACutAsClosed() {
    answer.fail(new EOFException("early"));

    assertThat(FetchFixture.failureOf(body))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UPSTREAM_CLOSED));
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void passesKnownFailures() {
    UpstreamException cause = new UpstreamException(Kind.CHANGED_CONTENT);
    answer.fail(cause);

    assertThat(FetchFixture.failureOf(body)).isSameAs(cause);
  }

  @Test
  void tellsHowLongItsReaderHasTakenNothing() {
    fetches.timer.advance(Duration.ofMillis(3));
    assertThat(body.untakenNanos()).isEqualTo(3_000_000);

    Content.Chunk nothing = body.read();
    fetches.timer.advance(Duration.ofMillis(3));
    assertThat(nothing).isNull();
    assertThat(body.untakenNanos()).isZero();

    answer.add("a");
    body.read().release();
    fetches.timer.advance(Duration.ofMillis(2));
    assertThat(body.untakenNanos()).isEqualTo(2_000_000);
  }
}
