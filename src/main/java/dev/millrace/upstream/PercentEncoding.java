package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/** Percent-encoding as RFC 3986 §2.1 has it, and no more of it than a request line needs. */
final class PercentEncoding {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private PercentEncoding() {}

  /**
   * The text with blanks and non-ASCII characters encoded (as UTF-8); all else stays byte for byte,
   * also characters that RFC 3986 does not allow, because signatures cover what the user gave.
   *
   * @throws BadTargetException for control characters, a {@code %} without two hexadecimal digits
   *     or half a surrogate pair
   */
  static String sendable(String raw) throws BadTargetException {
    StringBuilder text = new StringBuilder(raw.length() + 16);
    int from = 0;
    while (from < raw.length()) {
      int to = from;
      while (to < raw.length() && isSent(raw, to)) {
        to++;
      }
      text.append(raw, from, to);
      from = to;
      while (to < raw.length() && (raw.charAt(to) == ' ' || raw.charAt(to) > 0x7F)) {
        to++;
      }
      appendEncoded(raw.substring(from, to), text);
      from = to;
    }
    return text.toString();
  }

  private static boolean isSent(String raw, int at) throws BadTargetException {
    char c = raw.charAt(at);
    if (c < ' ' || c == 0x7F) {
      throw new BadTargetException("control character in the address (expected: none)");
    }
    if (c == '%') {
      octet(raw, at);
    }
    return c > ' ' && c < 0x7F;
  }

  private static void appendEncoded(String raw, StringBuilder text) throws BadTargetException {
    try {
      ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(raw));
      while (bytes.hasRemaining()) {
        text.append('%').append(HEX.toHexDigits(bytes.get()));
      }
    } catch (CharacterCodingException e) {
      throw unreadable();
    }
  }

  /** User and password as they stand in an address (RFC 3986 §3.2.1). */
  static String userInfo(String text) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte octet : text.getBytes(UTF_8)) {
      boolean isKept =
          (octet >= 'a' && octet <= 'z')
              || (octet >= 'A' && octet <= 'Z')
              || (octet >= '0' && octet <= '9')
              || "-._~:".indexOf(octet) >= 0;
      encoded.append(isKept ? String.valueOf((char) octet) : "%" + HEX.toHexDigits(octet));
    }
    return encoded.toString();
  }

  /**
   * The text with every escape replaced by its octet, read as UTF-8.
   *
   * @throws BadTargetException for a malformed escape, octets that are no UTF-8, control characters
   */
  static String decoded(String raw) throws BadTargetException {
    String ascii = sendable(raw);
    ByteBuffer bytes = ByteBuffer.allocate(ascii.length());
    int at = 0;
    while (at < ascii.length()) {
      boolean isEscape = ascii.charAt(at) == '%';
      bytes.put((byte) (isEscape ? octet(ascii, at) : ascii.charAt(at)));
      at += isEscape ? 3 : 1;
    }
    try {
      String decoded = UTF_8.newDecoder().decode(bytes.flip()).toString();
      if (decoded.chars().anyMatch(Character::isISOControl)) {
        throw new BadTargetException("control character in the credentials (expected: none)");
      }
      return decoded;
    } catch (CharacterCodingException e) {
      throw unreadable();
    }
  }

  private static int octet(String raw, int at) throws BadTargetException {
    if (at + 2 >= raw.length()
        || !HexFormat.isHexDigit(raw.charAt(at + 1))
        || !HexFormat.isHexDigit(raw.charAt(at + 2))) {
      throw new BadTargetException("percent sign without two hexadecimal digits in the address");
    }
    return HexFormat.fromHexDigits(raw, at + 1, at + 3);
  }

  private static BadTargetException unreadable() {
    return new BadTargetException("character in the address that is no Unicode text");
  }
}
