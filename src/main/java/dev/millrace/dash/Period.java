package dev.millrace.dash;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A period (ISO/IEC 23009-1 §5.3.2).
 *
 * @param id {@code @id}; empty if it has none
 * @param start from the beginning of the presentation on, worked out if it is not said
 * @param duration worked out from the next one's start or the presentation's if it is not said;
 *     absent: it is still going on
 * @param adaptationSets in their order, those that cannot be played included
 */
public record Period(
    String id, Duration start, Optional<Duration> duration, List<AdaptationSet> adaptationSets) {
  public Period {
    adaptationSets = List.copyOf(adaptationSets);
  }
}
