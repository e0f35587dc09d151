package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A body is broken off from outside in every state that its relay can be in. */
class RelayBreakOffTest {
  private final IOException stop = new IOException("stop");

  @Test
  void failsAtOnce_whileClientIsAwaited() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.source.add("film");
    slow.relay.begin(slow.source, null);
    slow.out.begin();

    slow.relay.breakOff(stop);
    slow.relay.breakOff(stop);

    assertThat(slow.failures).containsExactly(stop);
    assertThat(slow.source.failure()).isSameAs(stop);
  }

  @Test
  void failsTheSource_whileDataIsAwaited() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    fast.relay.breakOff(stop);

    assertThat(fast.source.failure()).isSameAs(stop);
    assertThat(fast.completions).isZero();
  }

  @Test
  void doesNothing_beforeThereIsABody() throws IOException {
    RelayFixture fast = RelayFixture.fast();

    fast.relay.breakOff(stop);
    fast.source.add("error").end();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    assertThat(fast.completions).isEqualTo(1);
    assertThat(fast.failures).isEmpty();
  }

  @Test
  void doesNothing_afterTheEnd() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.add("film").end();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    fast.relay.breakOff(stop);

    assertThat(fast.completions).isEqualTo(1);
    assertThat(fast.failures).isEmpty();
  }
}
