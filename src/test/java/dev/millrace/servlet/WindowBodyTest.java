package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.ScriptedSource;
import dev.millrace.upstream.UpstreamException;
import java.io.IOException;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

class WindowBodyTest {
  private final ScriptedSource source =
      new ScriptedSource().add("0123").add("4567").add("89").end();

  private static String text(Content.Source body) throws IOException {
    StringBuilder text = new StringBuilder();
    while (true) {
      Content.Chunk chunk = body.read();
      if (Content.Chunk.isFailure(chunk)) {
        throw new IOException(chunk.getFailure());
      }
      text.append(ISO_8859_1.decode(chunk.getByteBuffer().slice()));
      chunk.release();
      if (chunk.isLast()) {
        return text.toString();
      }
    }
  }

  @Test
  void givesEveryWindow() throws IOException {
    for (int from = 0; from < 10; from++) {
      for (int length = 1; length <= 10 - from; length++) {
        ScriptedSource body = new ScriptedSource().add("0123").add("4567").add("89").end();
        assertThat(text(WindowBody.exactly(body, from, length)))
            .isEqualTo("0123456789".substring(from, from + length));
        assertThat(body.held()).isZero();
      }
    }
  }

  @Test
  void failsTheSource_behindTheWindow() throws IOException {
    assertThat(text(WindowBody.exactly(source, 1, 3))).isEqualTo("123");
    assertThat(source.failure()).isNotNull();
  }

  @Test
  void fails_whenTheBodyIsShorter() {
    assertThatThrownBy(() -> text(WindowBody.exactly(source, 5, 6)))
        .hasCauseInstanceOf(UpstreamException.class);
  }

  @Test
  void givesWhatThereIs_whereThatWillDo() throws IOException {
    assertThat(text(WindowBody.upTo(source, 5, 6))).isEqualTo("56789");
    assertThat(source.held()).isZero();
  }

  @Test
  void passesFailuresOn() {
    source.fail(new IOException("cut"));
    assertThatThrownBy(() -> text(WindowBody.exactly(source, 0, 6))).hasRootCauseMessage("cut");
  }
}
