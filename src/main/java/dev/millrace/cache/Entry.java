package dev.millrace.cache;

import dev.millrace.upstream.UpstreamHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the cache knows of one download: who uses it and how long it is given out. Guarded by the
 * lock of the {@link CacheIndex}.
 */
final class Entry {
  /** Hears that a body which was fetched ahead is over. */
  @FunctionalInterface
  interface Waiting {
    void over(boolean isKept);
  }

  /** How long a document is there for whoever has read it to say how long it holds. */
  private static final long UNDECIDED_NANOS = Duration.ofSeconds(1).toNanos();

  /** A document that takes longer to arrive is not what it was. */
  private static final long JOINABLE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long MAX_DOCUMENT_BLOCKS = Block.count(2L << 20);
  private static final long LONG_NANOS = Duration.ofDays(365).toNanos();

  private final CacheKey key;
  private final boolean isAhead;
  private final Download download;
  private final List<Waiting> waiting = new ArrayList<>();
  private int users;
  private boolean isUsed;
  private boolean isOver;
  private boolean isKeepable;
  private boolean hasBegun;
  private long begunNanos;
  private long allowedNanos;
  private long servedUntil;
  private long droppedAt;

  /** For how long a document is given out, as its reader has said. */
  private @Nullable Duration holds;

  /**
   * @param isAhead whether it is fetched before anybody has asked for it
   */
  Entry(CacheKey key, boolean isAhead, Function<Entry, Download> download) {
    this.key = key;
    this.isAhead = isAhead;
    this.download = download.apply(this);
  }

  CacheKey key() {
    return key;
  }

  Download download() {
    return download;
  }

  boolean isOver() {
    return isOver;
  }

  /** Whether all of it can be read; its end may not have been told yet. */
  boolean isHere() {
    return isOver || download.missingBytes() == 0;
  }

  boolean isInUse() {
    return users > 0;
  }

  /** Whether it was fetched ahead and nobody has asked for it. */
  boolean isUnused() {
    return isAhead && !isUsed;
  }

  boolean isAhead() {
    return isAhead;
  }

  /** Whether one more may read it. */
  boolean isJoinable(long now) {
    if (isOver) {
      return now - servedUntil < 0;
    }
    if (key.isDocument() && isHere()) { // its end is not told yet; nobody comes while it arrives
      return holds != null
          && isKeepable
          && now - begunNanos < Math.min(holds.toNanos(), allowedNanos);
    }
    return !(key.isDocument() && hasBegun && now - begunNanos > JOINABLE_NANOS);
  }

  void joined() {
    users++;
    isUsed = true;
  }

  void joinedAhead(Waiting hears) {
    users++;
    waiting.add(hears);
  }

  void left() {
    users--;
  }

  /** Whether it waited still. */
  boolean leftAhead(Waiting hears) {
    boolean hasWaited = waiting.remove(hears);
    users -= hasWaited ? 1 : 0;
    return hasWaited;
  }

  /** Those who fetch ahead, who use it no more. */
  List<Waiting> takeWaiting() {
    List<Waiting> taken = List.copyOf(waiting);
    waiting.clear();
    users -= taken.size();
    return taken;
  }

  void begun(UpstreamHead head, long now) {
    hasBegun = true;
    begunNanos = now;
    allowedNanos =
        Math.min(LONG_NANOS, Freshness.of(head.headers()).orElse(Duration.ofDays(365)).toNanos());
    isKeepable =
        (head.status() == 200 || head.status() == 206)
            && allowedNanos > 0
            && !(key.isDocument() && head.headers().has("Set-Cookie")); // they reach what it lists
  }

  /**
   * Nothing more will arrive.
   *
   * @return whether it stays for others
   */
  boolean ended(boolean isWhole, long now) {
    isOver = true;
    boolean isKept =
        isWhole && isKeepable && !(key.isDocument() && download.heldBlocks() > MAX_DOCUMENT_BLOCKS);
    servedUntil = now;
    droppedAt = isKept && key.isDocument() ? now + UNDECIDED_NANOS : now;
    giveOut();
    return isKept;
  }

  /** A body is kept for so long after it has arrived, if the origin lets us. */
  void keep(long now, Duration retention) {
    if (!key.isDocument()) {
      servedUntil = now + Math.min(retention.toNanos(), begunNanos + allowedNanos - now);
      droppedAt = servedUntil;
    }
  }

  /**
   * A document is kept for so long from its beginning, if the origin lets us. Its reader may have
   * all of it, and say so, before its end is told.
   */
  void keepFor(Duration duration) {
    if (hasBegun && key.isDocument()) {
      holds = duration;
      giveOut();
    }
  }

  private void giveOut() {
    if (isOver && holds != null) {
      servedUntil = begunNanos + Math.min(holds.toNanos(), allowedNanos);
      droppedAt = servedUntil;
    }
  }

  /** Until it is dropped, in nanoseconds; not positive if that is due. */
  long nanosLeft(long now) {
    return droppedAt - now;
  }

  /**
   * Whether it is worth waiting for the rest though nobody reads: it will be kept, or all that is
   * missing is the word that it was all.
   */
  boolean goesOnAlone() {
    long missing = download.missingBytes();
    boolean isWorthIt = missing < 1 << 20 || missing < download.length() / 2;
    return missing == 0 || (isKeepable && !key.isDocument() && isWorthIt);
  }
}
