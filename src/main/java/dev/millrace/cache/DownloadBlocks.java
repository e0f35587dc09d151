package dev.millrace.cache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one download: blocks in the order of the body, those that are still to be filled
 * last. Guarded by the download's lock.
 */
final class DownloadBlocks {
  private final List<Block> blocks = new ArrayList<>();

  /** Blocks before the first of these, given back already. */
  private long gone;

  private long received;

  /** Bytes of the body so far. */
  long received() {
    return received;
  }

  /** Offset of the first byte that is still here. */
  long first() {
    return gone * Block.SIZE;
  }

  int held() {
    return blocks.size();
  }

  void add(List<Block> more) {
    blocks.addAll(more);
  }

  /** The block that the next byte belongs into, with a user more; null if there is none. */
  @Nullable Block retainFillable() {
    return retain(received);
  }

  int fillOffset() {
    return (int) (received % Block.SIZE);
  }

  void received(int count) {
    received += count;
  }

  /** The block with the byte at that position, with a user more. */
  Block retainAt(long position) {
    Block block = retain(position);
    if (block == null) {
      throw new IllegalStateException("no byte at " + position);
    }
    return block;
  }

  private @Nullable Block retain(long position) {
    int index = (int) (position / Block.SIZE - gone);
    if (index >= blocks.size()) {
      return null;
    }
    Block block = blocks.get(index);
    block.retain();
    return block;
  }

  /**
   * Gives back what lies before a position, but for a block to be filled next.
   *
   * @param most how many may be held afterwards
   * @return whether anything lay there
   */
  boolean trim(long position, int most) {
    boolean isTrimmed = false;
    while (first() + Block.SIZE <= Math.min(position, received) && !blocks.isEmpty()) {
      Block block = blocks.remove(0);
      gone++;
      isTrimmed = true;
      boolean isNext = received / Block.SIZE - gone >= blocks.size();
      if (isNext && blocks.size() < most && block.hasOneUser()) {
        blocks.add(block);
      } else {
        block.release();
      }
    }
    return isTrimmed;
  }

  /** Gives back what will not be filled. */
  void dropUnfilled() {
    while (blocks.size() > Block.count(received) - gone) {
      blocks.remove(blocks.size() - 1).release();
    }
  }

  void free() {
    blocks.forEach(Block::release);
    blocks.clear();
  }
}
