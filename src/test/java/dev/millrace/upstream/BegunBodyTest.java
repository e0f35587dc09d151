package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ScriptedSource;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BegunBodyTest {
  private final ScriptedSource rest = new ScriptedSource();
  private final AtomicInteger demands = new AtomicInteger();

  private BegunBody begun() {
    return new BegunBody(rest.read(), rest);
  }

  @Test
  void givesTheFirstChunkThenTheRest() {
    rest.add("ab");
    BegunBody body = begun();
    body.demand(demands::incrementAndGet);
    rest.addLast("c");

    assertThat(demands).hasValue(1);
    assertThat(FetchFixture.readAll(body)).isEqualTo("abc");
    assertThat(rest.held()).isZero();
  }

  @Test
  void waitsForTheRest_onceTheFirstChunkIsRead() {
    rest.add("ab");
    BegunBody body = begun();
    assertThat(FetchFixture.readAll(body)).isEqualTo("ab");

    body.demand(demands::incrementAndGet);

    assertThat(demands).hasValue(0);
    assertThat(rest.isDemanded()).isTrue();
  }

  @Test
  void ends_whenTheFirstChunkWasAll() {
    rest.addLast("ab");
    BegunBody body = begun();

    assertThat(FetchFixture.readAll(body)).isEqualTo("ab");
    body.demand(demands::incrementAndGet);
    assertThat(demands).hasValue(1);
    assertThat(body.read().isLast()).isTrue();
  }

  @Test
  void releasesTheFirstChunk_whenFailed() {
    rest.add("ab");
    BegunBody body = begun();

    body.fail(new IOException("gone"));

    assertThat(rest.held()).isZero();
    assertThat(rest.failure()).isNotNull();
    assertThat(FetchFixture.failureOf(body)).hasMessage("gone");
  }
}
