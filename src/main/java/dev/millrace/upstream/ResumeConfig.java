package dev.millrace.upstream;

import java.time.Duration;

/**
 * How a body goes on that its origin cut.
 *
 * @param enabled whether it does at all
 * @param attempts in a row without a good byte before the body is given up
 * @param delay before the second attempt and each further one; the first is made at once
 * @param budget time that attempts in a row may take together
 */
public record ResumeConfig(boolean enabled, int attempts, Duration delay, Duration budget) {
  public static ResumeConfig defaults() {
    return new ResumeConfig(true, 2, Duration.ofSeconds(1), Duration.ofSeconds(30));
  }
}
