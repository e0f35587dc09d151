package dev.millrace.hls;

import java.util.Map;

/**
 * What links to segments say so that the segments are delivered in the clear (RFC 8216bis
 * §4.4.4.4): those under {@code METHOD=AES-128} whose key is the {@code identity} one behind an
 * {@code http} or {@code https} address. Everything else is left to the player.
 */
public final class ClearKeys {
  /** Parameter: absolute address of the key. */
  public static final String KEY_PARAMETER = "decrypt_key";

  /** Parameter: the IV, 32 hexadecimal digits. */
  public static final String VECTOR_PARAMETER = "decrypt_iv";

  /** Parameter: {@code first-last}, the bytes of the resource that are encrypted as one. */
  public static final String RANGE_PARAMETER = "decrypt_range";

  private ClearKeys() {}

  /** Whether a playlist has such segments. */
  static boolean areIn(PlaylistText text, String baseUri, Map<String, String> imported) {
    PlaylistLines lines = new PlaylistLines(text);
    KeyReader keys = new KeyReader(baseUri, imported);
    while (lines.next()) {
      if (keys.read(lines) && keys.last().isClearable()) {
        return true;
      }
    }
    return false;
  }
}
