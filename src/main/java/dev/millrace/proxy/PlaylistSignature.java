package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;

/**
 * What the beginning of a body tells about it: a playlist begins with {@code #EXTM3U} (RFC 8216
 * §4.3.1.1), before which origins put a byte order mark, blank lines and comments.
 */
public enum PlaylistSignature {
  PLAYLIST,
  /** Nothing but blanks. */
  EMPTY,
  /** A web page, or what else begins with an angle bracket. */
  HTML,
  OTHER,
  /** Comments, blanks, or too few bytes so far. */
  UNDECIDED;

  /** So many bytes are looked at. */
  public static final int WINDOW_BYTES = 4 << 10;

  private static final String MARK = "\u00ef\u00bb\u00bf";
  private static final String HEADER = "#EXTM3U";

  /**
   * Looks at the first {@value #WINDOW_BYTES} bytes.
   *
   * @param start of the body; its position stays
   * @param isAll whether nothing follows; then it is not {@link #UNDECIDED}
   */
  public static PlaylistSignature of(ByteBuffer start, boolean isAll) {
    byte[] window = new byte[Math.min(WINDOW_BYTES, start.remaining())];
    start.get(start.position(), window);
    boolean isEnd = isAll || window.length == WINDOW_BYTES;
    PlaylistSignature found = of(new String(window, ISO_8859_1));
    if (found != UNDECIDED || !isEnd) {
      return found == EMPTY && !isEnd ? UNDECIDED : found;
    }
    return OTHER;
  }

  private static PlaylistSignature of(String text) {
    int at = text.startsWith(MARK) ? MARK.length() : 0;
    boolean hasComment = false;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c > ' ') {
        if (c != '#') {
          return ofWord(text, at);
        }
        if (text.startsWith(HEADER, at)) {
          return PLAYLIST;
        }
        int lineEnd = text.indexOf('\n', at);
        if (lineEnd < 0) {
          return UNDECIDED;
        }
        hasComment = true;
        at = lineEnd;
      }
      at++;
    }
    return hasComment ? UNDECIDED : EMPTY;
  }

  private static PlaylistSignature ofWord(String text, int at) {
    if (at == 0 && MARK.startsWith(text)) {
      return UNDECIDED;
    }
    return text.charAt(at) == '<' ? HTML : OTHER;
  }
}
