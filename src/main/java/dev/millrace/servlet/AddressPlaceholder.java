package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;

/**
 * The literal {@code {mediaflow_ip}} in addresses and bodies, with its braces as they are or
 * percent-encoded (RFC 3986 §2.1): it stands for the public address of this server.
 */
final class AddressPlaceholder {
  private static final byte[] NAME = "mediaflow_ip".getBytes(ISO_8859_1);
  private static final int ESCAPE_BYTES = 3;

  /** No placeholder begins here. */
  static final int NONE = 0;

  /** One may begin here; it takes more bytes to tell. */
  static final int MAYBE = -1;

  private AddressPlaceholder() {}

  /** Length of the placeholder that begins at {@code at}, {@link #NONE} or {@link #MAYBE}. */
  static int lengthAt(byte[] bytes, int at, int end) {
    int open = braceAt(bytes, at, end, '{', 'B');
    if (open <= 0) {
      return open;
    }
    int name = at + open;
    for (int i = 0; i < NAME.length; i++) {
      if (name + i >= end) {
        return MAYBE;
      }
      if (bytes[name + i] != NAME[i]) {
        return NONE;
      }
    }
    int close = braceAt(bytes, name + NAME.length, end, '}', 'D');
    return close <= 0 ? close : open + NAME.length + close;
  }

  private static int braceAt(byte[] bytes, int at, int end, char brace, char lastDigit) {
    if (at >= end) {
      return MAYBE;
    }
    if (bytes[at] == brace) {
      return 1;
    }
    byte[] escape = {'%', '7', (byte) lastDigit};
    for (int i = 0; i < ESCAPE_BYTES; i++) {
      if (at + i >= end) {
        return MAYBE;
      }
      int b = bytes[at + i];
      boolean isSame = b == escape[i] || (i == ESCAPE_BYTES - 1 && b == (escape[i] | ' '));
      if (!isSame) {
        return NONE;
      }
    }
    return ESCAPE_BYTES;
  }

  static boolean isIn(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (lengthAt(bytes, i, bytes.length) > 0) {
        return true;
      }
    }
    return false;
  }

  /** The same bytes with the address in place of every placeholder. */
  static byte[] replaced(byte[] bytes, String address) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + ESCAPE_BYTES);
    for (int i = 0; i < bytes.length; ) {
      int length = lengthAt(bytes, i, bytes.length);
      if (length > 0) {
        out.writeBytes(address.getBytes(ISO_8859_1));
        i += length;
      } else {
        out.write(bytes[i++]);
      }
    }
    return out.toByteArray();
  }

  /** The same for a request target, which is ASCII. */
  static boolean isIn(String requestTarget) {
    return isIn(requestTarget.getBytes(ISO_8859_1));
  }

  static String replaced(String requestTarget, String address) {
    return new String(replaced(requestTarget.getBytes(ISO_8859_1), address), ISO_8859_1);
  }
}
