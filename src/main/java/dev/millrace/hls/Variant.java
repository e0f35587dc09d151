package dev.millrace.hls;

/**
 * One {@code EXT-X-STREAM-INF} (RFC 8216bis §4.4.6.2).
 *
 * @param height of {@code RESOLUTION}, in lines; {@link #NO_HEIGHT} if there is none
 * @param bandwidth in bits per second; 0 if there is none
 * @param pathway {@code PATHWAY-ID}; "." if there is none, as the standard has it
 */
record Variant(int height, long bandwidth, String pathway) {
  static final int NO_HEIGHT = -1;

  private static final int MAX_HEIGHT_DIGITS = 9;
  private static final int MAX_BANDWIDTH_DIGITS = 18;

  /** Reads the line that {@code lines} stands at. */
  static Variant read(PlaylistLines lines) {
    String resolution = lines.attribute("RESOLUTION");
    String height = resolution.substring(resolution.indexOf('x') + 1);
    String bandwidth = lines.attribute("BANDWIDTH");
    String pathway = lines.attribute("PATHWAY-ID");
    return new Variant(
        (int) number(height, MAX_HEIGHT_DIGITS, NO_HEIGHT),
        number(bandwidth, MAX_BANDWIDTH_DIGITS, 0),
        pathway.isEmpty() ? "." : pathway);
  }

  private static long number(String text, int maxDigits, long otherwise) {
    boolean isNumber = !text.isEmpty() && text.length() <= maxDigits;
    return isNumber && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Long.parseLong(text)
        : otherwise;
  }
}
