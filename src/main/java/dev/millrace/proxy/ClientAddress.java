package dev.millrace.proxy;

import dev.millrace.upstream.IpAddress;
import java.util.Optional;

/** The address of a client, whatever its spelling; brackets do no harm. */
record ClientAddress(IpAddress address) {
  /** Absent if it is no IP literal; no name service is asked. */
  static Optional<ClientAddress> parse(String literal) {
    boolean isBracketed = literal.startsWith("[") && literal.endsWith("]") && literal.contains(":");
    String bare = isBracketed ? literal.substring(1, literal.length() - 1) : literal;
    return IpAddress.parse(bare).map(ClientAddress::new);
  }

  /**
   * Whoever shares it counts as one: the IPv4 address, or the first 64 bits of the IPv6 address,
   * behind which one subscriber can have any (RFC 6177 §2, RFC 4291 §2.5.4).
   */
  String subscriber() {
    return address.subscriber();
  }
}
