package dev.millrace.dash;

import java.time.Duration;

/** Times of media in nanoseconds, from the beginning of the presentation on. */
final class MediaTime {
  static final long NANOS_PER_SECOND = 1_000_000_000;

  /** A longer time counts as this: 80 years, of which a long holds the sum of three. */
  static final long MAX_SECONDS = 80L * 365 * 24 * 3600;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private MediaTime() {}

  /**
   * Rounded down.
   *
   * @param units may be negative
   * @param timescale positive; exact up to 2^33, more than an MPD can say
   */
  static long nanos(long units, long timescale) {
    long seconds = Math.floorDiv(units, timescale);
    if (seconds >= MAX_SECONDS || seconds < -MAX_SECONDS) {
      return Long.signum(seconds) * MAX_SECONDS * NANOS_PER_SECOND;
    }
    long rest = Math.floorMod(units, timescale);
    long nanos =
        timescale <= 1L << 33
            ? rest * NANOS_PER_SECOND / timescale
            : (long) ((double) rest / timescale * NANOS_PER_SECOND);
    return seconds * NANOS_PER_SECOND + nanos;
  }

  static long nanos(Duration duration) {
    long seconds = Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, duration.toSeconds()));
    return seconds * NANOS_PER_SECOND + duration.toNanosPart();
  }

  /** Rounded to the nearest. */
  static long millis(long nanos) {
    return Math.floorDiv(nanos + NANOS_PER_MILLI / 2, NANOS_PER_MILLI);
  }

  /** When a period is over; {@link Long#MAX_VALUE}: that is not known. */
  static long end(Period period) {
    return period
        .duration()
        .map(duration -> nanos(period.start()) + nanos(duration))
        .orElse(Long.MAX_VALUE);
  }
}
