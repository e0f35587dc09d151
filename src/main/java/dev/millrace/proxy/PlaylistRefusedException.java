package dev.millrace.proxy;

import dev.millrace.stream.ExchangeException;

/** What should be a playlist cannot be used as one; answered 502 (contract §10.11). */
public final class PlaylistRefusedException extends ExchangeException {
  private static final long serialVersionUID = 1L;

  private PlaylistRefusedException(String reason, String message) {
    super(502, reason, Hop.ORIGIN, message);
  }

  public static PlaylistRefusedException notPlaylist() {
    return new PlaylistRefusedException(
        "not_a_playlist", "The origin sent something that is no playlist (expected: #EXTM3U).");
  }

  public static PlaylistRefusedException html() {
    return new PlaylistRefusedException(
        "html_not_playlist", "The origin sent a web page instead of a playlist.");
  }

  public static PlaylistRefusedException empty() {
    return new PlaylistRefusedException("empty_playlist", "The origin sent an empty playlist.");
  }

  public static PlaylistRefusedException tooLarge(int maxBytes) {
    return new PlaylistRefusedException(
        "playlist_too_large",
        "The playlist is too large (expected: at most " + (maxBytes >> 20) + " MiB).");
  }

  public static PlaylistRefusedException part() {
    return new PlaylistRefusedException(
        "bad_range", "The origin sent a part of the playlist that was not asked for.");
  }
}
