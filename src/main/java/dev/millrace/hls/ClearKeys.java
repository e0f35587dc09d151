package dev.millrace.hls;

import java.util.Map;

/**
 * What links to segments say so that the segments are delivered in the clear (RFC 8216bis
 * §4.4.4.4): those under {@code METHOD=AES-128} whose key is the {@code identity} one behind an
 * {@code http} or {@code https} address; and, with the keys that a request brings along, fMP4 under
 * {@code SAMPLE-AES} and {@code SAMPLE-AES-CTR}, whatever the key format. Everything else is left
 * to the player.
 */
public final class ClearKeys {
  /** Parameter: absolute address of the key. */
  public static final String KEY_PARAMETER = "decrypt_key";

  /** Parameter: the IV, 32 hexadecimal digits. */
  public static final String VECTOR_PARAMETER = "decrypt_iv";

  /** Parameter: {@code first-last}, the bytes of the resource that are encrypted as one. */
  public static final String RANGE_PARAMETER = "decrypt_range";

  /**
   * Parameter: samples are encrypted, and the link leads to {@link #MEDIA} or {@link #INIT}; the
   * keys stand beside it.
   */
  public static final String SAMPLES_PARAMETER = "decrypt_samples";

  /** A segment of fMP4. */
  public static final String MEDIA = "media";

  /** The initialization section of such. */
  public static final String INIT = "init";

  /** Parameter of a segment: absolute address of its initialization section. */
  public static final String INIT_PARAMETER = "decrypt_init";

  /** Parameter: {@code first-last}, the bytes of that resource that are the section. */
  public static final String INIT_RANGE_PARAMETER = "decrypt_init_range";

  private ClearKeys() {}

  /** Whether a playlist has segments of fMP4 whose samples are encrypted. */
  static boolean areOfSamplesIn(PlaylistText text, String baseUri, Map<String, String> imported) {
    PlaylistLines lines = new PlaylistLines(text);
    KeyReader keys = new KeyReader(baseUri, imported);
    boolean hasMap = false;
    boolean hasKey = false;
    while (lines.next() && !(hasMap && hasKey)) {
      hasMap |= lines.kind() == LineKind.EXT_X_MAP;
      hasKey |= keys.read(lines) && keys.last().isOfSamples();
    }
    return hasMap && hasKey;
  }

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
