package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.WaitTimer;
import dev.millrace.testing.ManualTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientBodyTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long MAX_BYTES = 8;

  private final ManualTimer timer = new ManualTimer();
  private final ScriptedInput input = new ScriptedInput();
  private final AtomicInteger ends = new AtomicInteger();
  private final AtomicInteger breaks = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private ClientBody body;

  @BeforeEach
  void open() {
    body =
        new ClientBody(
                input,
                -1,
                MAX_BYTES,
                action -> new WaitTimer(timer, timer::nanoTime, LIMIT, action),
                ends::incrementAndGet,
                breaks::incrementAndGet)
            .open();
  }

  private String read() {
    Content.Chunk chunk = body.read();
    return chunk == null ? "none" : ISO_8859_1.decode(chunk.getByteBuffer()).toString();
  }

  private String failure() {
    return ((ExchangeException) body.read().getFailure()).reason();
  }

  @Test
  void readsWhatArrives_whenItIsWanted() throws IOException {
    assertThat(read()).isEqualTo("none");
    body.demand(calls::incrementAndGet);
    input.arrive("abc");
    assertThat(calls).hasValue(1);
    assertThat(read()).isEqualTo("abc");
    assertThat(read()).isEqualTo("none");

    input.arrive("de"); // before it is demanded
    body.demand(calls::incrementAndGet);
    assertThat(calls).hasValue(2);
    assertThat(read()).isEqualTo("de");
  }

  @Test
  void tellsOfTheEnd_once() throws IOException {
    input.arrive("abc");
    assertThat(read()).isEqualTo("abc");
    assertThat(read()).isEqualTo("none");
    body.demand(calls::incrementAndGet);
    input.end();

    assertThat(calls).hasValue(1);
    assertThat(body.isRead()).isFalse();
    assertThat(body.read().isLast()).isTrue();
    assertThat(body.read().isLast()).isTrue();
    assertThat(body.isRead()).isTrue();
    assertThat(ends).hasValue(1);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void takesAsManyBytesAsAllowed() throws IOException {
    input.arrive("12345678");
    assertThat(read()).isEqualTo("12345678");
  }

  @Test
  void fails_withOneByteMore() throws IOException {
    input.arrive("1234567");
    assertThat(read()).isEqualTo("1234567");
    assertThat(read()).isEqualTo("none");
    input.arrive("89");

    assertThat(failure()).isEqualTo("request_too_large");
    assertThat(failure()).isEqualTo("request_too_large");
    assertThat(ends).hasValue(0);
  }

  @Test
  void fails_whenTheClientIsSilentWhileItIsWaitedFor() throws IOException {
    timer.advance(LIMIT.multipliedBy(3)); // nobody waits
    input.arrive("a");
    assertThat(read()).isEqualTo("a");
    assertThat(read()).isEqualTo("none");
    body.demand(calls::incrementAndGet);
    timer.advance(LIMIT.multipliedBy(2));

    assertThat(calls).hasValue(1);
    assertThat(failure()).isEqualTo("client_stalled");
  }

  @Test
  void fails_withTheContainer() {
    body.demand(calls::incrementAndGet);
    input.fail(new IOException("reset"));
    assertThat(calls).hasValue(1);
    assertThat(failure()).isEqualTo("client_left");
    assertThat(breaks).hasValue(1);
  }

  @Test
  void fails_withTheContainersOwnTimeout() {
    input.fail(new TimeoutException());
    assertThat(failure()).isEqualTo("client_stalled");
    assertThat(breaks).hasValue(0);
  }

  @Test
  void readsNothingMore_onceClosed() throws IOException {
    input.arrive("abc");
    body.close();
    assertThat(body.read().getFailure()).isInstanceOf(IOException.class);
    assertThat(timer.pending()).isZero();
  }
}
