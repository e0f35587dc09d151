package dev.millrace.cache;

import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How long an origin lets others hand out its answer (RFC 9111 §4.2.1, §5.2.2, §5.3). What it does
 * not say is left to us; nothing is ever asked again with a condition.
 */
final class Freshness {
  private Freshness() {}

  /**
   * From the arrival of the answer on.
   *
   * @return zero if only those may have it who ask while it arrives; absent if it says nothing
   */
  static Optional<Duration> of(Headers headers) {
    Map<String, String> directives = directives(headers);
    if (directives.containsKey("no-store")
        || directives.containsKey("no-cache")
        || directives.containsKey("private")) {
      return Optional.of(Duration.ZERO);
    }
    for (String name : new String[] {"s-maxage", "max-age"}) {
      if (directives.containsKey(name)) {
        return Optional.of(lessAge(seconds(directives.getOrDefault(name, "")), headers));
      }
    }
    return headers
        .first("Expires")
        .map(expires -> lessAge(untilExpires(expires, headers), headers));
  }

  private static Map<String, String> directives(Headers headers) {
    Map<String, String> directives = new HashMap<>();
    for (Header line : headers) {
      if (line.is("Cache-Control")) {
        Arrays.stream(line.value().split(",", -1))
            .map(directive -> directive.strip().toLowerCase(Locale.ROOT).split("\\s*=\\s*", 2))
            .forEach(pair -> directives.putIfAbsent(pair[0], pair.length > 1 ? pair[1] : ""));
      }
    }
    return directives;
  }

  /** What cannot be read is stale (§4.2.1). */
  private static Duration seconds(String text) {
    String digits = text.replace("\"", "").strip();
    return digits.matches("\\d{1,10}") ? Duration.ofSeconds(Long.parseLong(digits)) : Duration.ZERO;
  }

  private static Duration lessAge(Duration lifetime, Headers headers) {
    Duration age = headers.first("Age").map(Freshness::seconds).orElse(Duration.ZERO);
    Duration left = lifetime.minus(age);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** By the origin's clock on both sides; without it, it is stale. */
  private static Duration untilExpires(String expires, Headers headers) {
    Optional<ZonedDateTime> end = date(expires);
    Optional<ZonedDateTime> start = headers.first("Date").flatMap(Freshness::date);
    return end.isPresent() && start.isPresent()
        ? Duration.between(start.get(), end.get())
        : Duration.ZERO;
  }

  private static Optional<ZonedDateTime> date(String text) {
    try {
      return Optional.of(ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
