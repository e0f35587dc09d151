package dev.millrace.hls;

import java.util.HashMap;
import java.util.Map;

/**
 * Follows the byte ranges of segments (RFC 8216bis §4.4.4.2): one without offset begins where that
 * of the segment before ends. Confined to one caller.
 */
final class ByteRangeTag {
  private static final long UNKNOWN = -1;
  private static final int MAX_DIGITS = 18;

  private long length = UNKNOWN;
  private long offset = UNKNOWN;
  private long next = UNKNOWN;
  private boolean isImplicit;

  /** Reads {@code n[@o]}; what is no such text is no range. */
  void read(String value) {
    int at = value.indexOf('@');
    isImplicit = at < 0;
    length = number(isImplicit ? value : value.substring(0, at));
    offset = isImplicit ? next : number(value.substring(at + 1));
  }

  private static long number(String text) {
    String digits = text.strip();
    boolean isNumber = !digits.isEmpty() && digits.length() <= MAX_DIGITS;
    return isNumber && digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Long.parseLong(digits)
        : UNKNOWN;
  }

  /** Whether the offset is known, though it is not said. */
  boolean isImplied() {
    return isImplicit && length != UNKNOWN && offset != UNKNOWN;
  }

  /** With its offset. */
  String value() {
    return length + "@" + offset;
  }

  /** After the segment that it applies to. */
  void endSegment() {
    next = length == UNKNOWN || offset == UNKNOWN ? UNKNOWN : offset + length;
    length = UNKNOWN;
    offset = UNKNOWN;
  }

  /** Adds what a link has to carry in place of the tag; without offset it begins at 0. */
  Map<String, String> addTo(Map<String, String> carried) {
    return addTo(ClearKeys.RANGE_PARAMETER, carried);
  }

  /** The same in another parameter. */
  Map<String, String> addTo(String parameter, Map<String, String> carried) {
    if (length <= 0) {
      return carried;
    }
    long first = Math.max(0, offset);
    Map<String, String> all = new HashMap<>(carried);
    all.put(parameter, first + "-" + (first + length - 1));
    return all;
  }
}
