package dev.millrace.mp4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Codes of four characters (ISO/IEC 14496-12 §4.2), as the number that their bytes are. */
public final class FourCc {
  private FourCc() {}

  /**
   * The number of a code.
   *
   * @param text four characters of ISO 8859-1
   */
  public static int of(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (bytes.length != 4) {
      throw new IllegalArgumentException(text);
    }
    return bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
  }

  /** For people: what is no printable character of ASCII becomes a point. */
  public static String text(int code) {
    StringBuilder text = new StringBuilder(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      char c = (char) (code >> shift & 0xff);
      text.append(c >= ' ' && c < 0x7f ? c : '.');
    }
    return text.toString();
  }
}
