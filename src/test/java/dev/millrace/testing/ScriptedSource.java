package dev.millrace.testing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * A body that says what the test says, when the test says it. Bytes of a chunk that was released
 * are overwritten, so that whoever uses them too late writes nonsense. Safe from any thread; a
 * demand is answered on the thread that adds or fails.
 */
public final class ScriptedSource implements Content.Source {
  private final Queue<Content.Chunk> chunks = new ArrayDeque<>();
  private final AtomicInteger held = new AtomicInteger();
  private @Nullable Runnable demand;
  private @Nullable Throwable failure;
  private boolean isEnded;

  /** A whole body in these chunks. */
  public static ScriptedSource of(byte[]... parts) {
    ScriptedSource source = new ScriptedSource();
    for (byte[] part : parts) {
      source.add(part, false);
    }
    return source.end();
  }

  public ScriptedSource add(String text) {
    return add(text.getBytes(StandardCharsets.ISO_8859_1), false);
  }

  public ScriptedSource addLast(String text) {
    return add(text.getBytes(StandardCharsets.ISO_8859_1), true);
  }

  /** A last chunk without bytes. */
  public ScriptedSource end() {
    return offer(Content.Chunk.EOF);
  }

  public ScriptedSource add(byte[] bytes, boolean isLast) {
    held.incrementAndGet();
    ByteBuffer copy = ByteBuffer.wrap(bytes.clone());
    return offer(
        Content.Chunk.from(
            copy,
            isLast,
            () -> {
              Arrays.fill(copy.array(), (byte) '!');
              held.decrementAndGet();
            }));
  }

  private ScriptedSource offer(Content.Chunk chunk) {
    Runnable waiting;
    synchronized (this) {
      chunks.add(chunk);
      waiting = demand;
      demand = null;
    }
    if (waiting != null) {
      waiting.run();
    }
    return this;
  }

  @Override
  public Content.@Nullable Chunk read() {
    synchronized (this) {
      if (failure != null) {
        return Content.Chunk.from(failure);
      }
      Content.Chunk chunk = isEnded ? Content.Chunk.EOF : chunks.poll();
      isEnded |= chunk != null && chunk.isLast();
      return chunk;
    }
  }

  @Override
  public void demand(Runnable demandCallback) {
    synchronized (this) {
      if (demand != null) {
        throw new IllegalStateException("demanded twice");
      }
      if (failure == null && !isEnded && chunks.isEmpty()) {
        demand = demandCallback;
        return;
      }
    }
    demandCallback.run();
  }

  @Override
  public void fail(Throwable cause) {
    Runnable waiting;
    synchronized (this) {
      if (failure != null || isEnded) {
        return;
      }
      failure = cause;
      chunks.forEach(Content.Chunk::release);
      chunks.clear();
      waiting = demand;
      demand = null;
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  /** What it was failed with; null if it was not. */
  public synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Whether the last chunk was read. */
  public synchronized boolean isEnded() {
    return isEnded;
  }

  public synchronized boolean isDemanded() {
    return demand != null;
  }

  /** Chunks with bytes that were added and not released. */
  public int held() {
    return held.get();
  }
}
