package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.junit.jupiter.api.Test;

class JettyStreamMemoryTest {
  private final ArrayByteBufferPool.Tracking buffers = new ArrayByteBufferPool.Tracking();
  private final JettyStreamMemory memory = new JettyStreamMemory(buffers);

  @Test
  void keepsBytes_whenTheirBufferIsUsedAgain() {
    ByteBuffer read = ByteBuffer.wrap(new byte[] {1, 2, 3});
    Stream.Data kept = keep(new DataFrame(1, read.duplicate(), true, 5));
    read.put(0, (byte) 9);

    assertThat(kept.frame().getByteBuffer()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThat(kept.frame().isEndStream()).isTrue();
    assertThat(kept.frame().flowControlLength()).isEqualTo(8);
  }

  @Test
  void pinsAFewBlocks_howeverSmallTheFramesAre() {
    for (int i = 0; i < 4000; i++) {
      keep(frame(16));
    }

    assertThat(buffers.getLeaks()).hasSize(2); // 64,000 bytes in blocks of 32 KiB
    assertThat(memory.isFull()).isFalse();
  }

  @Test
  void isFull_atFourThousandFrames() {
    for (int i = 0; i < 4095; i++) {
      keep(frame(1));
    }
    assertThat(memory.isFull()).isFalse();

    keep(frame(1));

    assertThat(memory.isFull()).isTrue();
  }

  @Test
  void pinsNothing_onceEverythingIsRead() {
    List<Stream.Data> kept = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      kept.add(keep(frame(10_000)));
    }
    assertThat(buffers.getLeaks()).hasSize(7);

    kept.forEach(Stream.Data::release);

    assertThat(buffers.getLeaks()).isEmpty();
  }

  @Test
  void pinsNothing_whenNobodyKeepsAFrame() {
    memory.copy(frame(100));
    memory.passedOn();

    assertThat(buffers.getLeaks()).isEmpty();
  }

  @Test
  void keepsBytesOfAFrameBeingPassedOn_whenTheOneBeforeIsRead() {
    Stream.Data before = keep(frame(1));
    Stream.Data passing = memory.copy(frame(1));

    before.release();
    RetainableByteBuffer another = buffers.acquire(JettyStreamMemory.BLOCK_BYTES, true);
    passing.retain();
    memory.passedOn();

    another.release();
    assertThat(buffers.getLeaks()).hasSize(1);
    passing.release();
    assertThat(buffers.getLeaks()).isEmpty();
  }

  private Stream.Data keep(DataFrame frame) {
    Stream.Data data = memory.copy(frame);
    data.retain();
    memory.passedOn();
    return data;
  }

  private static DataFrame frame(int size) {
    return new DataFrame(1, ByteBuffer.allocate(size), false);
  }
}
