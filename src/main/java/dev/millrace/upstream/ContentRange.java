package dev.millrace.upstream;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes a 206 holds (RFC 9110 §14.4).
 *
 * @param first offset of its first byte, ≥ 0
 * @param last offset of its last byte, ≥ {@code first}
 * @param total length of the whole; absent if the origin does not say
 */
public record ContentRange(long first, long last, OptionalLong total) {
  private static final Pattern SATISFIED =
      Pattern.compile(
          "bytes[ =]+0*(\\d{1,18})\\s*-\\s*0*(\\d{1,18})(?:\\s*/\\s*(?:0*(\\d{1,18})|\\*)?)?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern UNSATISFIED =
      Pattern.compile("bytes[ =]+\\*\\s*/\\s*0*(\\d{1,18})", Pattern.CASE_INSENSITIVE);

  public ContentRange {
    if (first < 0 || last < first || (total.isPresent() && total.getAsLong() <= last)) {
      throw new IllegalArgumentException(
          "range: " + first + "-" + last + " of " + total + " (expected: inside the total)");
    }
  }

  /**
   * Reads the field tolerantly: a missing total counts as unknown, an equals sign as a blank.
   *
   * @return absent if it says nothing usable, {@code bytes *}{@code /N} included
   */
  public static Optional<ContentRange> parse(String value) {
    Matcher range = SATISFIED.matcher(value.strip());
    if (!range.matches()) {
      return Optional.empty();
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    String digits = range.group(3);
    OptionalLong total =
        digits == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(digits));
    return last < first || (total.isPresent() && total.getAsLong() <= last)
        ? Optional.empty()
        : Optional.of(new ContentRange(first, last, total));
  }

  /** The range that an answer states. */
  public static Optional<ContentRange> of(UpstreamHead head) {
    return head.headers().first("Content-Range").flatMap(ContentRange::parse);
  }

  /** The {@code N} of {@code bytes *}{@code /N}, as a 416 says it; absent if it is another form. */
  public static OptionalLong unsatisfiedTotal(String value) {
    Matcher total = UNSATISFIED.matcher(value.strip());
    return total.matches() ? OptionalLong.of(Long.parseLong(total.group(1))) : OptionalLong.empty();
  }

  /** Number of bytes, ≥ 1. */
  public long length() {
    return last - first + 1;
  }

  /** The value of a {@code Content-Range} field. */
  public String fieldValue() {
    return "bytes "
        + first
        + "-"
        + last
        + "/"
        + (total.isPresent() ? Long.toString(total.getAsLong()) : "*");
  }
}
