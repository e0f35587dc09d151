package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.FakeUpstream.Sent;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that an origin hands out in capped ranges. */
class ContinuedBodyTest {
  private static final String TAG = "\"t\"";

  private final FetchFixture fetches = new FetchFixture();
  private final AtomicInteger demands = new AtomicInteger();

  /** The first four of ten bytes. */
  private ScriptedSource begin(String tag) {
    fetches.get("X-Kept", "1");
    return last().respond(206, "Content-Range", "bytes 0-3/10", "ETag", tag, "Content-Length", "4");
  }

  private void beginAndReadFirstPart() {
    begin(TAG).addLast("0123");
    last().complete();
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("0123");
  }

  private Sent last() {
    return fetches.upstream.last();
  }

  @Test
  void gluesParts() {
    beginAndReadFirstPart();
    assertThat(last().field("Range")).isEqualTo("bytes=4-9");
    assertThat(last().field("If-Range")).isEqualTo(TAG);
    assertThat(last().field("X-Kept")).isEqualTo("1");

    last().respond(206, "Content-Range", "bytes 4-6/10", "ETag", TAG).add("45").addLast("6");
    last().complete();
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("456");
    last().respond(206, "Content-Range", "bytes 7-9/10", "ETag", TAG).addLast("789");
    last().complete();

    assertThat(fetches.body.getLength()).isEqualTo(10);
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("789");
    assertThat(fetches.body.read().isLast()).isTrue();
    assertThat(fetches.upstream.sent()).hasSize(3);
    assertThat(fetches.calls()).isEqualTo(1);
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  @Test
  void continuesWhereThePartReallyEnded() {
    begin(TAG).add("01").end();
    last().complete();

    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("01");
    assertThat(last().field("Range")).isEqualTo("bytes=2-9");
  }

  @Test
  void fails_whenPartsHoldNothing() {
    beginAndReadFirstPart();
    for (int i = 0; i < 3; i++) {
      last().respond(206, "Content-Range", "bytes 4-6/10", "ETag", TAG).end();
      last().complete();
      assertThat(FetchFixture.readAll(fetches.body)).isEmpty();
      fetches.timer.advance(Duration.ofSeconds(1));
    }

    assertThat(FetchFixture.failureOf(fetches.body))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UPSTREAM_CLOSED));
    assertThat(fetches.upstream.sent()).hasSize(4);
  }

  @Test
  void sendsNoIfRange_whenTheTagIsWeak() {
    begin("W/\"t\"").addLast("0123");
    last().complete();
    FetchFixture.readAll(fetches.body);

    assertThat(last().field("Range")).isEqualTo("bytes=4-9");
    assertThat(last().field("If-Range")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "206, bytes 4-9/10, \"u\"",
    "206, bytes 4-9/11, \"t\"",
    "206, bytes 4-9/*, \"t\"",
    "206, bytes 5-9/10, \"t\"",
    "206, bytes 0-9/10, \"t\"",
    "206, none, \"t\"",
    "200, bytes 4-9/10, \"t\"",
    "416, bytes 4-9/10, \"t\""
  })
  void fails_whenTheContentIsNotTheSame(int status, String range, String tag) {
    beginAndReadFirstPart();
    fetches.body.demand(demands::incrementAndGet);
    ScriptedSource wrong = last().respond(status, "Content-Range", range, "ETag", tag);

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.failureOf(fetches.body))
        .isInstanceOfSatisfying(
            UpstreamException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED_CONTENT));
    assertThat(wrong.failure()).isNotNull();
  }

  @Test
  void answersADemandBetweenTwoParts_onceBytesAreThere() {
    beginAndReadFirstPart();
    fetches.body.demand(demands::incrementAndGet);
    ScriptedSource second = last().respond(206, "Content-Range", "bytes 4-9/10", "ETag", TAG);
    assertThat(demands).hasValue(0);

    second.addLast("456789");

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("456789");
  }

  @Test
  void answersADemand_whenTheNextPartFails() {
    beginAndReadFirstPart();
    fetches.body.demand(demands::incrementAndGet);
    last().fail(new UpstreamException(Kind.BAD_RESPONSE));

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.failureOf(fetches.body)).isInstanceOf(UpstreamException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsTheNextPart_whenCancelledBeforeItsHead(boolean isDemanded) {
    Fetch fetch = fetches.get();
    last().respond(206, "Content-Range", "bytes 0-3/10").addLast("0123");
    last().complete();
    FetchFixture.readAll(fetches.body);
    if (isDemanded) {
      fetches.body.demand(demands::incrementAndGet);
    }

    fetch.cancel();

    assertThat(last().abortCause()).isNotNull();
    assertThat(demands).hasValue(isDemanded ? 1 : 0);
    assertThat(FetchFixture.failureOf(fetches.body)).isInstanceOf(UpstreamException.class);
    assertThat(fetches.isGateFree()).isTrue();
  }

  @Test
  void endsTheNextPart_whenCancelledWhileItIsRead() {
    beginAndReadFirstPart();
    ScriptedSource second = last().respond(206, "Content-Range", "bytes 4-9/10", "ETag", TAG);
    second.add("45");

    fetches.body.fail(new UpstreamException(Kind.CANCELLED));

    assertThat(second.failure()).isNotNull();
    assertThat(second.held()).isZero();
    assertThat(last().abortCause()).isNotNull();
    assertThat(fetches.isGateFree()).isTrue();
  }

  @Test
  void leavesTheGate_whenCancelledBetweenTwoParts() {
    begin(TAG).addLast("0123");
    last().complete();
    fetches.occupyGate();
    FetchFixture.readAll(fetches.body);
    assertThat(fetches.gate.waiting()).isEqualTo(1);

    fetches.body.fail(new UpstreamException(Kind.CANCELLED));

    assertThat(fetches.gate.waiting()).isZero();
    assertThat(FetchFixture.failureOf(fetches.body)).isInstanceOf(UpstreamException.class);
  }

  @Test
  void asksForNothingMore_whenAPartEndsDuringACancel() {
    ReadWhileFailed first = new ReadWhileFailed();
    first.whole =
        new ContinuedBody(
            fetches.fetcher,
            FetchRequest.of(FetchFixture.request("GET")),
            0,
            new Resumption(0, 9, 10, Optional.empty(), Optional.empty(), Optional.empty()),
            first);

    first.whole.fail(new UpstreamException(Kind.CANCELLED));

    assertThat(fetches.upstream.sent()).isEmpty();
    assertThat(fetches.isGateFree()).isTrue();
  }

  /** Its last chunk is read in the very moment in which it is failed. */
  private static final class ReadWhileFailed implements Content.Source {
    private final ScriptedSource chunks = new ScriptedSource().addLast("0123");
    private ContinuedBody whole;

    @Override
    public Content.Chunk read() {
      return chunks.read();
    }

    @Override
    public void demand(Runnable demandCallback) {
      chunks.demand(demandCallback);
    }

    @Override
    public void fail(Throwable failure) {
      Content.Chunk chunk = whole.read();
      chunk.release();
    }
  }
}
