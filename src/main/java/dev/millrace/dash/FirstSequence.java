package dev.millrace.dash;

import dev.millrace.dash.Addressing.SegmentList;
import dev.millrace.dash.Addressing.SegmentTemplate;
import java.util.OptionalLong;

/**
 * The media sequence of a live playlist that was not seen before (contract §1.6), so that several
 * servers, and one that starts anew, begin near each other.
 */
final class FirstSequence {
  private FirstSequence() {}

  /**
   * The segment's own number, if the presentation counts: it does with a constant duration, and if
   * it says {@code startNumber}; else as many segments as fit into the time before it.
   */
  static long of(ListedSegment first) {
    Addressing addressing = first.member().representation().addressing();
    long number = Math.max(1, first.segment().number());
    OptionalLong nominal = SegmentPlan.nominalDuration(addressing);
    boolean isCounted =
        NominalDuration.timeline(addressing).isEmpty() || startNumber(addressing).isPresent();
    if (first.isMissing()) {
      return Math.max(0, first.startNanos() / NominalDuration.nanos(addressing));
    }
    if (isCounted || nominal.isEmpty()) {
      return number;
    }
    long time = MediaTime.nanos(first.segment().time(), first.segment().timescale());
    return Math.max(0, time / NominalDuration.nanos(addressing));
  }

  private static OptionalLong startNumber(Addressing addressing) {
    if (addressing instanceof SegmentTemplate template) {
      return template.startNumber();
    }
    return addressing instanceof SegmentList list ? list.startNumber() : OptionalLong.empty();
  }
}
