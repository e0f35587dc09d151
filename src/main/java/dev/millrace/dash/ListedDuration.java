package dev.millrace.dash;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How long what is listed in a period lasts, for periods that do not say it themselves. */
final class ListedDuration {
  private static final List<String> KINDS = List.of("SegmentTemplate", "SegmentList");

  private ListedDuration() {}

  /** Of the longest timeline or list in it; zero if there is none. */
  static Duration of(MpdElement period) {
    return Stream.concat(Stream.of(period), period.all("AdaptationSet"))
        .flatMap(level -> Stream.concat(Stream.of(level), level.all("Representation")))
        .flatMap(level -> KINDS.stream().flatMap(level::all))
        .map(ListedDuration::listed)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private static Duration listed(MpdElement element) {
    long timescale = Math.max(1, element.number("timescale").orElse(1));
    Optional<SegmentTimeline> timeline = Optional.ofNullable(element.timeline());
    long ticks =
        timeline.isPresent()
            ? ticks(timeline.get())
            : Ticks.times(element.number("duration").orElse(0), element.all("SegmentURL").count());
    Duration duration = Duration.ofSeconds(ticks / timescale);
    return duration.toSeconds() < Lexical.MAX_SECONDS
        ? duration.plusNanos((long) (ticks % timescale * 1e9 / timescale))
        : Duration.ZERO;
  }

  private static long ticks(SegmentTimeline timeline) {
    long sum = 0;
    for (int i = 0; i < timeline.size(); i++) {
      sum =
          Ticks.plus(
              sum, Ticks.times(timeline.durations()[i], 1 + Math.max(0, timeline.repeats()[i])));
    }
    return sum;
  }
}
