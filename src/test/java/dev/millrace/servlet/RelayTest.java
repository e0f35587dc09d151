package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Chunkings;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.BegunBody;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RelayTest {
  private static final byte[] BODY = OffsetBytes.range(0, 200_000);

  static Stream<List<byte[]>> chunkings() {
    return Chunkings.of(BODY);
  }

  @ParameterizedTest
  @MethodSource("chunkings")
  void writesTheBody_whateverTheChunking(List<byte[]> chunks) throws IOException {
    RelayFixture fast = RelayFixture.fast();
    chunks.forEach(chunk -> fast.source.add(chunk, false));
    fast.source.end();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    assertThat(fast.out.written()).isEqualTo(BODY);
    assertThat(fast.completions).isEqualTo(1);
    assertThat(fast.source.held()).isZero();
    assertThat(fast.relay.writtenBytes()).isEqualTo(BODY.length);
    assertThat(fast.timer.pending()).isZero();
  }

  @Test
  void writesWhatWasReadBefore_first() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.add("ab").addLast("cd");
    Content.Chunk first = fast.source.read();
    fast.out.begin();
    fast.relay.begin(new BegunBody(first, fast.source), null);

    assertThat(fast.out.text()).isEqualTo("abcd");
    assertThat(fast.source.held()).isZero();
  }

  @Test
  void beginsOnlyWhenTheContainerIsReadyToo() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.addLast("ab");
    fast.relay.begin(fast.source, null);
    assertThat(fast.out.written()).isEmpty();

    fast.out.begin();

    assertThat(fast.completions).isEqualTo(1);
  }

  @Test
  void hasOneChunkInFlight_releasedAfterItsWrite() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.source.add("ab").add("cd").end();
    slow.out.begin();
    slow.relay.begin(slow.source, null);
    assertThat(slow.out.isWriting()).isTrue();
    assertThat(slow.source.held()).isEqualTo(2);

    slow.out.finishWrite();
    assertThat(slow.out.text()).isEqualTo("ab");
    assertThat(slow.source.held()).isEqualTo(1);

    slow.out.finishWrite();
    assertThat(slow.out.text()).isEqualTo("abcd");
    assertThat(slow.source.held()).isZero();
    assertThat(slow.completions).isEqualTo(1);
  }

  @Test
  void sendsTheHeaders_whenTheFirstReadGivesNothing() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.relay.begin(fast.source, null);
    fast.out.begin();
    assertThat(fast.out.flushes()).isEqualTo(1);
    assertThat(fast.source.isDemanded()).isTrue();

    fast.source.add("a");
    fast.source.addLast("b");

    assertThat(fast.out.flushes()).isEqualTo(1);
    assertThat(fast.out.text()).isEqualTo("ab");
    assertThat(fast.completions).isEqualTo(1);
  }

  @Test
  void sendsWhatTheContainerHasGathered_wheneverItWaitsForData() throws IOException {
    RelayFixture gathering = RelayFixture.gathering();
    gathering.relay.begin(gathering.source, null);
    gathering.out.begin();
    assertThat(gathering.out.flushes()).isEqualTo(1);

    gathering.source.add("a");
    assertThat(gathering.out.flushes()).isEqualTo(2);

    gathering.source.addLast("b");
    assertThat(gathering.out.flushes()).isEqualTo(2);
    assertThat(gathering.completions).isEqualTo(1);
  }

  @Test
  void demandsOnlyWhenTheHeadersAreOut() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.relay.begin(slow.source, null);
    slow.out.begin();
    assertThat(slow.source.isDemanded()).isFalse();

    slow.out.finishWrite();

    assertThat(slow.source.isDemanded()).isTrue();
  }

  @Test
  void sendsTheHeadersBeforeTheEnd_ofAnEmptyBody() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.end();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    assertThat(fast.out.flushes()).isEqualTo(1);
    assertThat(fast.completions).isEqualTo(1);
  }

  @Test
  void writesAnotherBody_whenTheFirstFailsBeforeItBegins() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.onFailure = () -> fast.relay.replace(ScriptedSource.of(new byte[] {'x'}));
    fast.source.fail(new IOException("origin"));
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    assertThat(fast.out.text()).isEqualTo("x");
    assertThat(fast.completions).isEqualTo(1);
    assertThat(fast.failures).hasSize(1);
    assertThat(fast.timer.pending()).isZero();
  }

  // depth of the stack

  @Test
  void staysFlat_whenManyChunksAreThere() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    for (int i = 0; i < 100_000; i++) {
      fast.source.add("a");
    }
    fast.source.end();
    fast.relay.begin(fast.source, null);
    fast.out.begin();

    assertThat(fast.out.written()).hasSize(100_000);
    assertThat(fast.completions).isEqualTo(1);
  }

  @Test
  void staysFlat_whenManyChunksCome() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.relay.begin(slow.source, null);
    slow.out.begin();
    slow.out.finishWrite();
    for (int i = 0; i < 100_000; i++) {
      slow.source.add("a");
      slow.out.finishWrite();
    }
    slow.source.end();

    assertThat(slow.out.written()).hasSize(100_000);
    assertThat(slow.completions).isEqualTo(1);
  }
}
