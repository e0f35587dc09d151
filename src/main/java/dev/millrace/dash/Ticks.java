package dev.millrace.dash;

import java.math.BigInteger;
import java.time.Duration;

/**
 * Arithmetic of media times, in units of some timescale. What does not fit is the greatest or
 * smallest value there is, so that hostile numbers cannot wrap round.
 */
final class Ticks {
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger MIN = MAX.negate();

  private Ticks() {}

  static long plus(long a, long b) {
    long sum = a + b;
    boolean overflows = ((a ^ sum) & (b ^ sum)) < 0;
    return overflows ? greatest(a > 0) : sum;
  }

  static long minus(long a, long b) {
    long difference = a - b;
    boolean overflows = ((a ^ b) & (a ^ difference)) < 0;
    return overflows ? greatest(a > 0) : difference;
  }

  static long times(long a, long b) {
    long product = a * b;
    boolean fits = Math.multiplyHigh(a, b) == product >> 63;
    return fits ? product : greatest(a > 0 == b > 0);
  }

  /** A length of time, rounded down. */
  static long of(Duration duration, long timescale) {
    return scale(
        BigInteger.valueOf(duration.getSeconds())
            .multiply(NANOS)
            .add(BigInteger.valueOf(duration.getNano())),
        timescale,
        NANOS);
  }

  /** A length of time, rounded up. */
  static long ceiling(Duration duration, long timescale) {
    return -of(duration.negated(), timescale);
  }

  /** The same time in another timescale, rounded down. */
  static long convert(long ticks, long from, long to) {
    return from == to ? ticks : scale(BigInteger.valueOf(ticks), to, BigInteger.valueOf(from));
  }

  private static long scale(BigInteger value, long by, BigInteger divisor) {
    BigInteger[] parts = value.multiply(BigInteger.valueOf(by)).divideAndRemainder(divisor);
    BigInteger floor = parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    return floor.min(MAX).max(MIN).longValue();
  }

  private static long greatest(boolean isPositive) {
    return isPositive ? Long.MAX_VALUE : -Long.MAX_VALUE;
  }
}
