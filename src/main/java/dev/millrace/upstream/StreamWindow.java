package dev.millrace.upstream;

import dev.millrace.stream.MemoryBudget;
import dev.millrace.stream.OverBudgetException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What one HTTP/2 stream may hold of a body that is not read yet (RFC 9113 §5.2), reserved from the
 * buffer memory for as long as the exchange lasts or until it turns out to be HTTP/1.1, whose
 * unread bytes stay in the kernel.
 */
final class StreamWindow {
  /** What an origin may send before it is read. */
  static final int BYTES = 256 << 10;

  /** The window, and the blocks at its two ends that are partly used. */
  static final int RESERVED_BYTES = BYTES + 2 * JettyStreamMemory.BLOCK_BYTES;

  /** For HTTP/1.1. */
  static final StreamWindow NONE = new StreamWindow(null);

  private final @Nullable MemoryBudget memory;
  private final AtomicBoolean isReleased = new AtomicBoolean();

  private StreamWindow(@Nullable MemoryBudget memory) {
    this.memory = memory;
  }

  /** Whoever takes it gives it back with {@link #release}. */
  static StreamWindow reserve(MemoryBudget memory) throws OverBudgetException {
    memory.reserve(RESERVED_BYTES);
    return new StreamWindow(memory);
  }

  /** Idempotent; any thread. */
  void release() {
    if (memory != null && isReleased.compareAndSet(false, true)) {
      memory.release(RESERVED_BYTES);
    }
  }
}
