package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hls.PlaylistRewriter;
import dev.millrace.hls.PlaylistText;
import dev.millrace.stream.ByteBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;

class PlaylistBodyTest {
  /** Written from the link that goes beyond it on, a piece is at an end. */
  private static final int ENOUGH_BYTES = PlaylistBody.PIECE_BYTES - (4 << 10);

  private static PlaylistRewriter rewriter(String text) {
    return new PlaylistRewriter(
        PlaylistText.of(text),
        "http://h/",
        Map.of(),
        List.of(),
        (kind, uri, carried, out) -> out.append("http://p/?d=").append(uri));
  }

  private static String segments(int count) {
    return "#EXTM3U\n" + "#EXTINF:6.0,\nsegment-of-some-length.ts\n".repeat(count);
  }

  private static byte[] bytes(Content.Chunk chunk) {
    byte[] bytes = new byte[chunk.remaining()];
    chunk.getByteBuffer().get(bytes);
    return bytes;
  }

  @Test
  void manyPiecesAreTheWholeOutput() {
    String text = segments(20_000);
    ByteBuilder expected = new ByteBuilder(2 << 20);
    rewriter(text).write(expected, Integer.MAX_VALUE / 2);
    PlaylistBody body = PlaylistBody.of(rewriter(text)::write, () -> {});
    ByteBuilder read = new ByteBuilder(2 << 20);
    Content.Chunk chunk = body.read();
    while (!chunk.isLast()) {
      assertThat(chunk.remaining()).isBetween(ENOUGH_BYTES, PlaylistBody.PIECE_BYTES);
      read.append(bytes(chunk));
      chunk.release();
      chunk = body.read();
    }
    read.append(bytes(chunk));
    assertThat(read.length()).isGreaterThan(1 << 20);
    assertThat(read.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(body.read().isLast()).isTrue();
  }

  @Test
  void usesItsBufferAgain_onceAPieceIsReleased() {
    PlaylistBody body = PlaylistBody.of(rewriter(segments(5_000))::write, () -> {});
    Content.Chunk first = body.read();
    ByteBuffer seen = first.getByteBuffer().duplicate();
    first.release();
    Content.Chunk second = body.read();
    assertThat(seen.slice(0, 1_000)).isEqualTo(second.getByteBuffer().slice(0, 1_000));
    ByteBuffer kept = second.getByteBuffer().duplicate();
    byte[] before = new byte[1_000];
    kept.get(kept.position(), before);
    Content.Chunk third = body.read(); // the second is still being written
    assertThat(kept.slice(0, 1_000)).isEqualTo(ByteBuffer.wrap(before));
    second.release();
    third.release();
  }

  @Test
  void lengthIsKnown_upToWhatOnePieceHolds() {
    String full = "#EXTM3U\n" + "#" + "x".repeat(ENOUGH_BYTES - 10) + "\n";
    assertThat(PlaylistBody.of(rewriter(full)::write, () -> {}).length()).hasValue(ENOUGH_BYTES);
    assertThat(PlaylistBody.of(rewriter(full + "#")::write, () -> {}).length()).isEmpty();
  }

  @Test
  void failsAsItWasFailed() {
    PlaylistBody body = PlaylistBody.of(rewriter(segments(5_000))::write, () -> {});
    IOException failure = new IOException("gone");
    body.fail(failure);
    assertThat(body.read().getFailure()).isSameAs(failure);
  }
}
