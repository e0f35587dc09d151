package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * An address as the value of a parameter. What a request line cannot carry is encoded once more, so
 * that the origin gets it percent-encoded, byte for byte: control characters, bytes that are not
 * UTF-8, a percent sign without two hexadecimal digits. Confined to one caller.
 */
final class AddressEncoding {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(UTF_8);
  private static final byte KEPT = 0;
  private static final byte ENCODED = 1;
  private static final byte PERCENT = 2;
  private static final byte TWICE = 3;
  private static final byte NOT_ASCII = 4;
  private static final byte[] KIND = kinds();

  /** Of output per byte of input. */
  private static final int MOST = 5;

  private byte[] encoded = new byte[1 << 10];
  private int length;

  private static byte[] kinds() {
    byte[] kinds = new byte[256];
    Arrays.fill(kinds, 0, 0x20, TWICE);
    Arrays.fill(kinds, 0x20, 0x7f, ENCODED);
    kinds[0x7f] = TWICE;
    Arrays.fill(kinds, 0x80, 256, NOT_ASCII);
    for (char c = 0; c < 0x80; c++) {
      if (FieldSyntax.isAlphanumeric(c) || "-._~".indexOf(c) >= 0) {
        kinds[c] = KEPT;
      }
    }
    kinds['%'] = PERCENT;
    return kinds;
  }

  /** Appends the encoded address. */
  void append(ByteBuilder address, ByteBuilder out) {
    byte[] bytes = address.array();
    int end = address.length();
    if (encoded.length < MOST * end) {
      encoded = new byte[MOST * end];
    }
    byte[] target = encoded;
    int to = 0;
    for (int i = 0; i < end; i++) {
      byte b = bytes[i];
      byte kind = KIND[b & 0xff];
      if (kind == KEPT) {
        target[to++] = b;
      } else {
        length = to;
        appendSpecial(kind, address, i);
        to = length;
      }
    }
    out.append(target, 0, to);
  }

  private void appendSpecial(byte kind, ByteBuilder address, int at) {
    boolean isTwice =
        switch (kind) {
          case PERCENT -> !isEscape(address, at);
          case TWICE -> true;
          case NOT_ASCII -> !isUtf8(address);
          default -> false;
        };
    if (isTwice) {
      encoded[length++] = '%';
      encoded[length++] = '2';
      encoded[length++] = '5';
    } else {
      encoded[length++] = '%';
    }
    byte b = address.at(at);
    encoded[length++] = HEX[(b >> 4) & 0xf];
    encoded[length++] = HEX[b & 0xf];
  }

  private static boolean isEscape(ByteBuilder address, int at) {
    return at + 2 < address.length()
        && Character.digit(address.at(at + 1), 16) >= 0
        && Character.digit(address.at(at + 2), 16) >= 0;
  }

  private static boolean isUtf8(ByteBuilder address) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(address.array(), 0, address.length()));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** What a reader of the parameter gets. */
  String text(ByteBuilder address) {
    ByteBuilder out = new ByteBuilder(2 * address.length());
    append(address, out);
    return PercentDecoding.decodeForm(out.toString()).orElseThrow();
  }
}
