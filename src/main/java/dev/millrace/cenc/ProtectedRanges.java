package dev.millrace.cenc;

import java.util.Arrays;

/**
 * Which bytes of a stream are encrypted and how: the plan of one fragment (contract §4.4). Ranges
 * are sorted by position and do not overlap; each belongs to a sample, whose ranges follow one
 * another. Flat arrays: about 40 bytes a range. Filled by one caller, then read by one.
 */
final class ProtectedRanges {
  /** More ranges in one fragment are refused. */
  static final int MAX_RANGES = 1 << 17;

  /**
   * How a sample is encrypted.
   *
   * @param key its key
   * @param cryptBlocks with {@code skipBlocks} the pattern; 0 and 0, or a skip of 0: none
   * @param leavesPartialRuns whether the last run of a range stays clear if it is shorter than
   *     {@code cryptBlocks} (contract §2, row 8)
   */
  record Setting(
      ProtectionScheme scheme,
      ContentKey key,
      int cryptBlocks,
      int skipBlocks,
      boolean leavesPartialRuns) {}

  private long[] starts = new long[64];
  private long[] ends = new long[64];
  private int[] samples = new int[64];
  private int ranges;

  private Setting[] settings = new Setting[16];
  private byte[] ivs = new byte[16 * 16];
  private int sampleCount;

  /**
   * A further sample; the ranges added from now on are its.
   *
   * @param iv its initialization vector: 16 bytes, a short one filled with zeros at its end
   */
  void sample(Setting setting, byte[] iv, int offset) {
    if (sampleCount == settings.length) {
      settings = Arrays.copyOf(settings, 2 * sampleCount);
      ivs = Arrays.copyOf(ivs, 2 * ivs.length);
    }
    settings[sampleCount] = setting;
    System.arraycopy(iv, offset, ivs, 16 * sampleCount, 16);
    sampleCount++;
  }

  /** Empty ones are left out. */
  void range(long start, long end) {
    if (start >= end) {
      return;
    }
    if (ranges == starts.length) {
      starts = Arrays.copyOf(starts, 2 * ranges);
      ends = Arrays.copyOf(ends, 2 * ranges);
      samples = Arrays.copyOf(samples, 2 * ranges);
    }
    starts[ranges] = start;
    ends[ranges] = end;
    samples[ranges] = sampleCount - 1;
    ranges++;
  }

  int count() {
    return ranges;
  }

  /** What its arrays take, in bytes. */
  long heldBytes() {
    return 20L * starts.length + 20L * settings.length;
  }

  /** Absolute position of the first byte. */
  long start(int range) {
    return starts[range];
  }

  /** Absolute position behind the last byte. */
  long end(int range) {
    return ends[range];
  }

  /** Which sample it belongs to; other ranges with the same number are of the same one. */
  int sample(int range) {
    return samples[range];
  }

  Setting setting(int sample) {
    return settings[sample];
  }

  /** Copies the 16 bytes. */
  void iv(int sample, byte[] into, int offset) {
    System.arraycopy(ivs, 16 * sample, into, offset, 16);
  }
}
