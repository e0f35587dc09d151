package dev.millrace.proxy;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of a client, whatever its spelling: brackets and zones are dropped, an IPv4 address
 * mapped into IPv6 (RFC 4291 §2.5.5.2) is the IPv4 address.
 */
record ClientAddress(InetAddress address) {
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
  private static final int SUBNET_OCTETS = 8;

  /** Absent if it is no IP literal; no name service is asked. */
  static Optional<ClientAddress> parse(String literal) {
    try {
      if (IPV4.matcher(literal).matches()) {
        return Optional.of(new ClientAddress(InetAddress.getByName(literal)));
      }
      String bare = withoutZone(withoutBrackets(literal));
      if (bare.indexOf(':') < 0 || !IPV6.matcher(bare).matches()) {
        return Optional.empty();
      }
      // brackets keep the JDK from asking a name server
      return Optional.of(new ClientAddress(InetAddress.getByName("[" + bare + "]")));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static String withoutBrackets(String literal) {
    return literal.startsWith("[") && literal.endsWith("]")
        ? literal.substring(1, literal.length() - 1)
        : literal;
  }

  private static String withoutZone(String literal) {
    int percent = literal.indexOf('%');
    return percent < 0 ? literal : literal.substring(0, percent);
  }

  /**
   * Whoever shares it counts as one: the IPv4 address, or the first 64 bits of the IPv6 address,
   * behind which one subscriber can have any (RFC 6177 §2, RFC 4291 §2.5.4).
   */
  String subscriber() {
    if (address instanceof Inet4Address) {
      return String.valueOf(address.getHostAddress());
    }
    byte[] subnet = Arrays.copyOf(address.getAddress(), SUBNET_OCTETS);
    return HexFormat.ofDelimiter(":").formatHex(subnet);
  }
}
