package dev.millrace.testing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Where the samples of a track fragment are (ISO/IEC 14496-12 §8.8.7, §8.8.8), of good files. */
final class FragmentRuns {
  /**
   * One of them.
   *
   * @param start of its first sample in the file
   */
  record Run(int start, List<Integer> sizes) {}

  private FragmentRuns() {}

  static List<Run> of(MovieBox movie, MovieBox traf, int moofStart) {
    ByteBuffer head = ByteBuffer.wrap(traf.at("tfhd").content());
    int flags = head.getInt();
    int track = head.getInt();
    if ((flags & 1) != 0) {
      throw new AssertionError("base data offsets are not for this");
    }
    head.position(head.position() + 4 * Integer.bitCount(flags & 0xa));
    int defaultSize = (flags & 0x10) != 0 ? head.getInt() : ofTrex(movie, track);
    List<Run> runs = new ArrayList<>();
    int end = moofStart;
    for (MovieBox trun : traf.children("trun")) {
      ByteBuffer fields = ByteBuffer.wrap(trun.content());
      int runFlags = fields.getInt();
      int count = fields.getInt();
      int start = (runFlags & 1) != 0 ? moofStart + fields.getInt() : end;
      fields.position(fields.position() + (runFlags & 4));
      List<Integer> sizes = sizes(fields, runFlags, count, defaultSize);
      runs.add(new Run(start, sizes));
      end = start + sizes.stream().mapToInt(Integer::intValue).sum();
    }
    return runs;
  }

  private static List<Integer> sizes(ByteBuffer fields, int flags, int count, int defaultSize) {
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.position(fields.position() + ((flags & 0x100) != 0 ? 4 : 0));
      sizes.add((flags & 0x200) != 0 ? fields.getInt() : defaultSize);
      fields.position(fields.position() + 4 * Integer.bitCount(flags & 0xc00));
    }
    return sizes;
  }

  private static int ofTrex(MovieBox movie, int track) {
    return movie.at("mvex").children("trex").stream()
        .map(trex -> ByteBuffer.wrap(trex.content()))
        .filter(fields -> fields.getInt(4) == track)
        .map(fields -> fields.getInt(16))
        .findFirst()
        .orElse(0);
  }
}
