package dev.millrace.proxy;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ways in which people write 16 bytes that are a key or its id: 32 hexadecimal digits (also
 * after {@code 0x}), a UUID (RFC 9562 §4, also in braces or after {@code urn:uuid:}), Base64 in
 * either alphabet, padded or not (RFC 4648 §4, §5).
 */
final class KeyText {
  private static final int BYTES = 16;
  private static final Pattern WRAPPED =
      Pattern.compile("(?:[uU][rR][nN]:[uU][uU][iI][dD]:)?(?:\\{(.*)\\}|(.*))");
  private static final Pattern DIGITS = Pattern.compile("(?:0[xX])?([0-9a-fA-F]{32})");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern BASE64 = Pattern.compile("([A-Za-z0-9+/]{22})(?:==)?");

  private KeyText() {}

  /** The 16 bytes; absent if it is none of these. */
  static Optional<byte[]> bytes(String text) {
    Matcher wrapped = WRAPPED.matcher(text.strip());
    if (!wrapped.matches()) {
      return Optional.empty();
    }
    String bare = wrapped.group(1) != null ? wrapped.group(1) : wrapped.group(2);
    Matcher digits = DIGITS.matcher(UUID.matcher(bare).matches() ? bare.replace("-", "") : bare);
    return digits.matches() ? Optional.of(HexFormat.of().parseHex(digits.group(1))) : base64(bare);
  }

  /** A blank in it is a plus sign that nobody has escaped. */
  private static Optional<byte[]> base64(String text) {
    Matcher form = BASE64.matcher(text.replace(' ', '+').replace('-', '+').replace('_', '/'));
    return form.matches()
        ? Optional.of(Base64.getDecoder().decode(form.group(1))).filter(b -> b.length == BYTES)
        : Optional.empty();
  }
}
