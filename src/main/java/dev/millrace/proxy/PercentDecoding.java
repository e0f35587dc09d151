package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.Optional;

/** Text behind percent escapes of UTF-8 bytes (RFC 3986 §2.1). */
final class PercentDecoding {
  private PercentDecoding() {}

  /** A name or value of a form; absent if an escape is malformed or the bytes are not UTF-8. */
  static Optional<String> decodeForm(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    int size = decodeInPlace(bytes, true);
    if (size < 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes, 0, size))
              .toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** A path: what is malformed stays as it is, bytes that are not UTF-8 become U+FFFD. */
  static String decodePath(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    int size = decodeInPlace(bytes, false);
    return size < 0 ? text : new String(bytes, 0, size, UTF_8);
  }

  /** The decoded bytes move to the front. Returns their number, or −1 if an escape is malformed. */
  private static int decodeInPlace(byte[] bytes, boolean plusIsBlank) {
    int size = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte b = bytes[i];
      if (b == '%') {
        int octet = octet(bytes, i + 1);
        if (octet < 0) {
          return -1;
        }
        bytes[size++] = (byte) octet;
        i += 2;
      } else {
        bytes[size++] = plusIsBlank && b == '+' ? (byte) ' ' : b;
      }
    }
    return size;
  }

  private static int octet(byte[] bytes, int at) {
    if (at + 1 >= bytes.length) {
      return -1;
    }
    int high = Character.digit(bytes[at], 16);
    int low = Character.digit(bytes[at + 1], 16);
    return high < 0 || low < 0 ? -1 : (high << 4) | low;
  }
}
