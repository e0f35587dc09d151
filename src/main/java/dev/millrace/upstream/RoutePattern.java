package dev.millrace.upstream;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which targets a route is for: {@code scheme://host[:port]}.
 *
 * @param scheme none: both
 * @param host lower-case ASCII without a dot at its end; empty for any
 * @param kind how {@code host} is compared
 * @param port {@link #ANY_PORT} for any
 */
record RoutePattern(Optional<String> scheme, Kind kind, String host, int port) {
  /** From the least specific to the most. */
  enum Kind {
    ANY_HOST,
    /** The domain and every name below it. */
    DOMAIN,
    EXACT
  }

  static final int ANY_PORT = 0;

  /** More specific first: an exact host, then the longer domain, then a port, then a scheme. */
  static final Comparator<RoutePattern> BY_SPECIFICITY =
      Comparator.comparing(RoutePattern::kind)
          .thenComparing(pattern -> pattern.host.length())
          .thenComparing(pattern -> pattern.port != ANY_PORT)
          .thenComparing(pattern -> pattern.scheme.isPresent())
          .reversed();

  private static final Pattern TEXT = Pattern.compile("(http|https|all)://([^/?#@]*)/?");
  private static final Pattern ANY = Pattern.compile("\\*?(:[0-9]{1,5})?");

  /**
   * @throws BadTargetException naming the part that is wrong
   */
  static RoutePattern parse(String text) throws BadTargetException {
    Matcher parts = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new BadTargetException(
          "pattern (expected: http://, https:// or all://, then a host and perhaps a port, nothing"
              + " else)");
    }
    Optional<String> scheme = Optional.of(parts.group(1)).filter(name -> !name.equals("all"));
    String hostAndPort = parts.group(2);
    boolean isAny = ANY.matcher(hostAndPort).matches();
    boolean isDomain = !isAny && hostAndPort.startsWith("*.");
    String rest = hostAndPort.substring(isDomain ? 2 : 0);
    // any host is read as if it were a name, for the sake of the port
    Target place = Target.parse("http://" + (isAny ? rest.replaceFirst("^\\*?", "any") : rest));
    boolean hasPort = rest.indexOf(':', rest.indexOf(']') + 1) >= 0;
    if (isDomain && isAddress(place.host())) {
      throw new BadTargetException("pattern: a wildcard before an address");
    }
    return new RoutePattern(
        scheme,
        isAny ? Kind.ANY_HOST : isDomain ? Kind.DOMAIN : Kind.EXACT,
        isAny ? "" : withoutTrailingDot(place.host()),
        hasPort ? place.port() : ANY_PORT);
  }

  private static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || HostName.isDottedQuad(host);
  }

  boolean covers(Target target) {
    return (port == ANY_PORT || port == target.port())
        && scheme.map(target.scheme()::equals).orElse(true)
        && coversHost(withoutTrailingDot(target.host()));
  }

  private boolean coversHost(String name) {
    return switch (kind) {
      case ANY_HOST -> true;
      case DOMAIN -> name.equals(host) || name.endsWith("." + host);
      case EXACT -> name.equals(host);
    };
  }

  private static String withoutTrailingDot(String name) {
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }
}
