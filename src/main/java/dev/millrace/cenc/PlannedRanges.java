package dev.millrace.cenc;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * The ranges of all fragments whose data is not through yet; gives those of one mdat, so that none
 * reaches beyond it.
 */
final class PlannedRanges {
  /** Fragments that may be ahead of their data; more are refused. */
  static final int MAX_PLANS = 256;

  private final List<ProtectedRanges> plans = new ArrayList<>();

  /**
   * @param position what stands before is through
   * @throws MediaFormatException if fragments without data have piled up
   */
  void add(ProtectedRanges plan, long position) throws MediaFormatException {
    plans.removeIf(old -> old.count() == 0 || old.end(old.count() - 1) <= position);
    long ranges = plan.count();
    for (ProtectedRanges old : plans) {
      ranges += old.count();
    }
    if (ranges > ProtectedRanges.MAX_RANGES) {
      throw MediaFormatException.malformed(
          "More than " + ProtectedRanges.MAX_RANGES + " encrypted ranges lie ahead.");
    }
    if (plans.size() == MAX_PLANS) {
      throw MediaFormatException.malformed(
          "More than " + MAX_PLANS + " fragments stand before their data.");
    }
    plans.add(plan);
  }

  /** What they take, in bytes. */
  long heldBytes() {
    return plans.stream().mapToLong(ProtectedRanges::heldBytes).sum();
  }

  /**
   * What lies within, cut at its ends. Ranges of one sample stay together.
   *
   * @throws MediaFormatException if ranges of several fragments overlap
   */
  ProtectedRanges within(long from, long to) throws MediaFormatException {
    if (plans.size() == 1 && isWithin(plans.get(0), from, to)) {
      return plans.get(0);
    }
    ProtectedRanges merged = new ProtectedRanges();
    int[] next = plans.stream().mapToInt(plan -> firstBehind(plan, from)).toArray();
    int lastPlan = -1;
    int lastSample = -1;
    long end = from;
    byte[] iv = new byte[16];
    for (int plan = first(next, to); plan >= 0; plan = first(next, to)) {
      ProtectedRanges ranges = plans.get(plan);
      int range = next[plan]++;
      if (ranges.start(range) < end && end > from) {
        throw MediaFormatException.malformed("Encrypted samples of two fragments overlap.");
      }
      if (plan != lastPlan || ranges.sample(range) != lastSample) {
        ranges.iv(ranges.sample(range), iv, 0);
        merged.sample(ranges.setting(ranges.sample(range)), iv, 0);
      }
      lastPlan = plan;
      lastSample = ranges.sample(range);
      end = Math.min(to, ranges.end(range));
      merged.range(Math.max(from, ranges.start(range)), end);
    }
    return merged;
  }

  private static boolean isWithin(ProtectedRanges plan, long from, long to) {
    return plan.count() > 0 && plan.start(0) >= from && plan.end(plan.count() - 1) <= to;
  }

  private static int firstBehind(ProtectedRanges plan, long from) {
    int low = 0;
    int high = plan.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (plan.end(middle) <= from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The plan whose next range comes first, before {@code to}; -1: none. */
  private int first(int[] next, long to) {
    int first = -1;
    for (int i = 0; i < next.length; i++) {
      ProtectedRanges plan = plans.get(i);
      if (next[i] < plan.count()
          && plan.start(next[i]) < to
          && (first < 0 || plan.start(next[i]) < plans.get(first).start(next[first]))) {
        first = i;
      }
    }
    return first;
  }
}
