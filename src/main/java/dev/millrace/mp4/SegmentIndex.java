package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment index box ({@code sidx}, ISO/IEC 14496-12 §8.16.3).
 *
 * @param references in their order, 65,535 at most
 */
record SegmentIndex(List<Reference> references) {
  static final int SIDX = FourCc.of("sidx");

  /** A box with the most references it can count is smaller. */
  static final int MAX_BYTES = 1 << 20;

  private static final int REFERENCE_BYTES = 12;

  SegmentIndex {
    references = List.copyOf(references);
  }

  /**
   * @param sidx the whole box
   * @param position of its first byte in the file
   * @throws MediaFormatException if it counts more than it holds, has no time scale, or reaches
   *     beyond the numbers there are
   */
  static SegmentIndex read(Box sidx, long position) throws MediaFormatException {
    boolean isWide = sidx.version() != 0;
    long timescale = sidx.unsignedAt(8);
    long time = isWide ? sidx.longAt(12) : sidx.unsignedAt(12);
    long offset = isWide ? sidx.longAt(20) : sidx.unsignedAt(16);
    int at = isWide ? 30 : 22;
    int count = sidx.shortAt(at);
    if (timescale == 0 || time < 0 || offset < 0) {
      throw MediaFormatException.malformed("Box 'sidx' has no time scale, or no place or time.");
    }
    sidx.checked(at + 2, count * REFERENCE_BYTES);
    List<Reference> references = new ArrayList<>(count);
    long first = plus(position + (sidx.end() - sidx.start()), offset);
    for (int i = 0; i < count; i++) {
      int reference = at + 2 + REFERENCE_BYTES * i;
      long size = sidx.intAt(reference) & 0x7fff_ffffL;
      long duration = sidx.unsignedAt(reference + 4);
      boolean isIndex = sidx.intAt(reference) < 0;
      long end = plus(first, size);
      references.add(
          new Reference(isIndex, new MediaReference(first, end - 1, time, duration, timescale)));
      first = end;
      time = plus(time, duration);
    }
    return new SegmentIndex(references);
  }

  private static long plus(long a, long b) throws MediaFormatException {
    long sum = a + b;
    if (sum < 0) {
      throw MediaFormatException.malformed("Box 'sidx' reaches beyond 2^63.");
    }
    return sum;
  }

  /**
   * One reference.
   *
   * @param isIndex whether it leads to another index, which stands where it begins
   * @param place its bytes, of an index with or without what that leads to; empty ones end before
   *     they begin
   */
  record Reference(boolean isIndex, MediaReference place) {
    boolean isEmpty() {
      return place.lastByte() < place.firstByte();
    }
  }
}
