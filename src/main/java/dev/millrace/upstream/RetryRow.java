package dev.millrace.upstream;

import java.time.Duration;
import java.util.Optional;

/**
 * How soon a body is asked for again, and when it is given up: the attempts in a row since its last
 * good byte. Confined to its caller's lock.
 *
 * <p>The first attempt is made at once. How long the others wait depends on how far the answers in
 * between got: an origin that gives a few bytes at a time is not asked again and again at once.
 */
final class RetryRow {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final int maxAttempts;
  private final Duration delay;
  private final Duration longestWait;
  private final Duration budget;
  private int made;
  private int level;
  private long startNanos;

  private RetryRow(int maxAttempts, Duration delay, Duration longestWait, Duration budget) {
    this.maxAttempts = maxAttempts;
    this.delay = delay;
    this.longestWait = longestWait;
    this.budget = budget;
  }

  /** So many attempts, after the first one {@code delay} apart. */
  static RetryRow ofCuts(ResumeConfig limits) {
    return new RetryRow(limits.attempts(), limits.delay(), limits.delay(), limits.budget());
  }

  /** Any number of attempts, after the first two twice as far apart each time, up to 10 s. */
  static RetryRow ofLive(ResumeConfig limits) {
    Duration third = limits.budget().dividedBy(3);
    Duration longest = third.compareTo(LONGEST_WAIT) < 0 ? third : LONGEST_WAIT;
    return new RetryRow(Integer.MAX_VALUE, limits.delay(), longest, limits.budget());
  }

  /**
   * Counts one more attempt.
   *
   * @param retryAfter what the origin asks for
   * @return how long to wait before it; absent: it would be one too many, or too late
   */
  Optional<Duration> next(long nowNanos, Optional<Duration> retryAfter) {
    if (made == 0) {
      startNanos = nowNanos;
    }
    Duration asked = retryAfter.orElse(Duration.ZERO);
    Duration wait = asked.compareTo(backOff()) > 0 ? asked : backOff();
    if (made >= maxAttempts || wait.toNanos() > leftNanos(nowNanos)) {
      return Optional.empty();
    }
    made++;
    level++;
    return Optional.of(wait);
  }

  private Duration backOff() {
    if (level == 0) {
      return Duration.ZERO;
    }
    Duration doubled = delay;
    for (int i = 1; i < level && doubled.compareTo(longestWait) < 0; i++) {
      doubled = doubled.multipliedBy(2);
    }
    return doubled.compareTo(longestWait) < 0 ? doubled : longestWait;
  }

  /** A good byte ends the row. */
  void good(boolean isSettled) {
    made = 0;
    level = isSettled ? 0 : level;
  }

  /** Whether attempts were made since the last good byte. */
  boolean isRunning() {
    return made > 0;
  }

  int made() {
    return made;
  }

  /** What is left of the budget of the row that runs; may be negative. */
  long leftNanos(long nowNanos) {
    return budget.toNanos() - (nowNanos - startNanos);
  }
}
