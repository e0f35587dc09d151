package dev.millrace.servlet;

import dev.millrace.dash.AdaptationSet;
import dev.millrace.dash.Addressing;
import dev.millrace.dash.Mpd;
import dev.millrace.dash.SegmentPlan;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** How old an MPD may be when it is given to somebody else (ISO/IEC 23009-1 §5.4). */
final class MpdAge {
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST_ANY_TIME = Duration.ofSeconds(5);

  private MpdAge() {}

  /**
   * A static one: a minute. A dynamic one as long as it says, from a second to a minute; if it may
   * change at any time, or does not say, half of a segment, at most five seconds.
   */
  static Duration mostFor(Mpd mpd) {
    if (!mpd.isDynamic()) {
      return MOST;
    }
    Optional<Duration> period = mpd.minimumUpdatePeriod().filter(said -> !said.isZero());
    if (period.isPresent()) {
      return least(MOST, greatest(LEAST, period.get()));
    }
    Duration segment = mpd.maxSegmentDuration().orElseGet(() -> firstSegment(mpd));
    return least(MOST_ANY_TIME, segment.dividedBy(2));
  }

  private static Duration firstSegment(Mpd mpd) {
    return mpd.periods().stream()
        .flatMap(period -> period.adaptationSets().stream())
        .filter(AdaptationSet::isPlayed)
        .flatMap(set -> set.representations().stream())
        .flatMap(representation -> nominal(representation.addressing()))
        .findFirst()
        .orElse(LEAST);
  }

  private static Stream<Duration> nominal(Addressing addressing) {
    return SegmentPlan.nominalDuration(addressing).stream()
        .mapToObj(units -> Duration.ofMillis(units * 1_000 / addressing.timescale()));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration greatest(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
