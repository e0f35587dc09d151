package dev.millrace.upstream;

import java.net.IDN;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The one spelling of a host (RFC 3986 §3.2.2): lower-case ASCII, IPv6 as RFC 5952 has it and
 * without brackets.
 *
 * <p>Underscores are let through, which DNS allows and RFC 952 does not. A host that resolvers
 * would read as an IPv4 address must be a plain dotted quad: {@code 0177.0.0.1} and {@code
 * 2130706433} are addresses to some and names to others, and a policy on targets must not depend on
 * which.
 */
final class HostName {
  private static final int MAX_LENGTH = 253;
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,63}(\\.[a-z0-9_-]{1,63})*\\.?");
  private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)\\.?");
  private static final Pattern DOTTED_QUAD =
      Pattern.compile(
          "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private HostName() {}

  /**
   * @param raw a name or IPv4 address as it stands in a URL
   * @throws BadTargetException if it is empty, too long, escaped, no name, or an odd number
   */
  static String ofName(String raw) throws BadTargetException {
    if (raw.isEmpty()) {
      throw new BadTargetException("host: empty (expected: a name or an address)");
    }
    String name = toAscii(raw).toLowerCase(Locale.ROOT);
    int length = name.endsWith(".") ? name.length() - 1 : name.length();
    if (length > MAX_LENGTH) {
      throw new BadTargetException("host: too long (expected: at most 253 characters)");
    }
    if (!NAME.matcher(name).matches()) {
      throw new BadTargetException("host: not a host name (expected: letters, digits, - _ and .)");
    }
    if (ENDS_IN_NUMBER.matcher(name).matches() && !DOTTED_QUAD.matcher(name).matches()) {
      throw new BadTargetException("host: unusual number (expected: an address like 192.0.2.1)");
    }
    return name;
  }

  private static String toAscii(String raw) throws BadTargetException {
    if (raw.chars().allMatch(c -> c < 0x80)) {
      return raw;
    }
    try {
      return IDN.toASCII(raw, IDN.ALLOW_UNASSIGNED);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new BadTargetException("host: not an internationalised name");
    }
  }

  static boolean isDottedQuad(String host) {
    return DOTTED_QUAD.matcher(host).matches();
  }

  /**
   * @param raw the text between the brackets
   * @throws BadTargetException if it is no IPv6 address or has a zone
   */
  static String ofIpv6(String raw) throws BadTargetException {
    return canonical(ipv6(raw));
  }

  /** The 16 octets of an IPv6 address, no name service asked. */
  static byte[] ipv6(String raw) throws BadTargetException {
    if (raw.indexOf('%') >= 0) {
      throw new BadTargetException("host: IPv6 zone (expected: an address without one)");
    }
    if (!IPV6.matcher(raw).matches()) {
      throw notIpv6();
    }
    try {
      // brackets keep the JDK from asking a name server
      InetAddress address = InetAddress.getByName("[" + raw + "]");
      return address instanceof Inet4Address ? mapped(address.getAddress()) : address.getAddress();
    } catch (UnknownHostException e) {
      throw notIpv6();
    }
  }

  private static byte[] mapped(byte[] ipv4) {
    byte[] ipv6 = new byte[16];
    ipv6[10] = (byte) 0xFF;
    ipv6[11] = (byte) 0xFF;
    System.arraycopy(ipv4, 0, ipv6, 12, 4);
    return ipv6;
  }

  /** RFC 5952 §4: no leading zeros, the first longest run of two or more zero groups as "::". */
  static String canonical(byte[] address) {
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = ((address[2 * i] & 0xFF) << 8) | (address[2 * i + 1] & 0xFF);
    }
    int runStart = 8;
    int runLength = 1;
    for (int i = 0; i < 8; i++) {
      int length = zerosFrom(groups, i);
      if (length > runLength) {
        runStart = i;
        runLength = length;
      }
    }
    if (runStart == 8) {
      return joined(groups, 0, 8);
    }
    return joined(groups, 0, runStart) + "::" + joined(groups, runStart + runLength, 8);
  }

  private static int zerosFrom(int[] groups, int from) {
    int to = from;
    while (to < groups.length && groups[to] == 0) {
      to++;
    }
    return to - from;
  }

  private static String joined(int[] groups, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i > from ? ":" : "").append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }

  private static BadTargetException notIpv6() {
    return new BadTargetException("host: not an IPv6 address");
  }
}
