package dev.millrace.dash;

import java.util.Arrays;

/**
 * When segments begin and how long they last (ISO/IEC 23009-1 §5.3.9.6), as it stands there: flat,
 * unrolled by whoever reads it.
 *
 * @param times of {@code S@t} in units; -1: where the one before ends
 * @param durations of {@code S@d} in units; entries of 0 are left out
 * @param repeats of {@code S@r}; -1: until the next one's time, or the end
 * @param numbers of {@code S@n}; -1: counted on
 */
public record SegmentTimeline(long[] times, long[] durations, long[] repeats, long[] numbers) {
  /** How many entries there are. */
  public int size() {
    return durations.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SegmentTimeline that
        && Arrays.equals(times, that.times)
        && Arrays.equals(durations, that.durations)
        && Arrays.equals(repeats, that.repeats)
        && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(times) + 31 * Arrays.hashCode(durations);
  }

  @Override
  public String toString() {
    return durations.length + " entries";
  }
}
