package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.OptionalInt;

/**
 * A run of samples that follow one another: {@code trun} (ISO/IEC 14496-12 §8.8.8). Its table is
 * checked against its box when it is read, and stays there.
 *
 * @param count of samples, at most {@link MovieFragment#MAX_SAMPLES}
 * @param dataOffset of its first byte from the base of the fragment; absent: behind the run before
 */
public record TrackRun(Box box, int count, OptionalInt dataOffset) {
  private static final int DATA_OFFSET = 0x1;
  private static final int FIRST_FLAGS = 0x4;
  private static final int DURATION = 0x100;
  private static final int SIZE = 0x200;
  private static final int SAMPLE_FLAGS = 0x400;
  private static final int COMPOSITION = 0x800;

  static TrackRun read(Box box) throws MediaFormatException {
    int flags = box.flags();
    long count = box.unsignedAt(4);
    long table = count * entryBytes(flags);
    if (count > MovieFragment.MAX_SAMPLES) {
      throw MediaFormatException.malformed(
          "A track run has " + count + " samples (at most " + MovieFragment.MAX_SAMPLES + ").");
    }
    box.checked(tableOffset(flags), (int) Math.min(table, Integer.MAX_VALUE));
    OptionalInt dataOffset =
        (flags & DATA_OFFSET) != 0 ? OptionalInt.of(box.intAt(8)) : OptionalInt.empty();
    return new TrackRun(box, (int) count, dataOffset);
  }

  /** Whether each sample has its own size. */
  public boolean hasSizes() throws MediaFormatException {
    return (box.flags() & SIZE) != 0;
  }

  /** Of a sample in bytes, or what the fragment says for those that do not tell. */
  public long size(int sample, long otherwise) throws MediaFormatException {
    return field(sample, SIZE, otherwise);
  }

  /** Of a sample in units of its track, or what the fragment says for those that do not tell. */
  public long duration(int sample, long otherwise) throws MediaFormatException {
    return field(sample, DURATION, otherwise);
  }

  /** Of a sample (§8.8.3.1), or what the fragment says for those that do not tell. */
  public int flags(int sample, int otherwise) throws MediaFormatException {
    int flags = box.flags();
    if (sample == 0 && (flags & FIRST_FLAGS) != 0) {
      return box.intAt((flags & DATA_OFFSET) != 0 ? 12 : 8);
    }
    return (int) field(sample, SAMPLE_FLAGS, otherwise);
  }

  /** By how much a sample is shown after it is decoded, in units of its track; may be negative. */
  public int compositionOffset(int sample) throws MediaFormatException {
    return (int) field(sample, COMPOSITION, 0);
  }

  private long field(int sample, int wanted, long otherwise) throws MediaFormatException {
    int flags = box.flags();
    if ((flags & wanted) == 0) {
      return otherwise;
    }
    int before = 4 * Integer.bitCount(flags & 0xf00 & (wanted - 1));
    return box.unsignedAt(tableOffset(flags) + sample * entryBytes(flags) + before);
  }

  private static int tableOffset(int flags) {
    return 8 + ((flags & DATA_OFFSET) != 0 ? 4 : 0) + ((flags & FIRST_FLAGS) != 0 ? 4 : 0);
  }

  private static int entryBytes(int flags) {
    return 4 * Integer.bitCount(flags & 0xf00);
  }
}
