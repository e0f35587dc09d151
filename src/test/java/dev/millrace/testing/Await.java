package dev.millrace.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition instead of for a time. */
public final class Await {
  private static final long POLL_NANOS = 2_000_000;

  private Await() {}

  /**
   * Returns as soon as {@code condition} holds; an {@link AssertionError} names it if it never
   * does.
   */
  public static void until(String what, Duration atMost, BooleanSupplier condition) {
    until(what, atMost, condition, () -> "");
  }

  /**
   * The same.
   *
   * @param evidence what else the error says
   */
  public static void until(
      String what, Duration atMost, BooleanSupplier condition, Supplier<String> evidence) {
    if (!holds(atMost, condition)) {
      throw new AssertionError(
          "not within " + atMost.toMillis() + " ms: " + what + "\n" + evidence.get());
    }
  }

  /**
   * Watches that {@code condition} goes on holding for so long; an {@link AssertionError} if not.
   */
  public static void stays(String what, Duration duration, BooleanSupplier condition) {
    if (holds(duration, () -> !condition.getAsBoolean())) {
      throw new AssertionError("no longer: " + what);
    }
  }

  /** Whether {@code condition} came to hold within {@code atMost}. */
  public static boolean holds(Duration atMost, BooleanSupplier condition) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
