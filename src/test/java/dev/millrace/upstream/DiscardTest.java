package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ScriptedSource;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DiscardTest {
  private static final int LIMIT = 16 << 10;

  private final ScriptedSource body = new ScriptedSource();

  @Test
  void readsAShortBodyToItsEnd() {
    body.add(new byte[LIMIT], false).end();

    Discard.of(body);

    assertThat(body.isEnded()).isTrue();
    assertThat(body.failure()).isNull();
    assertThat(body.held()).isZero();
  }

  @Test
  void failsALongBody() {
    body.add(new byte[LIMIT], false).add(new byte[1], false).add(new byte[1], false);

    Discard.of(body);

    assertThat(body.failure()).isInstanceOf(IOException.class);
    assertThat(body.held()).isZero();
  }

  @Test
  void acceptsALongLastChunk_whichIsHereAnyway() {
    body.add(new byte[LIMIT + 1], true);

    Discard.of(body);

    assertThat(body.failure()).isNull();
    assertThat(body.held()).isZero();
  }

  @Test
  void goesOn_whenMoreComes() {
    Discard.of(body);
    assertThat(body.isDemanded()).isTrue();

    body.add("a").add("b").end();

    assertThat(body.isEnded()).isTrue();
    assertThat(body.held()).isZero();
  }

  @Test
  void stops_whenTheBodyFails() {
    Discard.of(body);

    body.fail(new IOException("cut"));

    assertThat(body.isDemanded()).isFalse();
  }
}
