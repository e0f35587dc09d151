package dev.millrace.link;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** How bytes become the text of a token and back: base64url without padding, RFC 4648 §5. */
final class TokenText {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private TokenText() {}

  static String of(byte[] bytes) {
    return ENCODER.encodeToString(bytes);
  }

  /**
   * The bytes of a text, each of which has one text only: what the last character says beyond the
   * last byte must be nothing.
   *
   * @throws LinkTokenException if it is none
   */
  static byte[] bytes(String text) throws LinkTokenException {
    try {
      byte[] bytes = DECODER.decode(text);
      if (of(bytes).equals(text)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // told like any other
    }
    throw new LinkTokenException("not_base64");
  }

  /**
   * UTF-8, and nothing that only resembles it.
   *
   * @throws LinkTokenException if it is not
   */
  static String utf8(byte[] bytes) throws LinkTokenException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new LinkTokenException("not_utf8");
    }
  }
}
