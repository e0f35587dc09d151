package dev.millrace.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ByteBuilderTest {
  @Test
  void growsWithWhatIsAppended() {
    ByteBuilder built = new ByteBuilder(0);
    for (int i = 0; i < 1_000; i++) {
      built.append((byte) 'a').append("bc".getBytes(UTF_8)).append("xyz".getBytes(UTF_8), 1, 1);
    }

    assertThat(built.length()).isEqualTo(4_000);
    assertThat(built.toString()).startsWith("abcyabcy");
    assertThat(built.at(3_999)).isEqualTo((byte) 'y');
  }

  @Test
  void leavesTheBufferItReadsAsItWas() {
    ByteBuffer source = ByteBuffer.wrap("0123".getBytes(UTF_8)).position(1);

    assertThat(new ByteBuilder(1).append(source).toString()).isEqualTo("123");
    assertThat(source.remaining()).isEqualTo(3);
  }

  @Test
  void forgetsWhatIsCutOff_andKeepsItsArray() {
    ByteBuilder built = new ByteBuilder(64).append("keep").append("lose");
    byte[] array = built.array();

    assertThat(built.truncate(4).append(new ByteBuilder(1).append("é")).toString())
        .isEqualTo("keepé");
    assertThat(built.array()).isSameAs(array);
    assertThat(built.clear().toByteArray()).isEmpty();
  }
}
