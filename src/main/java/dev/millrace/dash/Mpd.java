package dev.millrace.dash;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A media presentation description (ISO/IEC 23009-1 §5.3.1), all inheritance resolved, all
 * addresses absolute.
 *
 * @param isDynamic {@code @type="dynamic"}: it changes, and is read against the clock
 * @param duration {@code @mediaPresentationDuration}
 * @param minimumUpdatePeriod zero: any time; absent: it will not change
 * @param timeShiftBufferDepth absent: all of it
 * @param locations where it is to be asked for next ({@code Location}); may be empty
 * @param utcTimings in their order
 * @param periods in their order; starts rise
 */
public record Mpd(
    boolean isDynamic,
    Optional<Instant> availabilityStartTime,
    Optional<Instant> publishTime,
    Optional<Duration> duration,
    Optional<Duration> minimumUpdatePeriod,
    Optional<Duration> timeShiftBufferDepth,
    Optional<Duration> maxSegmentDuration,
    Optional<Duration> suggestedPresentationDelay,
    List<String> locations,
    Optional<String> patchLocation,
    List<UtcTiming> utcTimings,
    List<Period> periods) {
  public Mpd {
    locations = List.copyOf(locations);
    utcTimings = List.copyOf(utcTimings);
    periods = List.copyOf(periods);
  }

  /** How to learn the time (§5.8.4.11). */
  public record UtcTiming(String schemeIdUri, String value) {}

  /** Whether any representation that is played is protected. */
  public boolean isProtected() {
    return periods.stream()
        .flatMap(period -> period.adaptationSets().stream())
        .filter(AdaptationSet::isPlayed)
        .flatMap(set -> set.representations().stream())
        .anyMatch(representation -> !representation.protections().isEmpty());
  }
}
