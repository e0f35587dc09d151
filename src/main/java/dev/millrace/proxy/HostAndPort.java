package dev.millrace.proxy;

import dev.millrace.upstream.IpAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@code Host} field names (RFC 9110 §7.2, RFC 3986 §3.2). Of the names that RFC allows only
 * those of letters, digits, hyphens, dots and underscores are: what goes into addresses that we
 * give out holds nothing that means something to HTML, shells or other parsers of addresses.
 *
 * @param host lower case, an IPv6 address in brackets
 */
record HostAndPort(String host, OptionalInt port) {
  static final int MAX_LENGTH = 255;

  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9._-]+|\\[([0-9A-Fa-f:.]+)\\])(?::([0-9]{1,5}))?");

  /** Absent if it is odd. */
  static Optional<HostAndPort> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (text.length() > MAX_LENGTH || !parts.matches() || text.startsWith(".")) {
      return Optional.empty();
    }
    OptionalInt port = parts.group(3) == null ? OptionalInt.empty() : port(parts.group(3));
    boolean isAddress = parts.group(2) == null || IpAddress.parse(parts.group(2)).isPresent();
    return isAddress && (parts.group(3) == null || port.isPresent())
        ? Optional.of(new HostAndPort(parts.group(1).toLowerCase(Locale.ROOT), port))
        : Optional.empty();
  }

  /** 1 to 65535; absent if it is anything else. */
  static OptionalInt port(String text) {
    if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> '0' <= c && c <= '9')) {
      return OptionalInt.empty();
    }
    int port = Integer.parseInt(text);
    return port >= 1 && port <= 65_535 ? OptionalInt.of(port) : OptionalInt.empty();
  }

  /** The same on this port, unless it names one. */
  HostAndPort or(OptionalInt other) {
    return port.isPresent() ? this : new HostAndPort(host, other);
  }

  /** As it stands in an address of this scheme: without the port that is the scheme's. */
  String authority(String scheme) {
    int schemesOwn = scheme.equals("https") ? 443 : 80;
    return port.isEmpty() || port.getAsInt() == schemesOwn ? host : host + ":" + port.getAsInt();
  }
}
