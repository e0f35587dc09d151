package dev.millrace.mp4;

import java.util.Arrays;

/**
 * Which samples are in which group, in runs (ISO/IEC 14496-12 §8.9.2). Runs of 0 samples are
 * allowed.
 */
final class SampleRuns {
  static final SampleRuns NONE = new SampleRuns(new long[0], new int[0]);

  private final long[] counts;
  private final int[] indexes;

  /**
   * @param counts how many samples each run has, 32 bits; kept
   * @param indexes the group of each; 0: none; kept
   */
  SampleRuns(long[] counts, int[] indexes) {
    this.counts = counts;
    this.indexes = indexes;
  }

  /** Not a copy. */
  long[] counts() {
    return counts;
  }

  /** Not a copy. */
  int[] indexes() {
    return indexes;
  }

  /** These, and where they give a sample no group, those. */
  SampleRuns or(SampleRuns those) {
    if (counts.length == 0) {
      return those;
    }
    long[] merged = new long[counts.length + those.counts.length];
    int[] groups = new int[merged.length];
    int size = 0;
    Cursor first = new Cursor(this);
    Cursor second = new Cursor(those);
    while (!first.isAtEnd() || !second.isAtEnd()) {
      long step = Math.min(first.rest, second.rest);
      groups[size] = first.index() != 0 ? first.index() : second.index();
      merged[size++] = step;
      first.advance(step);
      second.advance(step);
    }
    return new SampleRuns(Arrays.copyOf(merged, size), Arrays.copyOf(groups, size));
  }

  /** Stands in one run; behind the last it stands in one of no group without an end. */
  private static final class Cursor {
    private final SampleRuns runs;
    private int run = -1;
    private long rest;

    Cursor(SampleRuns runs) {
      this.runs = runs;
      advance(0);
    }

    boolean isAtEnd() {
      return run == runs.counts.length;
    }

    int index() {
      return isAtEnd() ? 0 : runs.indexes[run];
    }

    void advance(long samples) {
      rest -= samples;
      while (rest == 0 && !isAtEnd()) {
        run++;
        rest = isAtEnd() ? Long.MAX_VALUE : runs.counts[run];
      }
    }
  }
}
