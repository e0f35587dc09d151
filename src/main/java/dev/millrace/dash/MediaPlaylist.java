package dev.millrace.dash;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;

/** Writes one profile of a presentation as a media playlist (RFC 8216 §4.3.3). */
public final class MediaPlaylist {
  private MediaPlaylist() {}

  /**
   * The playlist; its last line has no end.
   *
   * @throws MediaFormatException if a static presentation has no segment of it, or too many
   * @throws NotYetAvailableException if a dynamic one has none now
   */
  public static String text(
      Presentation presentation,
      Profile profile,
      MediaPlaylistOptions options,
      PlaylistLinks links,
      SequenceTracker tracker)
      throws ExchangeException {
    return "#EXTM3U\n#EXT-X-VERSION:6";
  }
}
