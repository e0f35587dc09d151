package dev.millrace.hls;

import java.util.ArrayList;
import java.util.List;

/**
 * Times of a playlist whose segments are left out, counted from the beginning of the first segment
 * that is listed. How the rest stays playable, {@link PlaylistFilters} says.
 */
public final class SkippedRanges {
  /** Most ranges. */
  public static final int MAX_RANGES = 100;

  /** Leaves nothing out. */
  public static final SkippedRanges NONE = new SkippedRanges(List.of());

  private static final int MAX_SHOWN = 64;

  private final List<Range> ranges;

  private SkippedRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Reads {@code start-end,start-end}: seconds, with decimals if need be. Blanks round numbers and
   * empty elements are allowed; ranges may overlap and come in any order.
   *
   * @throws IllegalArgumentException if it is anything else, a range does not end after its start,
   *     or there are more than {@link #MAX_RANGES}; the message is for whoever wrote it
   */
  public static SkippedRanges parse(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String element : text.split(",", -1)) {
      if (!element.isBlank()) {
        if (ranges.size() == MAX_RANGES) {
          throw new IllegalArgumentException("more than " + MAX_RANGES + " ranges");
        }
        ranges.add(range(element.strip()));
      }
    }
    return new SkippedRanges(List.copyOf(ranges));
  }

  private static Range range(String text) {
    int hyphen = text.indexOf('-');
    long from = DecimalSeconds.nanos(text.substring(0, Math.max(0, hyphen)).strip());
    long to = DecimalSeconds.nanos(text.substring(hyphen + 1).strip());
    if (hyphen < 0 || from == DecimalSeconds.NONE || to == DecimalSeconds.NONE) {
      throw new IllegalArgumentException(
          shown(text) + " is no range of seconds (expected: start-end, such as 0-90 or 12.5-20)");
    }
    if (to <= from) {
      throw new IllegalArgumentException(
          shown(text) + " does not end after its start (expected: start-end, such as 0-90)");
    }
    return new Range(from, to);
  }

  private static String shown(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
  }

  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Whether what lasts from one time to the other is to be left out, at least in part. */
  public boolean overlap(long fromNanos, long toNanos) {
    for (Range range : ranges) {
      if (fromNanos < range.toNanos && toNanos > range.fromNanos) {
        return true;
      }
    }
    return false;
  }

  private record Range(long fromNanos, long toNanos) {}
}
