package dev.millrace.dash;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A presentation as it is at one moment.
 *
 * @param now read only if it is dynamic
 * @param indexes of each {@link Addressing.SegmentBase} of the profile that is asked for, see
 *     {@link Profile#indexed}; an empty one: it is played as one segment
 */
public record Presentation(
    Mpd mpd, Instant now, Function<Representation, List<IndexEntry>> indexes) {
  /** At most so many segments: the last ones, of a static presentation the first ones. */
  List<Segment> segments(Profile.InPeriod member, int most) {
    Representation representation = member.representation();
    Optional<Instant> clock = mpd.isDynamic() ? Optional.of(now) : Optional.empty();
    return SegmentPlan.of(mpd, member.period(), representation, index(representation), clock, most);
  }

  /** Empty if segments initialize themselves. */
  Optional<Addressing.Part> initialization(Representation representation) {
    return InitializationPart.of(representation.addressing(), index(representation));
  }

  private List<IndexEntry> index(Representation representation) {
    boolean isIndexed = representation.addressing() instanceof Addressing.SegmentBase;
    return isIndexed ? indexes.apply(representation) : List.of();
  }

  @Override
  public String toString() {
    return "a presentation"; // of addresses that may hold secrets
  }
}
