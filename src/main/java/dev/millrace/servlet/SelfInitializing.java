package dev.millrace.servlet;

import dev.millrace.mp4.FourCc;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Whether media brings its own movie box (ISO/IEC 14496-12 §8.2.1), by the headers of its first
 * boxes. Undecided beginnings count as not.
 */
final class SelfInitializing implements BodyStart.Judge {
  /** What is looked at. */
  static final int WINDOW_BYTES = 64 << 10;

  private static final int HEADER_BYTES = 8;
  private static final int MOOV = FourCc.of("moov");

  /** What may stand before one. */
  private static final Set<Integer> BEFORE =
      Set.of(
          FourCc.of("ftyp"),
          FourCc.of("free"),
          FourCc.of("skip"),
          FourCc.of("pdin"),
          FourCc.of("pssh"),
          FourCc.of("uuid"));

  private enum Finding {
    YES,
    NO,
    UNDECIDED
  }

  @Override
  public boolean isEnough(ByteBuffer start, boolean isAll) {
    return isAll || finding(start) != Finding.UNDECIDED;
  }

  static boolean is(ByteBuffer start) {
    return finding(start) == Finding.YES;
  }

  private static Finding finding(ByteBuffer start) {
    long at = start.position();
    while (at + HEADER_BYTES <= start.limit()) {
      long size = start.getInt((int) at) & 0xffff_ffffL;
      int type = start.getInt((int) at + 4);
      if (type == MOOV) {
        return Finding.YES;
      }
      if (!BEFORE.contains(type) || size < HEADER_BYTES) {
        return Finding.NO;
      }
      at += size;
    }
    return Finding.UNDECIDED;
  }
}
