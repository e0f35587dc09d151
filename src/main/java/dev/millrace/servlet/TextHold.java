package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MemoryBudget;

/**
 * Heap memory of one exchange: reserved as a text grows, given back at once. Nothing is reserved
 * any more once that has happened. Any thread.
 */
final class TextHold implements AutoCloseable {
  private static final int STEP_BYTES = 64 << 10;

  private final MemoryBudget budget;
  private long reservedBytes;
  private boolean isClosed;

  TextHold(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Sees that at least so many bytes are reserved, in steps of 64 KiB.
   *
   * @throws ExchangeException (503) if there are not so many left
   */
  synchronized void reserve(int bytes) throws ExchangeException {
    if (!isClosed && bytes > reservedBytes) {
      long steps = (bytes - reservedBytes + STEP_BYTES - 1) / STEP_BYTES;
      budget.reserve(steps * STEP_BYTES);
      reservedBytes += steps * STEP_BYTES;
    }
  }

  /** Idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    budget.release(reservedBytes);
    reservedBytes = 0;
  }
}
