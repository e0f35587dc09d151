package dev.millrace.stream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Byte permits shared by a whole process: reserving succeeds at once or not at all, so no selector
 * thread ever waits here.
 */
public final class MemoryBudget {
  private final long limitBytes;
  private final AtomicLong reservedBytes = new AtomicLong();

  /**
   * @param limitBytes how much may be reserved at a time, &gt; 0
   */
  public MemoryBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: > 0)");
    }
    this.limitBytes = limitBytes;
  }

  public long limitBytes() {
    return limitBytes;
  }

  public long reservedBytes() {
    return reservedBytes.get();
  }

  /**
   * Takes {@code sizeBytes} permits. Whoever takes them gives them back with {@link #release}.
   *
   * @throws OverBudgetException if fewer are left
   */
  public void reserve(long sizeBytes) throws OverBudgetException {
    long now = reservedBytes.addAndGet(sizeBytes);
    if (now > limitBytes) {
      reservedBytes.addAndGet(-sizeBytes);
      throw new OverBudgetException(
          "over_capacity", "All buffer memory of this server is in use; try again shortly.");
    }
  }

  /** Gives back what {@link #reserve} took. */
  public void release(long sizeBytes) {
    long now = reservedBytes.addAndGet(-sizeBytes);
    if (now < 0) {
      throw new IllegalStateException("released more than was reserved: " + now);
    }
  }
}
