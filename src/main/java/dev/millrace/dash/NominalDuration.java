package dev.millrace.dash;

import dev.millrace.dash.Addressing.SegmentBase;
import dev.millrace.dash.Addressing.SegmentList;
import dev.millrace.dash.Addressing.SegmentTemplate;
import java.util.Optional;
import java.util.OptionalLong;

/** How long the segments of a representation usually are. */
final class NominalDuration {
  /** What is taken if nothing says it. */
  static final long UNKNOWN_NANOS = 4 * MediaTime.NANOS_PER_SECOND;

  private NominalDuration() {}

  /** {@code @duration}; empty with a timeline. */
  static OptionalLong constant(Addressing addressing) {
    OptionalLong said = OptionalLong.empty();
    if (addressing instanceof SegmentTemplate template && template.timeline().isEmpty()) {
      said = template.duration();
    } else if (addressing instanceof SegmentList list && list.timeline().isEmpty()) {
      said = list.duration();
    }
    return said.isPresent() && said.getAsLong() > 0 ? said : OptionalLong.empty();
  }

  /**
   * {@link SegmentPlan#nominalDuration} in nanoseconds, positive; {@link #UNKNOWN_NANOS} if nothing
   * says it.
   */
  static long nanos(Addressing addressing) {
    OptionalLong units = SegmentPlan.nominalDuration(addressing);
    return units.isPresent() && units.getAsLong() > 0
        ? Math.max(1, MediaTime.nanos(units.getAsLong(), addressing.timescale()))
        : UNKNOWN_NANOS;
  }

  static Optional<SegmentTimeline> timeline(Addressing addressing) {
    if (addressing instanceof SegmentTemplate template) {
      return template.timeline();
    }
    if (addressing instanceof SegmentList list) {
      return list.timeline();
    }
    if (addressing instanceof SegmentBase) {
      return Optional.empty();
    }
    throw new AssertionError(addressing);
  }
}
