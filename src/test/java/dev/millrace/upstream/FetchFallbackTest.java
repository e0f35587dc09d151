package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.FakeUpstream.Sent;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException.Kind;
import java.io.EOFException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several sources of one body. */
class FetchFallbackTest {
  private static final String B = "http://b.example/w.mp4";

  private final FetchFixture fetches = new FetchFixture();

  private Sent last() {
    return fetches.upstream.last();
  }

  private String origin() {
    return last().request().target().origin();
  }

  @AfterEach
  void nothingIsLeft() {
    fetches.upstream.sent().forEach(Sent::complete);
    assertThat(fetches.calls()).isEqualTo(1);
    assertThat(fetches.isGateFree()).isTrue();
    assertThat(fetches.timer.pending()).isZero();
  }

  private void deliverB() {
    assertThat(fetches.calls()).isZero();
    assertThat(origin()).startsWith("http://b.example");
    last().respond(200, "Content-Length", "2").addLast("ok");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("ok");
    assertThat(fetches.metrics.total("upstream_fallbacks")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 410, 429, 500})
  void turnsToTheNextSource_whenTheFirstRefuses(int status) {
    fetches.getOr(B);
    ScriptedSource refusal = last().respond(status);

    assertThat(refusal.failure()).isNotNull();
    deliverB();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"DNS_FAILED", "CONNECT_TIMEOUT", "TLS_FAILED", "BAD_RESPONSE", "BAD_REDIRECT"})
  void turnsToTheNextSource_whenTheFirstFails(Kind kind) {
    fetches.getOr(B);
    last().fail(new UpstreamException(kind));

    deliverB();
  }

  @Test
  void turnsToTheNextSource_onceTheRetriesOfTheFirstAreUsedUp() {
    fetches.getOr(B);
    for (int i = 0; i < 3; i++) {
      assertThat(origin()).startsWith("http://a.example");
      last().answer(503);
      fetches.timer.advance(Duration.ofMillis(400));
    }

    deliverB();
  }

  @Test
  void turnsToTheNextSource_whenTheFirstIsCutBeforeItsFirstByte() {
    fetches.getOr(B);
    ScriptedSource answer = last().respond(200, "Content-Length", "2");
    assertThat(fetches.calls()).isZero();

    answer.fail(new EOFException("cut"));

    deliverB();
  }

  @Test
  void turnsToTheNextSource_whenTheFirstByteDoesNotCome() {
    fetches.getOr(B);
    fetches.timer.advance(Duration.ofSeconds(50));
    last().respond(200, "Content-Length", "2");
    fetches.timer.advance(FetchFixture.HEADER_TIMEOUT.minusSeconds(50).minusMillis(1));
    assertThat(fetches.upstream.sent()).hasSize(1);

    fetches.timer.advance(Duration.ofMillis(1));

    deliverB();
  }

  @Test
  void deliversTheFirst_fromItsFirstByteOn() {
    fetches.getOr(B);
    ScriptedSource answer = last().respond(206, "Content-Range", "bytes 0-3/4", "ETag", "\"t\"");
    answer.add("01");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("01");

    last().abort(new EOFException("cut"));
    assertThat(fetches.body.read()).isNull();

    assertThat(origin()).startsWith("http://a.example");
    assertThat(last().field("Range")).isEqualTo("bytes=2-3");
    last().respond(206, "Content-Range", "bytes 2-3/4", "ETag", "\"t\"").addLast("23");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("23");
  }

  @Test
  void resumesAtTheSourceThatDelivers() {
    fetches.getOr(B);
    last().answer(404);
    last().respond(200, "Content-Length", "4", "ETag", "\"t\"").add("01");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("01");
    last().abort(new EOFException("cut"));
    assertThat(fetches.body.read()).isNull();

    assertThat(last().request().target()).isEqualTo(FetchFixture.target(B));
    last().respond(206, "Content-Range", "bytes 2-3/4", "ETag", "\"t\"").addLast("23");
    assertThat(FetchFixture.readAll(fetches.body)).isEqualTo("23");
  }

  @Test
  void delivers416AndEmptyBodies() {
    fetches.getOr(B);
    last().answer(416, "Content-Range", "bytes */0");
    last().answer(416, "Content-Range", "bytes */0");

    assertThat(fetches.heads).extracting(UpstreamHead::status).containsExactly(416);
    assertThat(fetches.body.read().isLast()).isTrue();
  }

  @Test
  void delivers204_withoutWaitingForAByte() {
    fetches.getOr(B);
    last().answer(204);

    assertThat(fetches.heads).extracting(UpstreamHead::status).containsExactly(204);
  }

  @Test
  void answersWhatTheLastSourceSays() {
    fetches.getOr(B, "http://c.example/x");
    last().answer(404);
    last().fail(new UpstreamException(Kind.TLS_FAILED));
    last().answer(403);

    assertThat(fetches.upstream.sent()).hasSize(3);
    assertThat(fetches.heads).extracting(UpstreamHead::status).containsExactly(403);
    assertThat(FetchFixture.readAll(fetches.body)).isEmpty();
  }

  @Test
  void failsAsTheLastSourceFails() {
    fetches.getOr(B);
    last().answer(404);
    last().fail(new UpstreamException(Kind.TLS_FAILED));

    assertThat(fetches.reason()).isEqualTo("tls_failed");
  }

  @Test
  void asksForHeadersOnly_forHead() {
    fetches.fetch(FetchFixture.request("HEAD"), false, B);
    last().answer(404);
    assertThat(last().request().method()).isEqualTo("HEAD");
    last().answer(200, "Content-Length", "9");

    assertThat(fetches.body.read().isLast()).isTrue();
  }

  // cancel

  @Test
  void asksNoOther_whenCancelled() {
    Fetch fetch = fetches.getOr(B);

    fetch.cancel();

    assertThat(fetches.reason()).isEqualTo("cancelled");
    assertThat(fetches.upstream.sent()).hasSize(1);
  }

  @Test
  void asksNoOther_whenCancelledBeforeTheFirstByte() {
    Fetch fetch = fetches.getOr(B);
    ScriptedSource answer = last().respond(200, "Content-Length", "2");

    fetch.cancel();

    assertThat(answer.failure()).isNotNull();
    assertThat(fetches.reason()).isEqualTo("cancelled");
    assertThat(fetches.upstream.sent()).hasSize(1);
  }
}
