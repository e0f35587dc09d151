package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.testing.FakeUpstream;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a request that is somebody else's. */
class ForwardedFetchTest {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final FetchFixture fixture = new FetchFixture();
  private final ScriptedSource content = new ScriptedSource();

  private Fetch forward(String method) {
    return forward(method, Optional.empty());
  }

  private Fetch forward(String method, Optional<Content.Source> body) {
    UpstreamRequest request =
        UpstreamRequest.forwarded(
            method, FetchFixture.target("http://a.example/api"), Headers.of("X-A", "b"), body);
    return fixture.fetch(request, false);
  }

  private FakeUpstream.Sent sent() {
    return fixture.upstream.last();
  }

  @ParameterizedTest
  @ValueSource(ints = {206, 301, 307, 400, 403, 416, 501, 502, 503})
  void answersAreTheAnswer(int status) {
    forward("HEAD");
    sent().answer(status, "Location", "http://b.example/");

    assertThat(fixture.heads.get(0).status()).isEqualTo(status);
    assertThat(fixture.upstream.sent()).hasSize(1);
    assertThat(sent().request().headers()).isEqualTo(Headers.of("X-A", "b"));
  }

  @Test
  void bodiesAreNotTakenUpAgain() {
    forward("GET");
    ScriptedSource answer = sent().respond(200, "Content-Length", "9", "ETag", "\"a\"");
    answer.add("abc");
    assertThat(FetchFixture.readAll(fixture.body)).isEqualTo("abc");
    answer.fail(new UpstreamException(Kind.UPSTREAM_CLOSED));

    assertThat(FetchFixture.failureOf(fixture.body)).isInstanceOf(UpstreamException.class);
    assertThat(fixture.upstream.sent()).hasSize(1);
  }

  @Test
  void safeRequestsAreSentOnceMore_onAnotherConnection_ifTheirsWasClosed() {
    forward("GET");
    assertThat(sent().field("Connection")).isNull();
    sent().fail(new UpstreamException(Kind.UPSTREAM_CLOSED));
    assertThat(sent().field("Connection")).isEqualTo("close");
    sent().fail(new UpstreamException(Kind.UPSTREAM_CLOSED));

    assertThat(fixture.reason()).isEqualTo("upstream_closed");
    assertThat(fixture.upstream.sent()).hasSize(2);
  }

  @Test
  void nothingIsSentAgain_ifNoConnectionIsToBeHad() {
    forward("GET");
    sent().fail(new UpstreamException(Kind.CONNECT_FAILED));

    assertThat(fixture.reason()).isEqualTo("connect_failed");
    assertThat(fixture.upstream.sent()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
  void otherRequestsHaveConnectionsOfTheirOwn_andAreNeverSentAgain(String method) {
    forward(method);
    assertThat(sent().field("Connection")).isEqualTo("close");
    sent().fail(new UpstreamException(Kind.UPSTREAM_CLOSED));

    assertThat(fixture.reason()).isEqualTo("upstream_closed");
    assertThat(fixture.upstream.sent()).hasSize(1);
  }

  @Test
  void timeForTheAnswerBegins_whenTheContentIsTaken() {
    forward("POST", Optional.of(content));
    Content.Source body = sent().request().body().orElseThrow();
    for (int i = 0; i < 3; i++) {
      assertThat(body.read()).isNull();
      fixture.timer.advance(FetchFixture.HEADER_TIMEOUT); // the client's time
      content.add("abc");
      assertThat(body.read().hasRemaining()).isTrue();
    }
    content.end();
    assertThat(body.read().isLast()).isTrue();
    fixture.timer.advance(FetchFixture.HEADER_TIMEOUT.minus(MOMENT));
    assertThat(fixture.calls()).isZero();
    fixture.timer.advance(MOMENT);

    assertThat(fixture.reason()).isEqualTo("upstream_timeout");
    assertThat(fixture.isGateFree()).isTrue();
  }

  @Test
  void slowUploadsDoNotKeepOthersFromTheOrigin() {
    forward("POST", Optional.of(content));
    Content.Source body = sent().request().body().orElseThrow();
    assertThat(body.read()).isNull();
    fixture.timer.advance(Duration.ofMillis(1_999));
    assertThat(fixture.isGateFree()).isFalse();
    fixture.timer.advance(Duration.ofMillis(1));

    assertThat(fixture.isGateFree()).isTrue();
    assertThat(fixture.calls()).isZero();
  }

  @Test
  void originsThatTakeNothing_areGivenUp() {
    forward("POST", Optional.of(content.add("abc")));
    sent().request().body().orElseThrow().read();
    fixture.timer.advance(FetchFixture.IDLE_TIMEOUT.multipliedBy(2));

    assertThat(fixture.reason()).isEqualTo("upstream_stalled");
  }

  @Test
  void earlyAnswers_endTheTimeForAnswers() {
    forward("POST", Optional.of(content));
    Content.Source body = sent().request().body().orElseThrow();
    sent().respond(200);
    content.end();
    assertThat(body.read().isLast()).isTrue();
    fixture.timer.advance(FetchFixture.HEADER_TIMEOUT.multipliedBy(2));

    assertThat(fixture.failures).isEmpty();
    assertThat(sent().abortCause()).isNull();
  }

  @Test
  void cancelled_itIsAborted() {
    Fetch fetch = forward("POST", Optional.of(content));
    fetch.cancel();

    assertThat(sent().abortCause()).isNotNull();
    assertThat(fixture.isGateFree()).isTrue();
    assertThat(fixture.timer.pending()).isZero();
  }

  @Test
  void hasOneDestination() {
    UpstreamRequest request =
        UpstreamRequest.forwarded(
            "GET", FetchFixture.target("http://a.example/"), Headers.EMPTY, Optional.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FetchRequest(request, List.of(request.target()), false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FetchRequest(request, List.of(), true));
  }
}
