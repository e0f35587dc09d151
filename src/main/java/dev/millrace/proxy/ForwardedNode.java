package dev.millrace.proxy;

import dev.millrace.upstream.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a machine on a request's way: {@code node} of RFC 7239 §6, and an entry of the older
 * {@code X-Forwarded-For}. An address, perhaps with a port, IPv6 in brackets if so; {@code unknown}
 * and what begins with an underscore hide it.
 */
final class ForwardedNode {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([^\\]]*)\\]|([^:]*))(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?");

  private ForwardedNode() {}

  /** Absent if it is hidden, or no address. */
  static Optional<IpAddress> address(String node) {
    Optional<IpAddress> whole = IpAddress.parse(node); // IPv6 may end like a port
    if (whole.isPresent()) {
      return whole;
    }
    Matcher parts = FORM.matcher(node);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.ofNullable(parts.group(1))
        .filter(inside -> inside.indexOf(':') >= 0)
        .or(() -> Optional.ofNullable(parts.group(2)))
        .flatMap(IpAddress::parse);
  }

  /**
   * The nodes of {@code X-Forwarded-For}, the last being the nearest; empty entries count for
   * nothing (RFC 9110 §5.6.1.2).
   *
   * @param field all lines, joined by commas
   */
  static List<Optional<IpAddress>> list(String field) {
    List<Optional<IpAddress>> nodes = new ArrayList<>();
    for (String entry : field.split(",", -1)) {
      String node = entry.strip();
      if (!node.isEmpty()) {
        nodes.add(address(node));
      }
    }
    return nodes;
  }
}
