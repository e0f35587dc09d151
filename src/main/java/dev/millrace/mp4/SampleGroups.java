package dev.millrace.mp4;

import java.util.Arrays;
import java.util.List;

/**
 * Groups of samples by their protection: {@code sgpd} and {@code sbgp} of type {@code seig}
 * (ISO/IEC 14496-12 §8.9, ISO/IEC 23001-7 §6), of one sample table or of one track fragment.
 *
 * @param descriptions the first has the index 1
 * @param defaultIndex of samples in no run (version 2 of {@code sgpd}); 0: none
 * @param runCounts how many samples each run has, in their order
 * @param runIndexes the group of each run; 0: none; from 0x10001 on of the fragment itself
 */
@SuppressWarnings("ArrayRecordComponent") // compared by what is in them
public record SampleGroups(
    List<SampleProtection> descriptions, int defaultIndex, long[] runCounts, int[] runIndexes) {
  /** No group. */
  public static final SampleGroups NONE = new SampleGroups(List.of(), 0, new long[0], new int[0]);

  public SampleGroups {
    descriptions = List.copyOf(descriptions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SampleGroups that
        && descriptions.equals(that.descriptions)
        && defaultIndex == that.defaultIndex
        && Arrays.equals(runCounts, that.runCounts)
        && Arrays.equals(runIndexes, that.runIndexes);
  }

  @Override
  public int hashCode() {
    return descriptions.hashCode() + Arrays.hashCode(runIndexes);
  }

  @Override
  public String toString() {
    return descriptions.size() + " groups, " + runCounts.length + " runs";
  }
}
