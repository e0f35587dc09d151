package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.BegunBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

/** The container lets go of an exchange in every state that its relay can be in. */
class RelayCloseTest {
  private static void assertClosed(RelayFixture fixture) {
    assertThat(fixture.source.failure()).isNotNull();
    assertThat(fixture.source.held()).isZero();
    assertThat(fixture.timer.pending()).isZero();
    assertThat(fixture.ends()).isZero();
  }

  @Test
  void releasesChunk_whileClientIsAwaited() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.source.add("film");
    slow.relay.begin(slow.source, null);
    slow.out.begin();
    assertThat(slow.source.held()).isEqualTo(1);

    slow.relay.close();

    assertClosed(slow);
  }

  @Test
  void failsSource_whileDataIsAwaited() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    fast.relay.close();

    assertClosed(fast);
  }

  @Test
  void releasesFirstChunk_whenBodyComesTooLate() {
    RelayFixture fast = RelayFixture.fast();
    ScriptedSource body = fast.source.add("first");
    Content.Chunk first = body.read();

    fast.relay.close();
    fast.relay.begin(new BegunBody(first, body), null);

    assertClosed(fast);
  }

  @Test
  void leavesReleaseToWhoeverRuns() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.add("film");
    CloseInTransform closing = new CloseInTransform(fast.relay);

    fast.relay.begin(fast.source, closing);
    fast.out.begin();

    assertThat(closing.closings).isEqualTo(1);
    assertClosed(fast);
  }

  @Test
  void isIdempotent() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.source.add("film");
    slow.relay.begin(slow.source, null);
    slow.out.begin();

    slow.relay.close();
    slow.relay.close();

    assertClosed(slow);
  }

  /** Lets the exchange end in the middle of its own turn. */
  private static final class CloseInTransform implements ByteTransform {
    private final Relay relay;
    private int closings;

    CloseInTransform(Relay relay) {
      this.relay = relay;
    }

    @Override
    public void accept(ByteBuffer input, ByteSink out) throws IOException {
      relay.close();
      assertThat(closings).isZero();
      out.put(input);
    }

    @Override
    public void finish(ByteSink out) {}

    @Override
    public void close() {
      closings++;
    }
  }
}
