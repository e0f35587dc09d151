package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.FakeUpstream.Sent;
import dev.millrace.testing.ScriptedSource;
import java.time.Duration;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancel at every stage of a fetch: one call of the listener, and nothing is left. */
class FetchCancelTest {
  private final FetchFixture fetches = new FetchFixture();

  private Sent last() {
    return fetches.upstream.last();
  }

  @AfterEach
  void nothingIsLeft() {
    fetches.timer.advance(Duration.ofSeconds(1));
    assertThat(fetches.calls()).isEqualTo(1);
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void leavesTheGate() {
    OriginGate.Permit permit = fetches.occupyGate();
    Fetch fetch = fetches.get();

    fetch.cancel();

    assertThat(fetches.reason()).isEqualTo("cancelled");
    assertThat(fetches.gate.waiting()).isZero();
    permit.release();
    assertThat(fetches.upstream.sent()).isEmpty();
  }

  @Test
  void abortsTheRequest() {
    Fetch fetch = fetches.get();

    fetch.cancel();
    fetch.cancel();

    assertThat(last().abortCause()).isNotNull();
    assertThat(fetches.reason()).isEqualTo("cancelled");
  }

  @Test
  void failsTheBody_afterDelivery() {
    Fetch fetch = fetches.get();
    ScriptedSource answer = last().respond(200);
    answer.add("ab");

    fetch.cancel();

    assertThat(answer.held()).isZero();
    assertThat(FetchFixture.failureOf(fetches.body)).isInstanceOf(UpstreamException.class);
  }

  @Test
  void endsARedirect_whileItsAnswerIsDiscarded() {
    Fetch fetch = fetches.get();
    last().respond(302, "Location", "/w");

    fetch.cancel();

    assertThat(fetches.reason()).isEqualTo("cancelled");
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  @Test
  void endsTheDelay_beforeARetry() {
    Fetch fetch = fetches.get();
    last().answer(503);

    fetch.cancel();
    fetches.timer.advance(Duration.ofMillis(200));

    assertThat(fetches.reason()).isEqualTo("cancelled");
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  @Test
  void isNoted_whenItComesWhileTheRequestIsBeingSent() {
    Fetch fetch = new Fetch(fetches.fetcher, FetchRequest.of(FetchFixture.request("GET")), fetches);
    fetch.cancel();

    fetch.start();

    assertThat(fetches.reason()).isEqualTo("cancelled");
    assertThat(fetches.upstream.sent()).isEmpty();
  }

  @Test
  void endsAContinuedBody_whenItComesBeforeItsHead() {
    Fetch fetch =
        new Fetch(
            new Fetcher(
                (request, listener) -> {
                  fetches.upstream.send(request, listener);
                  return cause -> {}; // too late: the answer is complete
                },
                fetches.gate,
                fetches.fetcher.config(),
                fetches.timer,
                fetches.timer::nanoTime,
                fetches.fetcher.metrics()),
            FetchRequest.of(FetchFixture.request("GET")),
            fetches);
    fetch.start();
    fetch.cancel();

    last().respond(206, "Content-Range", "bytes 0-1/4").addLast("ab");
    last().complete();

    Content.Chunk chunk = fetches.body.read();
    assertThat(Content.Chunk.isFailure(chunk)).isTrue();
    assertThat(fetches.upstream.sent()).hasSize(1);
  }
}
