package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;

/** Reads a movie box (ISO/IEC 14496-12 §8.2.1). */
public final class InitSegmentReader {
  private InitSegmentReader() {}

  /**
   * @param moov the whole box; it is kept by the sample entries
   */
  public static InitSegment read(Box moov) throws MediaFormatException {
    throw new UnsupportedOperationException();
  }
}
