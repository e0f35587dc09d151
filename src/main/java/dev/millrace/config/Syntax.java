package dev.millrace.config;

import dev.millrace.upstream.RouteConfig;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How the text of a setting is read and written.
 *
 * @param expectation what is accepted, as a noun phrase that follows "expected:"
 * @param reader text, stripped and not empty, to value; throws {@link IllegalArgumentException}
 * @param writer value to the text that reads back as the same value
 * @param foreign tells texts that are meant for other programs; they count as unset
 */
record Syntax<T>(
    String expectation,
    Function<String, T> reader,
    Function<T, String> writer,
    Predicate<String> foreign) {
  private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final Pattern SIGNED_DECIMAL = Pattern.compile("[+-]?[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})([kmg]?)(i?b)?");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.%a-z]+");
  private static final Pattern HOST_PORT = Pattern.compile("(\\[[^\\]]+\\]|[^:]*):([0-9]{1,5})");
  private static final String UNITS = "kmg";

  Syntax(String expectation, Function<String, T> reader, Function<T, String> writer) {
    this(expectation, reader, writer, text -> false);
  }

  /** The same, but such texts are meant for other programs that know the name too. */
  Syntax<T> except(Predicate<String> meantForOthers) {
    return new Syntax<>(expectation, reader, writer, meantForOthers);
  }

  T parse(String text) {
    return reader.apply(text);
  }

  String format(T value) {
    return writer.apply(value);
  }

  static <T> Syntax<Optional<T>> optional(Syntax<T> syntax) {
    return new Syntax<>(
        syntax.expectation,
        text -> Optional.of(syntax.parse(text)),
        value -> value.map(syntax::format).orElse(""));
  }

  /** One line of printable ASCII: what may stand in a header field. */
  static Syntax<String> line(int maxLength) {
    return new Syntax<>(
        "one line of printable ASCII, at most " + maxLength + " characters",
        text -> require(text, text.length() <= maxLength && text.matches("[ -~]+")),
        Function.identity());
  }

  /** The path of a file, relative to the working directory; it need not exist. */
  static Syntax<Path> file() {
    return new Syntax<>("the path of a file", Path::of, Path::toString);
  }

  /** Any text. */
  static Syntax<String> secret() {
    return new Syntax<>("any text", Function.identity(), Function.identity());
  }

  /** Any text but the one that everybody knows. */
  static Syntax<String> password(String published) {
    return new Syntax<>(
        "a password of your own; '" + published + "' is published and refused",
        text -> require(text, !text.equalsIgnoreCase(published)),
        Function.identity());
  }

  static Syntax<Integer> wholeNumber(int min, int max) {
    return new Syntax<>(
        "a whole number from " + min + " to " + max,
        text -> {
          int value = Integer.parseInt(text);
          return require(value, min <= value && value <= max);
        },
        String::valueOf);
  }

  /** Seconds, with decimals; both bounds are included. */
  static Syntax<Duration> seconds(Duration min, Duration max) {
    return new Syntax<>(
        "seconds from " + writeSeconds(min) + " to " + writeSeconds(max) + ", decimals allowed",
        text -> {
          require(text, DECIMAL.matcher(text).matches());
          long nanos = new BigDecimal(text).multiply(NANOS).longValueExact();
          Duration value = Duration.ofNanos(nanos);
          return require(value, value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
        },
        Syntax::writeSeconds);
  }

  /** A number, decimals allowed, both bounds included; or the word {@code off}. */
  static Syntax<Optional<Double>> decimalOrOff(int min, int max) {
    return new Syntax<>(
        "a number from " + min + " to " + max + ", decimals allowed, or off",
        text -> {
          if (text.equalsIgnoreCase("off")) {
            return Optional.empty();
          }
          require(text, SIGNED_DECIMAL.matcher(text).matches());
          double value = Double.parseDouble(text);
          return Optional.of(require(value, min <= value && value <= max));
        },
        value -> value.map(number -> BigDecimal.valueOf(number).toPlainString()).orElse("off"));
  }

  /** Bytes, with {@code k}, {@code m} or {@code g} for powers of 1024. */
  static Syntax<Long> size(long minBytes, long maxBytes) {
    return new Syntax<>(
        "a size from "
            + writeSize(minBytes)
            + " to "
            + writeSize(maxBytes)
            + " (bytes, or with k, m, g)",
        text -> {
          long value = readSize(text);
          return require(value, minBytes <= value && value <= maxBytes);
        },
        Syntax::writeSize);
  }

  static Syntax<Boolean> onOff() {
    return new Syntax<>(
        "true or false (1, 0, yes, no, on, off)",
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true", "1", "yes", "y", "on", "t" -> true;
              case "false", "0", "no", "n", "off", "f" -> false;
              default -> throw new IllegalArgumentException(text);
            },
        String::valueOf);
  }

  static Syntax<String> host() {
    return new Syntax<>("a host name or address to bind", Syntax::readHost, Function.identity());
  }

  /** {@code host:port}; no host means every address, as it does for servers that use this form. */
  static Syntax<BindAddress> bindAddress() {
    return new Syntax<>(
        "host:port, such as 0.0.0.0:8888 or [::]:8888",
        text -> {
          Matcher parts = HOST_PORT.matcher(text);
          require(text, parts.matches());
          String host = parts.group(1).isEmpty() ? "0.0.0.0" : parts.group(1);
          int port = Integer.parseInt(parts.group(2));
          require(port, port <= 65_535);
          return new BindAddress(readHost(host), port);
        },
        BindAddress::toString);
  }

  /**
   * Comma list; empty entries are left out.
   *
   * @param check refuses lists with {@link IllegalArgumentException}
   */
  static Syntax<List<String>> list(String expectation, UnaryOperator<List<String>> check) {
    return new Syntax<>(
        "a comma list of " + expectation,
        text ->
            check.apply(
                Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .filter(entry -> !entry.isEmpty())
                    .toList()),
        entries -> String.join(",", entries));
  }

  /** A check whose words are no secret, and are told instead of the whole text. */
  static <T> UnaryOperator<T> explained(UnaryOperator<T> check) {
    return value -> {
      try {
        return check.apply(value);
      } catch (IllegalArgumentException e) {
        throw new SyntaxException(String.valueOf(e.getMessage()));
      }
    };
  }

  static <E extends Enum<E>> Syntax<E> oneOf(Class<E> type, Function<String, E> reader) {
    return new Syntax<>(
        Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", ")),
        text -> reader.apply(text.toUpperCase(Locale.ROOT)),
        Enum::name);
  }

  /** Address of a forward proxy; a secret. */
  static Syntax<String> proxyUrl() {
    return new Syntax<>(
        "scheme://[user:password@]host[:port], the scheme one of http, https, socks4, socks4a,"
            + " socks5, socks5h",
        RouteConfig::checkedProxyUrl,
        Function.identity());
  }

  private static <V> V require(V value, boolean accepted) {
    if (!accepted) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static String readHost(String text) {
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    String host = bracketed ? text.substring(1, text.length() - 1) : text;
    return require(host, HOST.matcher(host).matches());
  }

  private static String writeSeconds(Duration value) {
    BigDecimal seconds = BigDecimal.valueOf(value.toNanos()).divide(NANOS);
    return seconds.stripTrailingZeros().toPlainString();
  }

  private static long readSize(String text) {
    Matcher parts = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    require(text, parts.matches());
    int power = parts.group(2).isEmpty() ? 0 : UNITS.indexOf(parts.group(2)) + 1;
    return Math.multiplyExact(Long.parseLong(parts.group(1)), 1L << (10 * power));
  }

  private static String writeSize(long bytes) {
    int power = 0;
    long rest = bytes;
    while (power < UNITS.length() && rest >= 1024 && rest % 1024 == 0) {
      rest /= 1024;
      power++;
    }
    return power == 0 ? String.valueOf(rest) : rest + UNITS.substring(power - 1, power);
  }
}
