package dev.millrace.dash;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All segments of a profile, over all periods. */
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
    for (Profile.InPeriod member : profile.members()) {
      boolean isNew = borders.contains(MediaTime.nanos(member.period().start()));
      List<ListedSegment> segments = SegmentClock.segments(presentation, member, MAX_SEGMENTS + 1 - all.size());
      SegmentClock.append(all, segments, isNew);
      if (all.size() > MAX_SEGMENTS) {
        throw MediaFormatException.unsupported(
            "more than " + MAX_SEGMENTS + " segments in one representation");
      }
    }
    if (all.isEmpty()) {
      throw MediaFormatException.malformed("the MPD lists no segment of this representation");
    }
    return all;
  }
}
