package dev.millrace.hls;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One {@code EXT-X-KEY} (RFC 8216bis §4.4.4.4).
 *
 * @param line as it stands in the playlist, without its end
 * @param keyFormat {@code identity} if absent
 * @param address absolute address of the key; empty if it is none of {@code http} or {@code https}
 * @param vector the IV as 32 hexadecimal digits; empty if absent
 * @param isWellFormed false if there is an IV that is none
 */
record SegmentKey(
    String line,
    String method,
    String keyFormat,
    String address,
    String vector,
    boolean isWellFormed) {
  static final SegmentKey NONE =
      new SegmentKey("#EXT-X-KEY:METHOD=NONE", "NONE", "identity", "", "", true);

  private static final String IDENTITY = "identity";
  private static final int VECTOR_DIGITS = 32;

  /**
   * Reads the line that {@code lines} stands at.
   *
   * @param absolute makes an address absolute; empty for those that lead elsewhere
   */
  static SegmentKey read(PlaylistLines lines, UnaryOperator<String> absolute) {
    String method = "";
    String keyFormat = IDENTITY;
    String address = "";
    Optional<String> vector = Optional.of("");
    AttributeList attributes = lines.attributes();
    while (attributes.next()) {
      if (attributes.isNamed("METHOD")) {
        method = attributes.value();
      } else if (attributes.isNamed("KEYFORMAT")) {
        keyFormat = attributes.value();
      } else if (attributes.isNamed("URI")) {
        address = absolute.apply(attributes.value());
      } else if (attributes.isNamed("IV")) {
        vector = vector(attributes.value());
      }
    }
    return new SegmentKey(
        lines.text(), method, keyFormat, address, vector.orElse(""), vector.isPresent());
  }

  /** {@code 0x} and up to 32 digits; fewer count from the right. */
  private static Optional<String> vector(String value) {
    String digits = value.toLowerCase(Locale.ROOT);
    if (!digits.startsWith("0x") || digits.length() > VECTOR_DIGITS + 2 || digits.length() == 2) {
      return Optional.empty();
    }
    digits = digits.substring(2);
    boolean isHexadecimal = digits.chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0);
    return isHexadecimal
        ? Optional.of("0".repeat(VECTOR_DIGITS - digits.length()) + digits)
        : Optional.empty();
  }

  boolean isNone() {
    return method.equals("NONE");
  }

  /** Whether the number of the segment is the IV. */
  boolean isSequenceBound() {
    return keyFormat.equals(IDENTITY) && vector.isEmpty() && isWellFormed && !isNone();
  }

  /** Whether whoever fetches the key can decrypt whole segments (§4.4.4.4, AES-128). */
  boolean isClearable() {
    return method.equals("AES-128")
        && keyFormat.equals(IDENTITY)
        && isWellFormed
        && !address.isEmpty();
  }

  /** Whether samples are encrypted, not segments (§4.4.4.4): who has the key knows which. */
  boolean isOfSamples() {
    return method.equals("SAMPLE-AES") || method.equals("SAMPLE-AES-CTR");
  }

  /** As it has to be for the segment of that number, wherever that stands now. */
  SegmentKey of(long mediaSequence) {
    if (!isSequenceBound()) {
      return this;
    }
    String explicit = vectorOf(mediaSequence);
    return new SegmentKey(
        line + ",IV=0x" + explicit, method, keyFormat, address, explicit, isWellFormed);
  }

  /** What a link carries for the segment of that number. */
  Map<String, String> carried(long mediaSequence) {
    return Map.of(
        ClearKeys.KEY_PARAMETER,
        address,
        ClearKeys.VECTOR_PARAMETER,
        vector.isEmpty() ? vectorOf(mediaSequence) : vector);
  }

  private static String vectorOf(long mediaSequence) {
    String digits = Long.toHexString(mediaSequence);
    return "0".repeat(VECTOR_DIGITS - digits.length()) + digits;
  }
}
