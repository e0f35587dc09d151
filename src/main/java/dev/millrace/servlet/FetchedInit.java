package dev.millrace.servlet;

import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.TopLevel;
import dev.millrace.stream.MediaFormatException;

/** An initialization segment as its origin has sent it. */
final class FetchedInit {
  private final byte[] bytes;

  FetchedInit(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Not a copy. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * What it says of the tracks.
   *
   * @throws MediaFormatException if it cannot be read, or is none: a page in place of media
   */
  InitSegment tracks() throws MediaFormatException {
    return InitSegmentReader.read(bytes);
  }

  /**
   * @throws MediaFormatException if it holds no movie box
   */
  void requireMovie() throws MediaFormatException {
    var unused = TopLevel.boxes(bytes);
  }
}
