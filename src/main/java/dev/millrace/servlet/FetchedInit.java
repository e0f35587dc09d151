package dev.millrace.servlet;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.stream.MediaFormatException;

/** An initialization segment as its origin has sent it. */
final class FetchedInit {
  private static final int MOOV = FourCc.of("moov");

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
   * @throws MediaFormatException if it cannot be read
   */
  InitSegment tracks() throws MediaFormatException {
    return InitSegmentReader.read(moov());
  }

  /**
   * The last of its movie boxes.
   *
   * @throws MediaFormatException if there is none: a page in place of media, at times
   */
  Box moov() throws MediaFormatException {
    Box moov = null;
    for (int at = 0; bytes.length - at >= 8; ) {
      Box box = Box.at(bytes, at, bytes.length);
      moov = box.type() == MOOV ? box : moov;
      at = box.end();
    }
    if (moov == null) {
      throw MediaFormatException.malformed("The initialization segment holds no 'moov' box.");
    }
    return moov;
  }
}
