package dev.millrace.servlet;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MemoryBudget;
import java.time.Duration;

/**
 * Heap memory of one exchange: reserved as a text grows, given back at once. Nothing is reserved
 * any more once that has happened. What a text has beyond 1 MiB is taken from a budget of its own,
 * so that long ones cannot keep the usual ones out. Any thread.
 */
final class TextHold implements AutoCloseable {
  /** Nobody pauses in the middle of a text; who takes nothing for so long is cut off. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Up to here a text is a usual one. */
  static final int USUAL_BYTES = 1 << 20;

  private static final int STEP_BYTES = 64 << 10;

  private final MemoryBudget usual;
  private final MemoryBudget beyond;
  private long reservedBytes;
  private boolean isClosed;

  /**
   * @param usual for the first MiB of each text
   * @param beyond for the rest
   */
  TextHold(MemoryBudget usual, MemoryBudget beyond) {
    this.usual = usual;
    this.beyond = beyond;
  }

  /**
   * Sees that at least so many bytes are reserved, in steps of 64 KiB.
   *
   * @throws ExchangeException (503) if there are not so many left
   */
  synchronized void reserve(int bytes) throws ExchangeException {
    while (!isClosed && bytes > reservedBytes) {
      (reservedBytes < USUAL_BYTES ? usual : beyond).reserve(STEP_BYTES);
      reservedBytes += STEP_BYTES;
    }
  }

  /** Idempotent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    long ofUsual = Math.min(reservedBytes, USUAL_BYTES);
    usual.release(ofUsual);
    beyond.release(reservedBytes - ofUsual);
    reservedBytes = 0;
  }
}
