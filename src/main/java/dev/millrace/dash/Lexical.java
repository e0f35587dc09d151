package dev.millrace.dash;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How values are written in an MPD (W3C XML Schema Part 2, and ISO/IEC 23009-1 §5.3). What is not
 * written so, or is beyond our limits, is empty: the attribute counts as absent.
 */
final class Lexical {
  /** Of a duration: about 34,000 years. */
  static final long MAX_SECONDS = 1L << 40;

  /** Of media times. */
  static final long MAX_TICKS = 1L << 61;

  private static final Pattern DURATION =
      Pattern.compile(
          "P(?:(\\d{1,9})Y)?(?:(\\d{1,9})M)?(?:(\\d{1,9})D)?"
              + "(T(?:(\\d{1,9})H)?(?:(\\d{1,9})M)?(?:(\\d{1,13}(?:\\.\\d{1,30})?)S)?)?");
  private static final Pattern INTEGER = Pattern.compile("\\+?\\d{1,19}");
  private static final Pattern RATE =
      Pattern.compile("(\\d{1,9})/(\\d{1,9})|\\d{1,9}(\\.\\d{1,9})?");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{0,18})");
  private static final Instant EARLIEST = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private Lexical() {}

  /**
   * {@code xs:duration} that is not negative. Years and months are none of a fixed length, and may
   * only be 0.
   */
  static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    boolean isDuration =
        matcher.matches() && !text.strip().endsWith("P") && !"T".equals(matcher.group(4));
    if (!isDuration || integer(matcher.group(1)) + integer(matcher.group(2)) > 0) {
      return Optional.empty();
    }
    Duration whole =
        Duration.ofDays(integer(matcher.group(3)))
            .plusHours(integer(matcher.group(5)))
            .plusMinutes(integer(matcher.group(6)))
            .plus(seconds(matcher.group(7)));
    return Optional.of(whole).filter(duration -> duration.toSeconds() < MAX_SECONDS);
  }

  private static long integer(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static Duration seconds(@Nullable String text) {
    if (text == null) {
      return Duration.ZERO;
    }
    BigInteger nanos =
        new BigDecimal(text).movePointRight(9).setScale(0, RoundingMode.DOWN).toBigInteger();
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(1_000_000_000));
    return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
  }

  /** {@code xs:dateTime} of the years 1900 to 9999; without a zone it is UTC. */
  static Optional<Instant> dateTime(String text) {
    try {
      TemporalAccessor time =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text.strip(), OffsetDateTime::from, LocalDateTime::from);
      Instant instant =
          time instanceof OffsetDateTime zoned
              ? zoned.toInstant()
              : LocalDateTime.from(time).toInstant(ZoneOffset.UTC);
      return Optional.of(instant)
          .filter(known -> !known.isBefore(EARLIEST) && !known.isAfter(LATEST));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** {@code xs:unsignedLong} below {@link #MAX_TICKS}. */
  static OptionalLong unsigned(String text) {
    String digits = text.strip();
    if (!INTEGER.matcher(digits).matches()) {
      return OptionalLong.empty();
    }
    BigInteger value = new BigInteger(digits);
    return value.bitLength() > 61 ? OptionalLong.empty() : OptionalLong.of(value.longValue());
  }

  /** {@code xs:integer} within 32 bits. */
  static OptionalLong integerOf(String text) {
    String digits = text.strip();
    OptionalLong value = unsigned(digits.startsWith("-") ? digits.substring(1) : digits);
    return value.isPresent() && value.getAsLong() <= Integer.MAX_VALUE
        ? OptionalLong.of(digits.startsWith("-") ? -value.getAsLong() : value.getAsLong())
        : OptionalLong.empty();
  }

  /** {@code xs:double} that is not negative: seconds; {@code INF} too. */
  static double seconds(String text, double otherwise) {
    String number = text.strip();
    if (number.equals("INF") || number.equals("+INF")) {
      return Double.POSITIVE_INFINITY;
    }
    boolean isNumber =
        number.matches("\\+?(\\d{1,15}(\\.\\d{0,15})?|\\.\\d{1,15})([eE][+-]?\\d{1,2})?");
    return isNumber ? Double.parseDouble(number) : otherwise;
  }

  /** {@code first-last} or {@code first-}, as in a {@code Range} header (§5.3.9.2.2). */
  static Optional<String> range(String text) {
    Matcher matcher = RANGE.matcher(text.strip());
    boolean isRange =
        matcher.matches()
            && (matcher.group(2).isEmpty()
                || Long.parseLong(matcher.group(1)) <= Long.parseLong(matcher.group(2)));
    return isRange ? Optional.of(text.strip()) : Optional.empty();
  }

  /**
   * {@code 30000/1001}, {@code 25} or {@code 23.976} as {@code 29.97}, {@code 25.0}, {@code
   * 23.976}.
   */
  static Optional<String> frameRate(String text) {
    Matcher matcher = RATE.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean isFraction = matcher.group(2) != null;
    BigDecimal divisor = isFraction ? new BigDecimal(matcher.group(2)) : BigDecimal.ONE;
    BigDecimal rate = new BigDecimal(isFraction ? matcher.group(1) : text.strip());
    if (divisor.signum() == 0 || rate.signum() == 0) {
      return Optional.empty();
    }
    BigDecimal rounded = rate.divide(divisor, 3, RoundingMode.HALF_UP).stripTrailingZeros();
    return Optional.of(rounded.setScale(Math.max(1, rounded.scale())).toPlainString())
        .filter(decimal -> !decimal.equals("0.0"));
  }

  /** 32 hexadecimal digits, dashes left out; of several the first. */
  static Optional<String> keyId(String text) {
    String digits = text.strip().split("\\s+", 2)[0].replace("-", "").toLowerCase(Locale.ROOT);
    return Optional.of(digits).filter(hex -> hex.matches("[0-9a-f]{32}"));
  }
}
