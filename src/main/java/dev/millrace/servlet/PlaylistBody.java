package dev.millrace.servlet;

import dev.millrace.stream.ByteBuilder;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A rewritten playlist, written piece by piece as it is taken, into one buffer: however long it
 * becomes, it takes no more memory. Read by one caller at a time; failed from any thread.
 */
final class PlaylistBody implements Content.Source {
  /** Of a piece, about. */
  static final int PIECE_BYTES = 32 << 10;

  /** The last link of a piece goes beyond. */
  private static final int ENOUGH_BYTES = PIECE_BYTES - (4 << 10);

  /** Writes a playlist. */
  @FunctionalInterface
  interface Writing {
    /**
     * Appends some of it.
     *
     * @param enoughBytes when so many stand there, it is enough
     * @return whether there is more
     */
    boolean write(ByteBuilder out, int enoughBytes);
  }

  private final Writing writing;
  private final Runnable atEnd;
  private ByteBuilder piece = new ByteBuilder(PIECE_BYTES);
  private boolean isTaken;
  private boolean hasMore;
  private boolean isFirst = true;
  private Content.@Nullable Chunk end;

  private PlaylistBody(Writing writing, Runnable atEnd) {
    this.writing = writing;
    this.atEnd = atEnd;
  }

  /**
   * With the first piece already written.
   *
   * @param atEnd is called once when all is written
   */
  static PlaylistBody of(Writing writing, Runnable atEnd) {
    PlaylistBody body = new PlaylistBody(writing, atEnd);
    body.writeNext();
    return body;
  }

  private void writeNext() {
    hasMore = writing.write(piece, ENOUGH_BYTES);
    if (!hasMore) {
      atEnd.run();
    }
  }

  /** In bytes, if the first piece is all. */
  OptionalLong length() {
    return hasMore ? OptionalLong.empty() : OptionalLong.of(piece.length());
  }

  @Override
  public synchronized Content.@Nullable Chunk read() {
    if (end != null) {
      return end;
    }
    if (!isFirst) {
      if (!hasMore) {
        end = Content.Chunk.EOF;
        return end;
      }
      writePiece();
    }
    isFirst = false;
    isTaken = true;
    ByteBuilder written = piece;
    ByteBuffer bytes = ByteBuffer.wrap(written.array(), 0, written.length()).asReadOnlyBuffer();
    Content.Chunk chunk = Content.Chunk.from(bytes, !hasMore, () -> release(written));
    if (!hasMore) {
      end = Content.Chunk.EOF;
    }
    return chunk;
  }

  /** Whoever still writes the last piece keeps it. */
  private void writePiece() {
    if (isTaken) {
      piece = new ByteBuilder(PIECE_BYTES);
    }
    try {
      piece.clear();
      writeNext();
    } catch (RuntimeException e) {
      hasMore = false;
      throw e;
    }
  }

  private synchronized void release(ByteBuilder written) {
    if (written == piece) {
      isTaken = false;
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    demandCallback.run();
  }

  @Override
  public synchronized void fail(Throwable failure) {
    if (end == null) {
      end = Content.Chunk.from(failure);
    }
  }
}
