package dev.millrace.dash;

import dev.millrace.stream.MediaFormatException;
import java.io.InputStream;

/** Reads a media presentation description. */
public final class MpdReader {
  /** More is refused. */
  public static final int MAX_BYTES = 10 << 20;

  private MpdReader() {}

  /**
   * @param url where it was found in the end; relative addresses begin there
   * @throws MediaFormatException if it is no MPD
   */
  public static Mpd read(InputStream xml, String url) throws MediaFormatException {
    throw new UnsupportedOperationException();
  }
}
