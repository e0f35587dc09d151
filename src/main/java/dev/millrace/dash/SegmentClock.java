package dev.millrace.dash;

import java.util.ArrayList;
import java.util.List;

/** Puts the segments of a representation on the clock of the presentation. */
final class SegmentClock {
  private SegmentClock() {}

  /**
   * The segments of one period, cut to it, without those that it does not show at all. Where two
   * overlap, the first one ends when the second one begins. Where none would be left, the bounds of
   * the period are wrong, and they are listed as they are.
   *
   * @param most of them: the first ones; of a dynamic presentation the last ones
   */
  static List<ListedSegment> segments(
      Presentation presentation, Profile.InPeriod member, int most) {
    List<ListedSegment> uncut =
        presentation.segments(member, most).stream()
            .map(segment -> ListedSegment.of(member, segment))
            .toList();
    List<ListedSegment> cut = shown(uncut.stream().map(ListedSegment::cutToPeriod).toList());
    return cut.isEmpty() ? shown(uncut) : cut;
  }

  private static List<ListedSegment> shown(List<ListedSegment> segments) {
    List<ListedSegment> shown = new ArrayList<>(segments.size());
    for (ListedSegment next : segments) {
      int last = shown.size() - 1;
      if (last >= 0 && isCut(shown.get(last), next)) {
        shown.set(last, shown.get(last).endingAt(next.startNanos()));
      }
      if (next.millis() > 0) {
        shown.add(next);
      }
    }
    return shown;
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
    for (int i = 0; i < segments.size(); i++) {
      ListedSegment segment = segments.get(i);
      boolean isFirst = i == 0;
      boolean isMarked = isFirst ? isNew && !all.isEmpty() : segment.isDiscontinuous();
      all.add(
          isMarked == segment.isDiscontinuous() ? segment : segment.withDiscontinuity(isMarked));
    }
  }
}
