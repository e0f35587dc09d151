package dev.millrace.hls;

/**
 * Seconds as the standard writes them (RFC 8216 §4.2, decimal-floating-point), in whole
 * nanoseconds, so that sums are exact.
 */
final class DecimalSeconds {
  /** More than can be told: a text that is no such number. */
  static final long NONE = -1;

  /** Longest duration, in nanoseconds: 1e9 s. Longer ones count as that. */
  static final long MAX_NANOS = 1_000_000_000_000_000_000L;

  private static final int MAX_CHARACTERS = 40;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private DecimalSeconds() {}

  /**
   * Reads digits with at most one point among them, and at least one digit. Digits after the ninth
   * of the fraction are left out.
   *
   * @return 0 to {@link #MAX_NANOS}, or {@link #NONE}
   */
  static long nanos(String text) {
    int point = text.indexOf('.');
    String whole = point < 0 ? text : text.substring(0, point);
    String fraction = point < 0 ? "" : text.substring(point + 1);
    boolean isNumber = text.length() <= MAX_CHARACTERS && !(whole + fraction).isEmpty();
    if (!isNumber || !isDigits(whole) || !isDigits(fraction)) {
      return NONE;
    }
    long seconds = 0;
    for (int i = 0; i < whole.length(); i++) {
      seconds = Math.min(NANOS_PER_SECOND, 10 * seconds + (whole.charAt(i) - '0'));
    }
    long nanos = 0;
    for (int i = 0; i < 9; i++) {
      nanos = 10 * nanos + (i < fraction.length() ? fraction.charAt(i) - '0' : 0);
    }
    return Math.min(MAX_NANOS, seconds * NANOS_PER_SECOND + nanos);
  }

  private static boolean isDigits(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The sum; at most the greatest number. */
  static long plus(long nanos, long more) {
    return Math.min(nanos, Long.MAX_VALUE - more) + more;
  }
}
