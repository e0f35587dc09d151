package dev.millrace.cache;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All memory of the cache: direct blocks, allocated when first needed and then used again and
 * again. Any thread.
 */
final class BlockPool {
  private static final Logger LOG = LoggerFactory.getLogger(BlockPool.class);

  /** Where direct memory comes from; throws {@link OutOfMemoryError} when there is none left. */
  @FunctionalInterface
  interface Memory {
    ByteBuffer allocate(int sizeBytes);
  }

  private final Memory memory;
  private final Deque<Block> free = new ArrayDeque<>();
  private int maxBlocks;
  private int allocated;

  /**
   * @param maxBytes rounded down to whole blocks
   */
  BlockPool(long maxBytes, Memory memory) {
    this.memory = memory;
    this.maxBlocks = (int) (maxBytes / Block.SIZE);
  }

  synchronized int maxBlocks() {
    return maxBlocks;
  }

  synchronized int used() {
    return allocated - free.size();
  }

  /** How many could be taken now. */
  synchronized int available() {
    return maxBlocks - allocated + free.size();
  }

  /** So many blocks, each with one user, or nothing. */
  synchronized Optional<List<Block>> take(int count) {
    while (free.size() < count && allocated < maxBlocks) {
      try {
        free.push(new Block(this, memory.allocate(Block.SIZE)));
        allocated++;
      } catch (OutOfMemoryError e) { // of direct memory: the heap is not touched by it
        maxBlocks = allocated;
        LOG.warn(
            "The segment cache stays at {} bytes: the JVM allows no more direct memory"
                + " (-XX:MaxDirectMemorySize)",
            (long) allocated * Block.SIZE);
      }
    }
    if (free.size() < count) {
      return Optional.empty();
    }
    List<Block> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Block block = free.pop();
      block.taken();
      taken.add(block);
    }
    return Optional.of(taken);
  }

  synchronized void giveBack(Block block) {
    free.push(block);
  }
}
