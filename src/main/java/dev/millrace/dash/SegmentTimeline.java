package dev.millrace.dash;

import java.util.Arrays;

/**
 * When segments begin and how long they last (ISO/IEC 23009-1 §5.3.9.6), as it stands there: flat,
 * unrolled by whoever reads it. Its arrays are shared and not to be changed.
 *
 * @param times of {@code S@t} in units; -1: where the one before ends
 * @param durations of {@code S@d} in units; entries of 0 count numbers, but are no segments
 * @param repeats of {@code S@r}; -1: until the next one's time, or the end
 * @param numbers of {@code S@n}; -1: counted on
 * @param sequences of {@code S@k}: how many parts each segment has, 1 to {@link #MAX_SEQUENCE}
 */
@SuppressWarnings("ArrayRecordComponent") // compared by what is in them
public record SegmentTimeline(
    long[] times, long[] durations, long[] repeats, long[] numbers, long[] sequences) {
  /** Parts of one segment; more are not told apart. */
  public static final int MAX_SEQUENCE = 1_000;

  /** How many entries there are. */
  public int size() {
    return durations.length;
  }

  /** The same without {@code S@n}: the numbers of a list are its places. */
  SegmentTimeline withoutNumbers() {
    long[] none = new long[numbers.length];
    Arrays.fill(none, -1);
    return new SegmentTimeline(times, durations, repeats, none, sequences);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SegmentTimeline that
        && Arrays.equals(times, that.times)
        && Arrays.equals(durations, that.durations)
        && Arrays.equals(repeats, that.repeats)
        && Arrays.equals(numbers, that.numbers)
        && Arrays.equals(sequences, that.sequences);
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
