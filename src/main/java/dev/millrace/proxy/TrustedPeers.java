package dev.millrace.proxy;

import dev.millrace.upstream.AddressBlock;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which machines are front ends, so that their forwarding fields are believed. Immutable. */
final class TrustedPeers {
  static final int MAX_ENTRIES = 256;

  private static final String EVERYBODY = "*";

  private final boolean isEverybody;
  private final List<AddressBlock> blocks;

  private TrustedPeers(boolean isEverybody, List<AddressBlock> blocks) {
    this.isEverybody = isEverybody;
    this.blocks = List.copyOf(blocks);
  }

  /**
   * @param entries addresses, CIDR blocks, an asterisk
   * @throws IllegalArgumentException naming the entry that is none of these
   */
  static TrustedPeers of(List<String> entries) {
    if (entries.size() > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          entries.size() + " entries (expected: at most " + MAX_ENTRIES + ")");
    }
    List<AddressBlock> blocks = new ArrayList<>();
    for (String entry : entries) {
      if (!entry.equals(EVERYBODY)) {
        blocks.add(block(entry));
      }
    }
    return new TrustedPeers(entries.contains(EVERYBODY), blocks);
  }

  private static AddressBlock block(String entry) {
    try {
      return AddressBlock.parse(entry);
    } catch (BadTargetException e) {
      throw new IllegalArgumentException(
          "\"" + entry + "\" (expected: an address, a CIDR block such as 10.0.0.0/8, or *)", e);
    }
  }

  /**
   * @param address absent: the peer has none that can be read
   */
  boolean trusts(Optional<IpAddress> address) {
    return isEverybody || (address.isPresent() && trusts(address.get()));
  }

  boolean trusts(IpAddress address) {
    return isEverybody || blocks.stream().anyMatch(block -> block.contains(address));
  }
}
