package dev.millrace.cenc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.MediaFormatException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What is held has a length, and a number of pieces. */
final class HeldBytesTest {
  @Test
  void limitsBoxes() throws MediaFormatException {
    HeldBytes held = new HeldBytes(1 << 20);
    for (int box = 0; box < HeldBytes.MAX_PARTS; box++) {
      held.payload(box, box + 1, ByteBuffer.allocate(1));
    }
    held.payload(0, HeldBytes.MAX_PARTS, ByteBuffer.allocate(1)); // of the same box
    assertThatThrownBy(() -> held.payload(0, 1L << 40, ByteBuffer.allocate(1)))
        .isInstanceOf(MediaFormatException.class)
        .hasMessageContaining("4096 boxes");
  }

  @Test
  void limitsBytes() throws MediaFormatException {
    HeldBytes held = new HeldBytes(10);
    held.ready(ByteBuffer.allocate(10));
    assertThatThrownBy(() -> held.ready(ByteBuffer.allocate(1)))
        .isInstanceOf(MediaFormatException.class);
    assertThat(held.room()).isEqualTo(10);
  }
}
