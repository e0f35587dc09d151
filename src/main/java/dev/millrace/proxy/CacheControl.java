package dev.millrace.proxy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Whom an answer may be kept for (RFC 9111 §5.2.2): its viewer, never the next one. A cache between
 * would hand it out after the link has expired, from other addresses, and without the password.
 */
final class CacheControl {
  private static final Set<String> OF_SHARED_CACHES =
      Set.of("public", "s-maxage", "proxy-revalidate");

  private CacheControl() {}

  /**
   * What the origin says, less what it allows shared caches.
   *
   * @param value of the field; empty if there is none
   */
  static String forViewer(String value) {
    List<String> directives =
        Arrays.stream(value.split(",", -1))
            .map(String::strip)
            .filter(Predicate.not(String::isEmpty))
            .toList();
    boolean isKeptFromOthers =
        directives.stream()
            .map(directive -> directive.toLowerCase(Locale.ROOT))
            .anyMatch(Set.of("no-store", "private")::contains);
    if (isKeptFromOthers) {
      return value;
    }
    return String.join(
        ", ",
        Stream.concat(
                Stream.of("private"),
                directives.stream().filter(d -> !OF_SHARED_CACHES.contains(name(d))))
            .toList());
  }

  private static String name(String directive) {
    int equals = directive.indexOf('=');
    return (equals < 0 ? directive : directive.substring(0, equals))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
