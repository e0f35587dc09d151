package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** What may stand in a header field (RFC 9110 §5.1, §5.5, §5.6.2). */
final class FieldSyntax {
  private static final String TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

  private FieldSyntax() {}

  /** Whether it is a {@code token}: a field name, or half of a media type. */
  static boolean isToken(String text) {
    return !text.isEmpty() && text.chars().allMatch(FieldSyntax::isTokenChar);
  }

  private static boolean isTokenChar(int c) {
    return isAlphanumeric(c) || TOKEN_PUNCTUATION.indexOf(c) >= 0;
  }

  static boolean isAlphanumeric(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /** Whether it can be sent as a field value: no control characters but the tab. */
  static boolean isValue(String text) {
    return text.chars().noneMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
  }

  /**
   * The value so that containers and clients, which write one byte per character, put UTF-8 on the
   * wire ({@code obs-text}).
   */
  static String onTheWire(String value) {
    return new String(value.getBytes(UTF_8), ISO_8859_1);
  }
}
