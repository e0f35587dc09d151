package dev.millrace.servlet;

import dev.millrace.dash.Mpd;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.upstream.UpstreamHead;
import dev.millrace.upstream.UpstreamRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What time it is for a live presentation: by what it names itself ({@code UTCTiming}, ISO/IEC
 * 23009-1 §5.8.4.11), else by the {@code Date} of the origin's answer if that is clearly another
 * than ours, else by our clock. Learned again every ten minutes; what could not be learned, after
 * half a minute.
 */
final class PresentationClock {
  private static final Duration KEPT = Duration.ofMinutes(10);
  private static final Duration GUESS_KEPT = Duration.ofSeconds(30);

  /** {@code Date} has whole seconds, and has been on its way. */
  private static final Duration DATE_PRECISION = Duration.ofSeconds(2);

  private static final Duration MAX_AGE = Duration.ofDays(1);

  private final StreamServices services;
  private final KnownPresentations known;
  private final Clock clock;

  PresentationClock(StreamServices services, KnownPresentations known, Clock clock) {
    this.services = services;
    this.known = known;
    this.clock = clock;
  }

  /**
   * Finds the time, now or at most {@link TimeReading#PATIENCE} later, on any thread.
   *
   * @param asked the question for the MPD
   * @param head of its answer
   * @param parameters with which what is of the same origin is asked
   * @param hears is called once, unless it was cancelled before
   * @return cancels it
   */
  Runnable read(
      Mpd mpd,
      UpstreamRequest asked,
      UpstreamHead head,
      ProxyParameters parameters,
      Consumer<Instant> hears) {
    Optional<Duration> ahead = known.ahead(asked);
    if (ahead.isPresent()) {
      hears.accept(clock.instant().plus(ahead.get()));
      return () -> {};
    }
    TimeReading reading =
        new TimeReading(
            services,
            clock,
            head.target(),
            parameters,
            found -> {
              Duration learned = found.orElseGet(() -> byDate(head));
              known.learned(asked, learned, found.isPresent() ? KEPT : GUESS_KEPT);
              hears.accept(clock.instant().plus(learned));
            });
    reading.begin(mpd.utcTimings());
    return reading::cancel;
  }

  private Duration byDate(UpstreamHead head) {
    Optional<Instant> date = head.headers().first("Date").flatMap(TimeReading::httpDate);
    if (date.isEmpty()) {
      return Duration.ZERO;
    }
    Duration ahead = Duration.between(clock.instant(), date.get().plus(age(head)));
    return ahead.abs().compareTo(DATE_PRECISION) > 0 ? ahead : Duration.ZERO;
  }

  /** How long a cache on the way has had it (RFC 9111 §5.1). */
  private static Duration age(UpstreamHead head) {
    Duration age =
        head.headers()
            .first("Age")
            .map(String::strip)
            .filter(digits -> digits.matches("\\d{1,9}"))
            .map(digits -> Duration.ofSeconds(Long.parseLong(digits)))
            .orElse(Duration.ZERO);
    return age.compareTo(MAX_AGE) > 0 ? Duration.ZERO : age;
  }
}
