package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An absolute address in base64 (RFC 4648 §4, §5): written in the alphabet for URLs without
 * padding, read in either alphabet with or without it.
 */
public final class Base64Address {
  private static final int MIN_LENGTH = 10;

  /** A blank is what form decoding makes of a plus sign that was not escaped. */
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_ -]+={0,2}");

  private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#].*");

  private Base64Address() {}

  /** Any text. */
  public static String encode(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  /**
   * The address inside, without blanks round it.
   *
   * @return absent if the text is not base64, or not of UTF-8 with a scheme and a host
   */
  public static Optional<String> decode(String text) {
    if (text.length() < MIN_LENGTH || !BASE64.matcher(text).matches()) {
      return Optional.empty();
    }
    String standard = text.replace('-', '+').replace('_', '/').replace(' ', '+').replace("=", "");
    try {
      byte[] bytes = Base64.getDecoder().decode(standard);
      String decoded =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString()
              .strip();
      return Optional.of(decoded)
          .filter(url -> ABSOLUTE.matcher(Destination.repaired(url)).matches());
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
