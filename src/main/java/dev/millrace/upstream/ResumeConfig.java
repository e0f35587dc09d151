package dev.millrace.upstream;

import java.time.Duration;

/**
 * How often and for how long an origin is asked again: before it has answered, and for the rest of
 * a body that it cut.
 *
 * @param enabled whether a cut body is taken up again at all
 * @param attempts in a row without a good byte before the body is given up; retries before headers
 * @param delay before the second attempt and each further one, the first is made at once; at most
 *     this long before a retry ahead of the headers, which are made sooner
 * @param budget time that attempts in a row may take together, up to their first good byte
 */
public record ResumeConfig(boolean enabled, int attempts, Duration delay, Duration budget) {
  public static ResumeConfig defaults() {
    return new ResumeConfig(true, 2, Duration.ofSeconds(1), Duration.ofSeconds(30));
  }

  ResumeConfig withAttempts(int other) {
    return new ResumeConfig(enabled, other, delay, budget);
  }
}
