package dev.millrace.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One range of bytes as a client asks for it (RFC 9110 §14.1.2): {@code first-last}, {@code
 * first-}, or, without {@code first}, the last {@code last} bytes.
 *
 * @param first offset of the first byte; absent in a suffix range
 * @param last offset of the last byte, or the length of a suffix; absent: to the end
 */
public record ByteRange(OptionalLong first, OptionalLong last) {
  /** The whole body, as a range. */
  public static final ByteRange ALL = new ByteRange(OptionalLong.of(0), OptionalLong.empty());

  private static final int MAX_DIGITS = 18;

  /**
   * Reads the value of a {@code Range} field.
   *
   * @param value may be blank
   * @return absent if the value is blank, names another unit, or several ranges
   * @throws RangeNotSatisfiableException if it cannot be read
   */
  public static Optional<ByteRange> parse(String value) throws RangeNotSatisfiableException {
    if (value.isBlank()) {
      return Optional.empty();
    }
    int equals = value.indexOf('=');
    if (equals < 0) {
      throw new RangeNotSatisfiableException();
    }
    if (!value.substring(0, equals).strip().toLowerCase(Locale.ROOT).equals("bytes")) {
      return Optional.empty();
    }
    List<ByteRange> ranges = new ArrayList<>();
    for (String part : value.substring(equals + 1).split(",", -1)) {
      if (!part.isBlank()) {
        ranges.add(one(part.strip()));
      }
    }
    if (ranges.isEmpty()) {
      throw new RangeNotSatisfiableException();
    }
    return ranges.size() > 1 ? Optional.empty() : Optional.of(ranges.get(0));
  }

  private static ByteRange one(String part) throws RangeNotSatisfiableException {
    int dash = part.indexOf('-');
    if (dash < 0 || part.length() == 1) {
      throw new RangeNotSatisfiableException();
    }
    String before = part.substring(0, dash).strip();
    String after = part.substring(dash + 1).strip();
    OptionalLong last = after.isEmpty() ? OptionalLong.empty() : number(after);
    boolean isBeyondAnyBody = !after.isEmpty() && last.isEmpty();
    if (before.isEmpty()) {
      return isBeyondAnyBody ? ALL : new ByteRange(OptionalLong.empty(), last);
    }
    OptionalLong first = number(before);
    if (first.isEmpty() || (last.isPresent() && last.getAsLong() < first.getAsLong())) {
      throw new RangeNotSatisfiableException();
    }
    return new ByteRange(first, last);
  }

  /** Absent if it is larger than any body. */
  private static OptionalLong number(String digits) throws RangeNotSatisfiableException {
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new RangeNotSatisfiableException();
    }
    String significant = digits.replaceFirst("^0+(?=.)", "");
    return significant.length() > MAX_DIGITS
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(significant));
  }

  /** The value of a {@code Range} field. */
  public String fieldValue() {
    return "bytes=" + text(first) + "-" + text(last);
  }

  private static String text(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "";
  }
}
