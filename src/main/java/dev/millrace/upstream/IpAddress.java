package dev.millrace.upstream;

import java.util.Arrays;
import java.util.Optional;

/**
 * An IPv4 or IPv6 address in one spelling. What is the same address to a network is equal here:
 * IPv4-mapped IPv6 (RFC 4291 §2.5.5.2) is the IPv4 address, and there is no zone (RFC 4007 §11),
 * which means something on one machine only. Immutable.
 */
public final class IpAddress {
  /** Of the longest address, mapped and with every zero written, and a zone. */
  private static final int MAX_LENGTH = 64;

  private final byte[] octets;

  private IpAddress(byte[] octets) {
    this.octets = octets;
  }

  /**
   * Reads an address as RFC 3986 §3.2.2 has it, IPv6 without brackets, perhaps with a zone.
   *
   * @return absent if it is anything else: names, IPv4 in unusual numbers, brackets, ports
   */
  public static Optional<IpAddress> parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    int zone = text.indexOf(':') < 0 ? -1 : text.indexOf('%');
    try {
      byte[] octets = AddressBlock.octets(zone < 0 ? text : text.substring(0, zone));
      return Optional.of(
          new IpAddress(
              AddressBlock.isMapped(octets) ? Arrays.copyOfRange(octets, 12, 16) : octets));
    } catch (BadTargetException e) {
      return Optional.empty();
    }
  }

  /** 4 or 16, not to be changed. */
  byte[] octets() {
    return octets;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpAddress address && Arrays.equals(octets, address.octets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(octets);
  }

  /** Dotted, or as RFC 5952 §4 has it: no brackets. */
  @Override
  public String toString() {
    if (octets.length == 16) {
      return HostName.canonical(octets);
    }
    return (octets[0] & 0xFF)
        + "."
        + (octets[1] & 0xFF)
        + "."
        + (octets[2] & 0xFF)
        + "."
        + (octets[3] & 0xFF);
  }
}
