package dev.millrace.cache;

import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.OverBudgetException;
import dev.millrace.upstream.UpstreamException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Moves the origin's body into the blocks of a {@link Download}, as long as there is room. What is
 * not the running thread's is guarded by the download's lock.
 */
final class DownloadPump {
  private final Download download;
  private final Download.Owner owner;
  private final CacheLimits limits;
  private final DownloadBlocks blocks;
  private final List<SharedReader> readers;
  private final Laggards laggards;
  private Content.@Nullable Source body;
  private boolean isOpen;
  private boolean isWindow;
  private boolean isStalled;

  /** Read from the body and not yet copied; the running thread's. */
  private Content.@Nullable Chunk input;

  DownloadPump(
      Download download,
      Download.Owner owner,
      CacheLimits limits,
      DownloadBlocks blocks,
      List<SharedReader> readers) {
    this.download = download;
    this.owner = owner;
    this.limits = limits;
    this.blocks = blocks;
    this.readers = readers;
    this.laggards = new Laggards(limits, this::failLaggards);
  }

  /** From now on it may be run; under the lock. */
  void open(Content.Source from) {
    body = from;
    isOpen = true;
  }

  /** Whether what all readers are done with is given back; under the lock. */
  boolean isWindow() {
    return isWindow;
  }

  /**
   * Ends it; under the lock.
   *
   * @return whether it has to be run once more, to give back what it holds
   */
  boolean close() {
    boolean isDue = isStalled;
    isOpen = false;
    isStalled = false;
    laggards.close();
    return isDue;
  }

  /**
   * Takes what has come with the head, so that readers who are told of the answer find it.
   *
   * @return whether {@link #pump} has to go on
   */
  boolean pumpFirst() {
    Content.Source from = body;
    Content.Chunk chunk = from == null ? null : from.read();
    return chunk == null || (take(chunk) && copyInput());
  }

  void pump() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = (input != null || readInput()) && copyInput();
    }
  }

  private boolean readInput() {
    Content.Source from = body;
    if (from == null) {
      return false;
    }
    Content.Chunk chunk = from.read();
    if (chunk == null) {
      from.demand(this::pump);
      return false;
    }
    return take(chunk);
  }

  private boolean take(Content.Chunk chunk) {
    if (Content.Chunk.isFailure(chunk)) {
      Throwable why = chunk.getFailure();
      download.end(Optional.of(known(why)));
      return false;
    }
    input = chunk;
    return true;
  }

  private static ExchangeException known(Throwable why) {
    return why instanceof ExchangeException exchange
        ? exchange
        : new UpstreamException(Kind.UPSTREAM_CLOSED, why);
  }

  /** Whether to go on. */
  private boolean copyInput() {
    Content.Chunk chunk = input;
    if (chunk == null) {
      return false;
    }
    while (chunk.hasRemaining()) {
      Block block = room();
      if (block == null) {
        download.wake();
        return false;
      }
      int count = block.fill(blocks.fillOffset(), chunk.getByteBuffer());
      synchronized (download.lock()) {
        blocks.received(count);
      }
      block.release();
    }
    boolean isLast = chunk.isLast();
    chunk.release();
    input = null;
    if (isLast) {
      download.end(Optional.empty());
    } else {
      download.wake();
    }
    return !isLast;
  }

  /** A block with room, retained; null if there is none for now, or for ever. */
  private @Nullable Block room() {
    synchronized (download.lock()) {
      if (!isOpen) {
        discardInput();
        return null;
      }
      Block block = blocks.retainFillable();
      if (block != null) {
        return block;
      }
    }
    return mayGrow() ? grow() : stall();
  }

  private void discardInput() {
    if (input != null) {
      input.release();
      input = null;
    }
  }

  private boolean mayGrow() {
    synchronized (download.lock()) {
      return blocks.held() < maxBlocks();
    }
  }

  private int maxBlocks() {
    return limits.maxBlocks(readers.size(), isWindow);
  }

  private @Nullable Block grow() {
    Optional<List<Block>> more = owner.take(1);
    if (more.isEmpty()) {
      return stall();
    }
    synchronized (download.lock()) {
      if (isOpen) {
        blocks.add(more.get());
        return blocks.retainFillable();
      }
      discardInput();
    }
    more.get().forEach(Block::release);
    return null;
  }

  /** There is no more memory: from now on, it takes what its readers are done with. */
  private @Nullable Block stall() {
    boolean isFirst;
    boolean isStuck;
    synchronized (download.lock()) {
      isFirst = !isWindow;
      isWindow = true;
    }
    if (isFirst) {
      owner.closed();
    }
    synchronized (download.lock()) {
      boolean unused = blocks.trim(slowest(), maxBlocks());
      Block block = isOpen ? blocks.retainFillable() : null;
      if (block != null) {
        return block;
      }
      isStuck = isOpen && blocks.held() == 0;
      isStalled = isOpen && !isStuck;
      if (!isStalled) {
        discardInput();
      }
    }
    if (isStuck) {
      download.giveUp(
          new OverBudgetException("over_capacity", "All memory of the segment cache is in use."));
    } else {
      laggards.watch();
    }
    return null;
  }

  private long slowest() {
    return readers.stream().mapToLong(SharedReader::consumed).min().orElse(Long.MAX_VALUE);
  }

  /** Whether it has to be run, by whoever is told so; under the lock. */
  boolean makeRoom() {
    if (!isWindow || !blocks.trim(slowest(), maxBlocks()) || !isStalled) {
      return false;
    }
    isStalled = false;
    return true;
  }

  private void failLaggards() {
    List<SharedReader> late;
    boolean isOn;
    synchronized (download.lock()) {
      isOn = isStalled && isOpen;
      late = isOn ? laggards.among(readers, blocks.first()) : List.of();
    }
    late.forEach(reader -> download.leave(reader, new FellBehindException()));
    if (isOn) {
      laggards.watch();
    }
  }
}
