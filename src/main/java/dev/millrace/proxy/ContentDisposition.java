package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The field that names a body for saving (RFC 6266 §4, RFC 8187 §3.2). */
final class ContentDisposition {
  private static final String ATTRIBUTE_PUNCTUATION = "!#$&+-.^_`|~";
  private static final String HEX = "0123456789ABCDEF";

  private ContentDisposition() {}

  /**
   * One quoted {@code filename} in ASCII; with {@code filename*} beside it if that is not the whole
   * name. Control characters and those that turn the direction of writing become underscores.
   */
  static String attachment(String filename) {
    String shown =
        filename
            .codePoints()
            .map(ContentDisposition::shown)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    String quoted = "attachment; filename=\"" + quoted(shown) + "\"";
    boolean isAscii = shown.chars().allMatch(c -> c < 0x7f);
    return isAscii ? quoted : quoted + "; filename*=UTF-8''" + extended(shown);
  }

  private static int shown(int c) {
    boolean isControl = Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    boolean turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return isControl || turns ? '_' : c;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    text.codePoints()
        .map(c -> c < 0x7f ? c : '_')
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\');
              }
              quoted.appendCodePoint(c);
            });
    return quoted.toString();
  }

  private static String extended(String text) {
    StringBuilder extended = new StringBuilder();
    for (byte b : text.getBytes(UTF_8)) {
      if (FieldSyntax.isAlphanumeric(b) || ATTRIBUTE_PUNCTUATION.indexOf(b) >= 0) {
        extended.append((char) b);
      } else {
        extended.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
      }
    }
    return extended.toString();
  }
}
