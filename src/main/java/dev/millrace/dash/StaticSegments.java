package dev.millrace.dash;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All segments of a profile, over all periods; where it has none, {@link MissingSegments}. */
final class StaticSegments {
  /** More are refused: a day of segments of one second is less. */
  static final int MAX_SEGMENTS = 100_000;

  private StaticSegments() {}

  /**
   * In their order; those at which players begin anew are marked.
   *
   * @throws MediaFormatException if there are none, or too many
   */
  static List<ListedSegment> of(Presentation presentation, Profile profile)
      throws MediaFormatException {
    List<ListedSegment> all = new ArrayList<>();
    Set<Long> borders = Set.copyOf(PeriodBorders.of(presentation.mpd()));
    List<Optional<Profile.InPeriod>> members = profile.inAll(presentation.mpd());
    for (int i = 0; i < members.size(); i++) {
      Period period = presentation.mpd().periods().get(i);
      boolean isNew = borders.contains(MediaTime.nanos(period.start()));
      int most = MAX_SEGMENTS + 1 - all.size();
      List<ListedSegment> segments =
          members
              .get(i)
              .map(member -> SegmentClock.segments(presentation, member, most))
              .orElseGet(() -> MissingSegments.of(period, profile, most));
      SegmentClock.append(all, segments, isNew);
      if (all.size() > MAX_SEGMENTS) {
        throw MediaFormatException.unsupported(
            "more than " + MAX_SEGMENTS + " segments in one representation");
      }
    }
    if (all.stream().allMatch(ListedSegment::isMissing)) {
      throw MediaFormatException.malformed("the MPD lists no segment of this representation");
    }
    return all;
  }
}
