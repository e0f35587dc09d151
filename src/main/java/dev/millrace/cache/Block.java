package dev.millrace.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@value #SIZE} bytes of direct memory with a count of those who use them: the download that
 * filled it, and every chunk that is being written. Goes back to its pool when nobody does.
 */
final class Block {
  static final int SIZE = 64 << 10;

  private final BlockPool pool;
  private final ByteBuffer bytes;
  private final AtomicInteger users = new AtomicInteger();

  Block(BlockPool pool, ByteBuffer bytes) {
    this.pool = pool;
    this.bytes = bytes;
  }

  /** How many hold so many bytes. */
  static long count(long sizeBytes) {
    return (sizeBytes + SIZE - 1) / SIZE;
  }

  /** Its first user; called by the pool. */
  void taken() {
    users.set(1);
  }

  void retain() {
    if (users.getAndIncrement() < 1) {
      throw new IllegalStateException("a block that nobody uses");
    }
  }

  void release() {
    int left = users.decrementAndGet();
    if (left == 0) {
      pool.giveBack(this);
    } else if (left < 0) {
      throw new IllegalStateException("a block released too often");
    }
  }

  /** Whether nothing of it is being written. */
  boolean hasOneUser() {
    return users.get() == 1;
  }

  /** Copies as much as fits; only the download that fills it calls this. */
  int fill(int offset, ByteBuffer input) {
    int count = Math.min(SIZE - offset, input.remaining());
    bytes.put(offset, input, input.position(), count);
    input.position(input.position() + count);
    return count;
  }

  /** These bytes, in memory that stays until {@link #release}. */
  ByteBuffer slice(int from, int to) {
    return bytes.slice(from, to - from);
  }
}
