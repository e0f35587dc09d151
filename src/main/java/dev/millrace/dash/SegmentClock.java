package dev.millrace.dash;

import java.util.ArrayList;
import java.util.List;

/** Puts the segments of a representation on the clock of the presentation. */
final class SegmentClock {
  private SegmentClock() {}

  /**
   * The segments of one period, without those that it does not show at all. Where two overlap, the
   * first one ends when the second one begins.
   *
   * @param most of them: the first ones; of a dynamic presentation the last ones
   */
  static List<ListedSegment> segments(
      Presentation presentation, Profile.InPeriod member, int most) {
    List<ListedSegment> listed = new ArrayList<>();
    for (Segment segment : presentation.segments(member, most)) {
      ListedSegment next = ListedSegment.of(member, segment);
      int last = listed.size() - 1;
      if (last >= 0 && isCut(listed.get(last), next)) {
        listed.set(last, listed.get(last).endingAt(next.startNanos()));
      }
      if (next.endNanos() > next.startNanos() && next.millis() > 0) {
        listed.add(next);
      }
    }
    return listed;
  }

  /** By the next one, such that something of it is left. */
  private static boolean isCut(ListedSegment segment, ListedSegment next) {
    return next.startNanos() < segment.endNanos()
        && segment.endingAt(next.startNanos()).millis() > 0;
  }

  /**
   * Adds the segments of the next period.
   *
   * @param isNew whether players begin anew with it
   */
  static void append(List<ListedSegment> all, List<ListedSegment> segments, boolean isNew) {
    for (ListedSegment segment : segments) {
      boolean isFirst = segment == segments.get(0);
      boolean isMarked = isFirst ? isNew && !all.isEmpty() : segment.isDiscontinuous();
      all.add(
          isMarked == segment.isDiscontinuous() ? segment : segment.withDiscontinuity(isMarked));
    }
  }
}
