package dev.millrace.upstream;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Which addresses may be connected to: public ones, and internal ones that are listed.
 *
 * <p>It judges what a name resolved to, not the name, so the caller must connect to exactly the
 * addresses that come back, on every hop; a name that changes its mind between look-up and connect
 * then gains nothing. Internal are the special-purpose blocks of RFC 6890 that lead to this
 * machine, its links or private networks, and every IPv6 address that carries one of them.
 * Documentation blocks (RFC 5737, RFC 3849) lead nowhere and pass. Immutable.
 */
public final class TargetPolicy {
  private static final int ANY_PORT = 0;

  private static final List<AddressBlock> LOOPBACK =
      AddressBlock.all("127.0.0.0/8", "::1/128"); // RFC 1122 §3.2.1.3, RFC 4291 §2.5.3

  private static final List<AddressBlock> PRIVATE =
      AddressBlock.all(
          "10.0.0.0/8", // RFC 1918 §3
          "172.16.0.0/12",
          "192.168.0.0/16",
          "100.64.0.0/10", // shared, RFC 6598
          "fc00::/7"); // unique local, RFC 4193

  private static final List<AddressBlock> NEVER_PUBLIC =
      AddressBlock.all(
          "0.0.0.0/8", // this network, RFC 791 §3.2
          "169.254.0.0/16", // link-local, RFC 3927
          "192.0.0.0/24", // protocol assignments, RFC 6890
          "198.18.0.0/15", // benchmarks, RFC 2544
          "224.0.0.0/4", // multicast, RFC 5771
          "240.0.0.0/4", // reserved and broadcast, RFC 1112 §4
          "::/128", // unspecified
          "64:ff9b:1::/48", // local translation, RFC 8215: only its operator knows where to
          "fe80::/10", // link-local, RFC 4291 §2.5.6
          "fec0::/10", // site-local, RFC 3879
          "ff00::/8"); // multicast, RFC 4291 §2.7

  private record AddressRule(AddressBlock block, int port) {
    boolean covers(byte[] address, int targetPort) {
      return block.contains(address) && (port == ANY_PORT || port == targetPort);
    }
  }

  private record HostRule(String name, boolean isSuffix, int port) {
    boolean covers(String host, int targetPort) {
      boolean isNamed = isSuffix ? host.endsWith("." + name) : host.equals(name);
      return isNamed && (port == ANY_PORT || port == targetPort);
    }
  }

  private final List<AddressRule> addresses;
  private final List<HostRule> hosts;

  private final Predicate<InetAddress> isOfThisMachine;

  private TargetPolicy(
      List<AddressRule> addresses, List<HostRule> hosts, Predicate<InetAddress> isOfThisMachine) {
    this.addresses = List.copyOf(addresses);
    this.hosts = List.copyOf(hosts);
    this.isOfThisMachine = isOfThisMachine;
  }

  /**
   * Allows public addresses and the internal ones that are listed; a public address of this machine
   * counts as {@code loopback}: it leads to what a firewall may hide. Entries, in any case: {@code
   * loopback}, {@code private} (RFC 1918, shared and unique local addresses; neither loopback nor
   * link-local), an address, a CIDR block, a host name, {@code *.suffix} for every name below it;
   * {@code :port} after an address ({@code [v6]:port}) or a name allows only that port. Blank
   * entries are skipped.
   *
   * @throws IllegalArgumentException naming the entry that is none of these
   */
  public static TargetPolicy of(List<String> allowTargets) {
    return of(allowTargets, TargetPolicy::isOfInterface);
  }

  /** With another idea of which addresses are this machine's. */
  static TargetPolicy of(List<String> allowTargets, Predicate<InetAddress> isOfThisMachine) {
    List<AddressRule> addresses = new ArrayList<>();
    List<HostRule> hosts = new ArrayList<>();
    for (String entry : allowTargets) {
      try {
        read(entry.strip().toLowerCase(Locale.ROOT), addresses, hosts);
      } catch (BadTargetException e) {
        throw new IllegalArgumentException(
            "ALLOW_TARGETS: "
                + entry
                + " (expected: loopback, private, an address, a CIDR block, a host or host:port)",
            e);
      }
    }
    return new TargetPolicy(addresses, hosts, isOfThisMachine);
  }

  private static void read(String entry, List<AddressRule> addresses, List<HostRule> hosts)
      throws BadTargetException {
    if (entry.equals("loopback")) {
      LOOPBACK.forEach(block -> addresses.add(new AddressRule(block, ANY_PORT)));
    } else if (entry.equals("private")) {
      PRIVATE.forEach(block -> addresses.add(new AddressRule(block, ANY_PORT)));
    } else if (isAddress(entry)) {
      addresses.add(new AddressRule(AddressBlock.parse(entry), ANY_PORT));
    } else if (!entry.isEmpty()) {
      readHostAndPort(entry, addresses, hosts);
    }
  }

  private static boolean isAddress(String entry) {
    boolean isBareIpv6 = !entry.startsWith("[") && entry.indexOf(':') != entry.lastIndexOf(':');
    return isBareIpv6 || entry.indexOf('/') >= 0;
  }

  private static void readHostAndPort(
      String entry, List<AddressRule> addresses, List<HostRule> hosts) throws BadTargetException {
    boolean isSuffix = entry.startsWith("*.");
    String hostAndPort = isSuffix ? entry.substring(2) : entry;
    // a path, credentials or a second host would be cut off silently
    if (hostAndPort.chars().anyMatch(c -> "/?#@".indexOf(c) >= 0) || hostAndPort.endsWith(":")) {
      throw new BadTargetException("host: more or less than a host and a port");
    }
    Target target = Target.parse("http://" + hostAndPort);
    boolean hasPort = hostAndPort.indexOf(':', hostAndPort.indexOf(']') + 1) >= 0;
    int port = hasPort ? target.port() : ANY_PORT;
    String host = target.host();
    boolean isAddress = host.indexOf(':') >= 0 || HostName.isDottedQuad(host);
    if (isAddress && isSuffix) {
      throw new BadTargetException("host: suffix of an address");
    }
    if (isAddress) {
      addresses.add(new AddressRule(AddressBlock.parse(host), port));
    } else {
      hosts.add(new HostRule(withoutTrailingDot(host), isSuffix, port));
    }
  }

  /**
   * Those addresses that may be connected to, in the order given.
   *
   * @param host as in {@link Target#host}; brackets round an IPv6 address do no harm
   * @param resolved what the host resolved to, at least one address
   * @throws TargetRefusedException if none is left
   */
  public List<InetAddress> permitted(String host, int port, List<InetAddress> resolved)
      throws TargetRefusedException {
    if (resolved.isEmpty()) {
      throw new IllegalArgumentException("resolved: empty (expected: at least one address)");
    }
    String name = withoutTrailingDot(host.toLowerCase(Locale.ROOT));
    if (hosts.stream().anyMatch(rule -> rule.covers(name, port))) {
      return List.copyOf(resolved);
    }
    List<InetAddress> permitted =
        resolved.stream()
            .filter(address -> isPermitted(address.getAddress(), port))
            .filter(address -> isPermittedIfOwn(address, port))
            .toList();
    if (permitted.isEmpty()) {
      throw new TargetRefusedException();
    }
    return permitted;
  }

  private boolean isPermitted(byte[] address, int port) {
    return isListed(address, port)
        || AddressBlock.meanings(address).stream()
            .allMatch(meaning -> isPublic(meaning) || isListed(meaning, port));
  }

  private boolean isPermittedIfOwn(InetAddress address, int port) {
    return isListed(address.getAddress(), port)
        || isListed(InetAddress.getLoopbackAddress().getAddress(), port)
        || !isOfThisMachine.test(address);
  }

  private static boolean isOfInterface(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false; // none can be listed
    }
  }

  private boolean isListed(byte[] address, int port) {
    return addresses.stream().anyMatch(rule -> rule.covers(address, port));
  }

  private static boolean isPublic(byte[] address) {
    return !isIn(LOOPBACK, address) && !isIn(PRIVATE, address) && !isIn(NEVER_PUBLIC, address);
  }

  private static boolean isIn(List<AddressBlock> blocks, byte[] address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  private static String withoutTrailingDot(String host) {
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }
}
