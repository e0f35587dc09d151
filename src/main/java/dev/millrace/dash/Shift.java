package dev.millrace.dash;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;

/**
 * What puts media on the one clock that HLS has: the start of its period less its presentation time
 * offset (ISO/IEC 23009-1 §5.3.9.6), in seconds as a fraction in lowest terms, so that no clock
 * loses a tick.
 *
 * @param units may be negative; never 0
 * @param timescale positive; at most {@link #MAX_TIMESCALE}, or that of the media if it is greater
 */
public record Shift(long units, long timescale) {
  /** What would need more is rounded to it. */
  static final long MAX_TIMESCALE = 10_000_000;

  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

  /** Of a representation in a period; empty if it is zero. */
  static Optional<Shift> of(Period period, Addressing addressing) {
    BigInteger scale = BigInteger.valueOf(addressing.timescale());
    BigInteger start = nanos(period.start()).multiply(scale);
    BigInteger offset = BigInteger.valueOf(addressing.presentationTimeOffset()).multiply(NANOS);
    BigInteger units = start.subtract(offset);
    BigInteger timescale = scale.multiply(NANOS);
    if (units.signum() == 0) {
      return Optional.empty();
    }
    BigInteger divisor = units.gcd(timescale);
    BigInteger reduced = timescale.divide(divisor);
    BigInteger limit = scale.max(BigInteger.valueOf(MAX_TIMESCALE));
    if (reduced.compareTo(limit) <= 0) {
      return of(units.divide(divisor), reduced);
    }
    BigDecimal inLimit = new BigDecimal(units.multiply(limit));
    return of(
        inLimit.divide(new BigDecimal(timescale), 0, RoundingMode.HALF_UP).toBigInteger(), limit);
  }

  /** Saturated: times beyond what a long holds are nobody's. */
  private static Optional<Shift> of(BigInteger units, BigInteger timescale) {
    BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
    long within = units.min(most).max(most.negate()).longValue();
    return within == 0 ? Optional.empty() : Optional.of(new Shift(within, timescale.longValue()));
  }

  private static BigInteger nanos(Duration duration) {
    return BigInteger.valueOf(duration.toSeconds())
        .multiply(NANOS)
        .add(BigInteger.valueOf(duration.toNanosPart()));
  }

  /** As the parameter {@code shift} of links says it: {@code units/timescale}. */
  @Override
  public String toString() {
    return units + "/" + timescale;
  }
}
