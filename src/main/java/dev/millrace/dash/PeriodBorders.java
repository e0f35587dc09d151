package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where one period goes over into another such that players have to begin anew ({@code
 * EXT-X-DISCONTINUITY}). The answer is the same for all profiles of a presentation, because HLS
 * counts discontinuities over all renditions together (RFC 8216 §6.2.4).
 *
 * <p>A period goes on where the one before has ended if neither time is missing nor anything else
 * has changed: the same profiles of video and audio, each with the same initialization segment and
 * the same {@link Shift}.
 */
final class PeriodBorders {
  private static final Duration TOLERANCE = Duration.ofMillis(100);

  private PeriodBorders() {}

  /**
   * The starts of the periods at which there is a discontinuity, in nanoseconds, in their order.
   */
  static List<Long> of(Mpd mpd) {
    List<Long> borders = new ArrayList<>();
    Map<String, Clock> before = Map.of();
    for (int i = 0; i < mpd.periods().size(); i++) {
      Period period = mpd.periods().get(i);
      Map<String, Clock> clocks = clocks(period);
      boolean isContinued = i > 0 && isAdjacent(mpd.periods().get(i - 1), period);
      if (i > 0 && !(isContinued && clocks.equals(before) && isComplete(clocks))) {
        borders.add(MediaTime.nanos(period.start()));
      }
      before = clocks;
    }
    return borders;
  }

  private static boolean isAdjacent(Period before, Period period) {
    Optional<Duration> missing =
        before.duration().map(duration -> period.start().minus(before.start()).minus(duration));
    return missing.map(time -> time.abs().compareTo(TOLERANCE) <= 0).orElse(true);
  }

  /** Where segments initialize themselves, it cannot be known whether that is the same. */
  private static boolean isComplete(Map<String, Clock> clocks) {
    return !clocks.isEmpty()
        && clocks.values().stream().allMatch(clock -> clock.initialization().isPresent());
  }

  private static Map<String, Clock> clocks(Period period) {
    Map<String, Clock> clocks = new HashMap<>();
    for (Profile.InPeriod member : Profile.played(period)) {
      if (member.set().kind() != Kind.TEXT) {
        Representation representation = member.representation();
        Addressing addressing = representation.addressing();
        clocks.putIfAbsent(
            representation.profileId(),
            new Clock(
                InitializationPart.of(addressing, List.of()),
                addressing.timescale(),
                Shift.of(period, addressing)));
      }
    }
    return clocks;
  }

  private record Clock(
      Optional<Addressing.Part> initialization, long timescale, Optional<Shift> shift) {}
}
