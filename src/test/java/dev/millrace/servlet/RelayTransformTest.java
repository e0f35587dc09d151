package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteSink;
import dev.millrace.stream.ByteTransform;
import dev.millrace.testing.Chunkings;
import dev.millrace.testing.OffsetBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RelayTransformTest {
  private static final byte[] BODY = OffsetBytes.range(0, 150_000);

  private static final String END = "end";

  private final Thrice thrice = new Thrice();

  static Stream<List<byte[]>> chunkings() {
    return Chunkings.of(BODY);
  }

  @ParameterizedTest
  @MethodSource("chunkings")
  void writesWhatTheTransformMakes_whateverTheChunking(List<byte[]> chunks) throws IOException {
    RelayFixture fast = RelayFixture.fast();
    chunks.forEach(chunk -> fast.source.add(chunk, false));
    fast.source.end();
    fast.relay.begin(fast.source, thrice);
    fast.out.begin();

    assertThat(fast.out.written()).isEqualTo(Thrice.of(BODY));
    assertThat(fast.completions).isEqualTo(1);
    assertThat(fast.source.held()).isZero();
  }

  @Test
  void feedsSmallSlices_soThatGrowthIsBounded() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.add(BODY, true);
    fast.relay.begin(fast.source, thrice);
    fast.out.begin();

    assertThat(thrice.largestInput).isEqualTo(16 << 10);
    assertThat(fast.out.largestWrite()).isEqualTo(16 << 10);
  }

  @Test
  void writesAllOfASlice_beforeTheNext() throws IOException {
    RelayFixture slow = RelayFixture.slow();
    slow.source.add(BODY, true);
    slow.out.begin();
    slow.relay.begin(slow.source, thrice);

    for (int i = 0; i < 3; i++) {
      assertThat(thrice.inputs).isEqualTo(1);
      slow.out.finishWrite();
    }
    assertThat(thrice.inputs).isEqualTo(2);
    assertThat(slow.source.held()).isEqualTo(1);
  }

  @Test
  void isClosedOnce_afterTheEnd() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.addLast("ab");
    fast.relay.begin(fast.source, thrice);
    fast.out.begin();
    fast.relay.close();
    fast.relay.close();

    assertThat(fast.out.text()).isEqualTo("aaabbbend");
    assertThat(thrice.closes).isEqualTo(1);
  }

  @Test
  void fails_whenTheTransformDoes() throws IOException {
    RelayFixture fast = RelayFixture.fast();
    fast.source.add("ab").add("\u00ff").add("cd");
    fast.relay.begin(fast.source, thrice);
    fast.out.begin();

    assertThat(fast.failures).hasSize(1);
    assertThat(fast.source.failure()).isNotNull();
    fast.relay.close();
    assertThat(fast.source.held()).isZero();
    assertThat(thrice.closes).isEqualTo(1);
    assertThat(thrice.isFinished).isFalse();
  }

  /** Every byte three times, in three buffers, then "end"; does not understand 255. */
  private static final class Thrice implements ByteTransform {
    private int inputs;
    private int largestInput;
    private int closes;
    private boolean isFinished;

    static byte[] of(byte[] body) {
      ByteBuffer expected = ByteBuffer.allocate(3 * body.length + 3);
      for (byte b : body) {
        expected.put(b).put(b).put(b);
      }
      return expected.put(END.getBytes(US_ASCII)).array();
    }

    @Override
    public void accept(ByteBuffer input, ByteSink out) throws IOException {
      inputs++;
      int size = input.remaining();
      largestInput = Math.max(largestInput, size);
      if (input.get(input.position()) == (byte) 255) {
        throw new IOException("not what it understands");
      }
      ByteBuffer output = ByteBuffer.allocate(3 * size);
      while (input.hasRemaining()) {
        byte b = input.get();
        output.put(b).put(b).put(b);
      }
      for (int i = 0; i < 3; i++) {
        out.put(output.slice(i * size, size));
      }
    }

    @Override
    public void finish(ByteSink out) throws IOException {
      isFinished = true;
      out.put(ByteBuffer.wrap(END.getBytes(US_ASCII)));
    }

    @Override
    public void close() {
      closes++;
    }
  }
}
