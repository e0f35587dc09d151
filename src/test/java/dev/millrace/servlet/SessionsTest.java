package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.stream.ExchangeException;
import dev.millrace.testing.Await;
import dev.millrace.upstream.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SessionsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private long now;
  private final Sessions sessions = new Sessions(() -> now);

  /** A body that moves when the test says so. */
  private static final class Body implements Exchange.Running {
    private long bytes;
    private long pauseNanos;
    private final List<ExchangeException> breaks = new ArrayList<>();

    @Override
    public long writtenBytes() {
      return bytes;
    }

    @Override
    public long waitedForClientNanos() {
      return pauseNanos;
    }

    @Override
    public void breakOff(ExchangeException cause) {
      breaks.add(cause);
    }
  }

  private final Body body = new Body();

  private Exchange open() throws ExchangeException {
    Exchange exchange =
        new Exchange(ExchangeLogTest.arrival("192.0.2.1"), "GET", Instant.EPOCH, now);
    sessions.open(exchange);
    exchange.run(Target.parse("https://cdn.example/secret?signature=x"), body);
    return exchange;
  }

  private Sessions.Session only() {
    return sessions.list(10).sessions().get(0);
  }

  @Test
  void keepsTheBytesOfThoseThatHaveEnded() throws ExchangeException {
    Exchange first = open();
    body.bytes = 10;
    assertThat(sessions.writtenBytes()).isEqualTo(10);

    sessions.close(first);
    sessions.close(first);
    assertThat(sessions.writtenBytes()).isEqualTo(10);
    assertThat(sessions.count()).isZero();
  }

  @Test
  void tellsTheRateSinceTheLastLookButOne() throws ExchangeException {
    open();
    now = 5 * SECOND;
    body.bytes = 500;
    assertThat(only().bytesPerSecond()).isEqualTo(100);
    sessions.sample();
    now = 10 * SECOND;
    sessions.sample();
    now = 12 * SECOND;
    body.bytes = 1_200;

    assertThat(only().bytesPerSecond()).isEqualTo(100);
  }

  @Test
  void tellsWhatAStreamIsDoing() throws ExchangeException {
    Exchange exchange = open();
    assertThat(only().state()).isEqualTo("connecting");
    exchange.answered(206);
    assertThat(only().state()).isEqualTo("streaming");
    body.pauseNanos = 2 * SECOND;
    assertThat(only().state()).isEqualTo("paused");
  }

  @Test
  void listsTheOldest_andSaysHowManyThereAre() throws ExchangeException {
    Exchange oldest = open();
    now = SECOND;
    open();

    Sessions.Listing listing = sessions.list(1);

    assertThat(listing.sessions()).extracting(Sessions.Session::exchange).containsExactly(oldest);
    assertThat(listing.total()).isEqualTo(2);
  }

  @Test
  void showsThousandInJson_andTheCountOfAll() throws ExchangeException {
    for (int i = 0; i < SessionsView.MAX_LISTED + 1; i++) {
      open();
    }
    String json = new SessionsView(sessions).page().text();

    assertThat(json).startsWith("{\"total\":1001,").doesNotContain("secret", "signature");
    assertThat(json.split("\"origin\":\"https://cdn.example:443\"", -1)).hasSize(1001);
  }

  @Test
  void takesNone_onceItRefuses() throws ExchangeException {
    sessions.refuse();

    assertThatExceptionOfType(DrainingException.class).isThrownBy(this::open);
    assertThat(sessions.count()).isZero();
  }

  @Test
  void waitsForTheLastToEnd() throws Exception {
    Exchange exchange = open();
    CompletableFuture<Boolean> isDone = waiting();
    sessions.close(exchange);

    assertThat(isDone.join()).isTrue();
  }

  @Test
  void waitsNoLongerThanItIsTold() throws Exception {
    open();

    assertThat(sessions.awaitNone(Duration.ZERO)).isFalse();
    assertThat(sessions.awaitNone(Duration.ofMillis(20))).isFalse();
  }

  @Test
  void waitsNoLonger_whenItIsHurried() throws Exception {
    open();
    CompletableFuture<Boolean> isDone = waiting();
    sessions.hurry();

    assertThat(isDone.join()).isFalse();
    assertThat(sessions.awaitNone(Duration.ofDays(1))).isFalse();
  }

  @Test
  void breaksOffWhatRuns() throws ExchangeException {
    open();
    sessions.breakAll();

    assertThat(body.breaks).singleElement().isInstanceOf(DrainingException.class);
  }

  private CompletableFuture<Boolean> waiting() {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(sessions.awaitNone(Duration.ofDays(1)));
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Await.until(
        "waiting", Duration.ofSeconds(10), () -> thread.getState() == Thread.State.TIMED_WAITING);
    return result;
  }
}
