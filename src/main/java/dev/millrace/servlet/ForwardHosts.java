package dev.millrace.servlet;

import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.IpAddress;
import dev.millrace.upstream.Target;
import java.util.List;

/**
 * To which hosts requests may be forwarded: names and addresses as the operator lists them, {@code
 * *.domain} for a domain and all below it. Which addresses a name may lead to is another matter,
 * that of {@code TargetPolicy}.
 */
final class ForwardHosts {
  private static final String ALL_BELOW = "*.";

  private final List<String> allowed;
  private final List<String> denied;

  /** Takes entries that {@link ForwardConfig#checkedHosts} has passed. */
  ForwardHosts(ForwardConfig config) {
    this.allowed = checked(config.allowedHosts());
    this.denied = checked(config.deniedHosts());
  }

  /**
   * The entries in the one spelling that targets have.
   *
   * @throws IllegalArgumentException naming the first that is no host
   */
  static List<String> checked(List<String> entries) {
    return entries.stream().map(ForwardHosts::checked).toList();
  }

  private static String checked(String entry) {
    boolean isDomain = entry.startsWith(ALL_BELOW);
    String host = isDomain ? entry.substring(ALL_BELOW.length()) : entry;
    boolean isAddress = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    try {
      if (host.matches(".*[/?#@\\[\\]].*") || (isDomain && isAddress)) {
        throw new IllegalArgumentException(entry + " (expected: a host name or *.domain)");
      }
      String authority = host.indexOf(':') < 0 ? host : "[" + host + "]";
      String name = canonical(Target.parse("http://" + authority + "/").host());
      return isDomain ? ALL_BELOW + name : name;
    } catch (BadTargetException e) {
      throw new IllegalArgumentException(entry + " (expected: a host name or *.domain)", e);
    }
  }

  /** One spelling of what leads to one place: no root's dot, one form of each address. */
  private static String canonical(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    return IpAddress.parse(name).map(IpAddress::toString).orElse(name); // mapped ones are IPv4
  }

  /**
   * @throws ForwardException (403) if the operator has not allowed it, or has denied it
   */
  void check(Target destination) throws ForwardException {
    String host = canonical(destination.host());
    if (denied.stream().anyMatch(entry -> covers(entry, host))) {
      throw ForwardException.hostDenied();
    }
    if (!allowed.isEmpty() && allowed.stream().noneMatch(entry -> covers(entry, host))) {
      throw ForwardException.hostNotAllowed();
    }
  }

  private static boolean covers(String entry, String host) {
    if (!entry.startsWith(ALL_BELOW)) {
      return entry.equals(host);
    }
    String domain = entry.substring(ALL_BELOW.length());
    return host.equals(domain) || host.endsWith("." + domain);
  }
}
