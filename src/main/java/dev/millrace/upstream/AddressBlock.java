package dev.millrace.upstream;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A block of IPv4 (RFC 4632 §3.1) or IPv6 (RFC 4291 §2.3) addresses with a common prefix. */
public final class AddressBlock {
  private static final List<AddressBlock> IPV4_IN_LAST_OCTETS =
      all(
          "::/96", // IPv4-compatible, RFC 4291 §2.5.5.1
          "::ffff:0:0/96", // IPv4-mapped, RFC 4291 §2.5.5.2
          "::ffff:0:0:0/96", // IPv4-translated, RFC 2765 §2.1
          "64:ff9b::/96"); // NAT64, RFC 6052 §2.1
  private static final AddressBlock SIX_TO_FOUR = of("2002::/16");
  private static final AddressBlock TEREDO = of("2001::/32");

  private final byte[] prefix;
  private final int bits;

  private AddressBlock(byte[] prefix, int bits) {
    this.prefix = prefix;
    this.bits = bits;
  }

  /**
   * Reads a block.
   *
   * @param text an address, or an address, a slash and the length of the prefix; bits beyond it are
   *     ignored
   * @throws BadTargetException if it is neither
   */
  public static AddressBlock parse(String text) throws BadTargetException {
    int slash = text.indexOf('/');
    byte[] address = octets(slash < 0 ? text : text.substring(0, slash));
    int bits = slash < 0 ? address.length * 8 : prefixLength(text.substring(slash + 1));
    if (bits > address.length * 8) {
      throw new BadTargetException("prefix: too long for the address");
    }
    return bits >= 96 && isMapped(address)
        ? new AddressBlock(Arrays.copyOfRange(address, 12, 16), bits - 96)
        : new AddressBlock(address, bits);
  }

  /** Whether it is an IPv4 address as an IPv6 socket sees it (RFC 4291 §2.5.5.2). */
  static boolean isMapped(byte[] address) {
    return IPV4_IN_LAST_OCTETS.get(1).contains(address);
  }

  /** 4 or 16 of them, no name service asked. */
  static byte[] octets(String address) throws BadTargetException {
    if (address.indexOf(':') >= 0) {
      return HostName.ipv6(address);
    }
    if (!HostName.isDottedQuad(address)) {
      throw new BadTargetException("address: not an address (expected: IPv4 or IPv6)");
    }
    String[] numbers = address.split("\\.", -1);
    byte[] octets = new byte[4];
    for (int i = 0; i < 4; i++) {
      octets[i] = (byte) Integer.parseInt(numbers[i]);
    }
    return octets;
  }

  private static int prefixLength(String text) throws BadTargetException {
    if (!text.matches("[0-9]{1,3}")) {
      throw new BadTargetException("prefix: not a number (expected: 0 to 128)");
    }
    return Integer.parseInt(text);
  }

  /** For blocks known to be well formed. */
  static List<AddressBlock> all(String... blocks) {
    return Arrays.stream(blocks).map(AddressBlock::of).toList();
  }

  private static AddressBlock of(String block) {
    try {
      int slash = block.indexOf('/');
      return new AddressBlock(
          octets(block.substring(0, slash)), prefixLength(block.substring(slash + 1)));
    } catch (BadTargetException e) {
      throw new IllegalArgumentException(block, e);
    }
  }

  /** Whether the address is one of the block's; one of the other family never is. */
  public boolean contains(IpAddress address) {
    return contains(address.octets());
  }

  /**
   * @param address 4 or 16 octets; one of the other family is in no block
   */
  boolean contains(byte[] address) {
    if (address.length != prefix.length) {
      return false;
    }
    int octets = bits / 8;
    int mask = 0xFF00 >> bits % 8 & 0xFF;
    return Arrays.equals(address, 0, octets, prefix, 0, octets)
        && (mask == 0 || ((address[octets] ^ prefix[octets]) & mask) == 0);
  }

  /**
   * The address and every IPv4 address that packets to it may end up at: its mapped, compatible,
   * translated, NAT64, 6to4 (RFC 3056 §2) and Teredo (RFC 4380 §4, server and client) forms.
   */
  static List<byte[]> meanings(byte[] address) {
    List<byte[]> meanings = new ArrayList<>(List.of(address));
    if (IPV4_IN_LAST_OCTETS.stream().anyMatch(block -> block.contains(address))) {
      meanings.add(Arrays.copyOfRange(address, 12, 16));
    }
    if (SIX_TO_FOUR.contains(address)) {
      meanings.add(Arrays.copyOfRange(address, 2, 6));
    }
    if (TEREDO.contains(address)) {
      meanings.add(Arrays.copyOfRange(address, 4, 8));
      byte[] client = Arrays.copyOfRange(address, 12, 16);
      for (int i = 0; i < client.length; i++) {
        client[i] ^= (byte) 0xFF;
      }
      meanings.add(client);
    }
    return meanings;
  }
}
