package dev.millrace.servlet;

import dev.millrace.cenc.CencDecryptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.Retainable;
import org.jspecify.annotations.Nullable;

/**
 * A body that becomes clear while it is read: one chunk of it is held, and what the decryptor
 * holds, which is reserved as it grows. Nothing is given away before the first fragment can be
 * decrypted, or 64 KiB have come of what stands before it, so that a missing key is known until
 * then. Read by one caller at a time; failed from any thread.
 */
final class DecryptedBody implements Content.Source {
  /** What is held back at most while there is no fragment. */
  static final int MAX_BEGINNING_BYTES = 64 << 10;

  private final Content.Source source;
  private final CencDecryptor decryptor;
  private final TextHold memory;
  private final int alreadyReservedBytes;
  private final Queue<Content.Chunk> clear = new ArrayDeque<>();
  private long clearBytes;
  private boolean hasBegun;
  private boolean isClosed;

  /** What comes behind what is clear. */
  private Content.@Nullable Chunk next;

  private Content.@Nullable Chunk end;

  /**
   * @param decryptor closed by this body
   * @param memory what is reserved there, whoever has it gives back
   * @param alreadyReservedBytes what others have reserved there
   */
  DecryptedBody(
      Content.Source source, CencDecryptor decryptor, TextHold memory, int alreadyReservedBytes) {
    this.source = source;
    this.decryptor = decryptor;
    this.memory = memory;
    this.alreadyReservedBytes = alreadyReservedBytes;
  }

  @Override
  public synchronized Content.@Nullable Chunk read() {
    while (end == null) {
      if (hasBegun && !clear.isEmpty()) {
        return clear.remove();
      }
      if (next != null) {
        end = next;
        close();
        return end;
      }
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        return null;
      }
      take(chunk);
    }
    return end;
  }

  /** What became clear before a failure is given away, if that has begun. */
  private void take(Content.Chunk chunk) {
    if (Content.Chunk.isFailure(chunk)) {
      next = chunk;
      return;
    }
    try {
      decrypt(chunk);
    } catch (IOException | RuntimeException e) {
      next = Content.Chunk.from(FilterException.of(e));
      source.fail(next.getFailure());
    } finally {
      chunk.release();
    }
  }

  private void decrypt(Content.Chunk chunk) throws IOException {
    ByteBuffer input = chunk.getByteBuffer();
    while (input.hasRemaining()) {
      int length = Math.min(input.remaining(), MAX_BEGINNING_BYTES);
      ByteBuffer slice = input.slice(input.position(), length);
      input.position(input.position() + length);
      decryptor.accept(slice, output -> add(output, chunk));
      reserve();
    }
    if (chunk.isLast()) {
      decryptor.finish(output -> add(output, Retainable.NON_RETAINABLE));
      next = Content.Chunk.EOF;
    }
    hasBegun =
        chunk.isLast()
            || decryptor.tally().fragments() > 0
            || clearBytes >= MAX_BEGINNING_BYTES
            || hasBegun;
  }

  private void reserve() throws IOException {
    long held = alreadyReservedBytes + decryptor.heldBytes();
    memory.reserve((int) Math.min(Integer.MAX_VALUE, held));
  }

  /** It may be a piece of the input, which then stays until it is written. */
  private void add(ByteBuffer output, Retainable input) {
    if (!output.hasRemaining()) {
      return;
    }
    clearBytes += output.remaining();
    if (input.canRetain()) {
      input.retain();
      clear.add(Content.Chunk.asChunk(output, false, input));
    } else {
      clear.add(Content.Chunk.from(output, false));
    }
  }

  private void close() {
    if (!isClosed) {
      isClosed = true;
      decryptor.close();
      clear.forEach(Content.Chunk::release);
      clear.clear();
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    boolean isReadable;
    synchronized (this) {
      isReadable = end != null || next != null || (hasBegun && !clear.isEmpty());
    }
    if (isReadable) {
      demandCallback.run();
    } else {
      source.demand(demandCallback);
    }
  }

  @Override
  public void fail(Throwable failure) {
    synchronized (this) {
      if (end == null) {
        end = Content.Chunk.from(failure);
      }
      close();
    }
    source.fail(failure);
  }
}
