package dev.millrace.cache;

import dev.millrace.metrics.Metrics;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.OriginGate;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One download for all who ask for the same: same address, same fields, same range. Each gets the
 * bytes as they arrive, from the first one on; what has arrived as a whole is kept for those who
 * come later.
 *
 * <p>Kept are answers of 200 and 206 of at most 32 MiB, and of at most half of the memory: for as
 * long as the setting says from their arrival on, and never longer than the origin allows (RFC 9111
 * §5.2.2: what is {@code no-store}, {@code no-cache}, {@code private} or of {@code max-age=0} is
 * shared only while it arrives, and so are all other statuses). Documents are kept for as long as
 * {@link #keepFor} says. {@code Vary} needs no look: what it could name is the same, or it is not
 * the same request. A request with credentials shares with requests of the same credentials.
 *
 * <p>A download that nobody reads any more goes on for 3 s if little is missing, else it is
 * cancelled. One that fails fails its readers after what they can still read; who had no answer yet
 * and had not started it asks once more by itself.
 *
 * <p>Everything else than GET, forwarded requests, and bodies that have no end or several sources
 * go by.
 */
public final class SegmentCache implements Fetching.Source {
  private static final long MOMENT_NANOS = Duration.ofSeconds(3).toNanos();
  private static final long SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

  private final Fetching.Source origin;
  private final CacheLimits limits;
  private final boolean isOn;
  private final BlockPool pool;
  private final CacheIndex index;
  private final CacheMetrics metrics;
  private final Prefetch prefetch;
  private final AtomicBoolean isSweeping = new AtomicBoolean();

  private SegmentCache(
      CacheConfig config,
      Fetching.Source origin,
      CacheLimits limits,
      OriginGate gate,
      BlockPool.Memory memory,
      CacheMetrics metrics) {
    this.origin = origin;
    this.limits = limits;
    this.isOn = limits.maxBodyBytes() >= Block.SIZE;
    this.pool = new BlockPool(config.maxBytes(), memory);
    this.index = new CacheIndex(pool, config.retention(), limits.nanoTime(), metrics);
    this.metrics = metrics;
    this.prefetch = new Prefetch(config, this, gate, limits);
  }

  /**
   * A cache that is empty.
   *
   * @param config less than 128 KiB of memory is none
   * @param origin where bodies come from
   * @param gate in front of the same origins
   * @param timer its tasks never block
   * @param nanoTime like {@link System#nanoTime()}
   */
  public static SegmentCache of(
      CacheConfig config,
      Fetching.Source origin,
      OriginGate gate,
      ScheduledExecutorService timer,
      LongSupplier nanoTime,
      Metrics metrics) {
    SegmentCache cache =
        of(
            config,
            origin,
            CacheLimits.of(config.maxBytes(), timer, nanoTime),
            gate,
            ByteBuffer::allocateDirect,
            metrics);
    metrics.gauge("cache_bytes", cache::usedBytes);
    metrics.gauge("cache_limit_bytes", config::maxBytes);
    metrics.gauge("cache_entries", cache::entries);
    return cache;
  }

  static SegmentCache of(
      CacheConfig config,
      Fetching.Source origin,
      CacheLimits limits,
      OriginGate gate,
      BlockPool.Memory memory,
      Metrics metrics) {
    return new SegmentCache(config, origin, limits, gate, memory, CacheMetrics.of(metrics));
  }

  /** Memory in use, what is being written included. */
  long usedBytes() {
    return (long) pool.used() * Block.SIZE;
  }

  int entries() {
    return index.size();
  }

  /** What is fetched before it is asked for. */
  public Prefetch prefetch() {
    return prefetch;
  }

  boolean isOn() {
    return isOn;
  }

  @Override
  public Fetching fetch(FetchRequest request, Fetch.Listener listener) {
    Optional<CacheKey> key = isOn ? CacheKey.of(request) : Optional.empty();
    if (key.isEmpty()) {
      return origin.fetch(request, listener);
    }
    Ticket ticket = new Ticket(request, listener);
    join(ticket, key.get(), true);
    return ticket;
  }

  private void join(Ticket ticket, CacheKey key, boolean isFirst) {
    Optional<CacheIndex.Joined> found =
        index.join(key, missing -> newEntry(missing, ticket.request(), false));
    if (found.isEmpty()) {
      askAlone(ticket);
      return;
    }
    CacheIndex.Joined joined = found.get();
    count(joined);
    prefetch.asked(key, joined.isHere()); // before it can arrive
    Download download = joined.entry().download();
    SharedReader reader = new SharedReader(download, ticket, isFirst && !joined.isNew());
    ticket.follow(reader);
    download.attach(reader);
    if (joined.isNew()) {
      download.start();
    }
  }

  private void count(CacheIndex.Joined joined) {
    if (joined.isNew()) {
      metrics.misses().increment();
    } else if (joined.isHere()) {
      metrics.hits().increment();
    } else {
      metrics.shared().increment();
    }
  }

  private Entry newEntry(CacheKey key, FetchRequest request, boolean isAhead) {
    return new Entry(
        key, isAhead, entry -> new Download(request, origin, new Owner(entry), limits));
  }

  private void askAlone(Ticket ticket) {
    ticket.follow(origin.fetch(ticket.request(), ticket.listener()));
  }

  /**
   * Says how long the document holds that was just read as the answer to this request: it may be
   * given to others for so long from its beginning on, unless the origin says otherwise. Without
   * this word it is not, and neither is one of more than 2 MiB.
   *
   * @param duration zero or more
   */
  public void keepFor(FetchRequest request, Duration duration) {
    CacheKey.of(request).ifPresent(key -> index.keepFor(key, duration));
  }

  /** What is here of a body is not given to anybody any more who has not begun to read it. */
  void forget(CacheKey key) {
    index.forget(key);
  }

  /**
   * Has a body fetched that nobody reads yet.
   *
   * @param hears whether it is here; perhaps at once, and not after it was cancelled
   */
  Fetching fetchAhead(CacheKey key, FetchRequest request, Entry.Waiting hears) {
    Optional<CacheIndex.Joined> found =
        index.joinAhead(key, hears, missing -> newEntry(missing, request, true));
    if (found.isEmpty() || found.get().isHere()) {
      hears.over(found.isPresent());
      return () -> {};
    }
    Entry entry = found.get().entry();
    if (found.get().isNew()) {
      entry.download().start();
    }
    return () -> settle(entry, index.leftAhead(entry, hears));
  }

  private void settle(Entry entry, CacheIndex.Left left) {
    switch (left) {
      case STAYS -> sweepLater();
      case ALONE -> endSoon(entry);
      case GONE -> {}
      case UNWANTED -> {
        entry.download().cancel();
        entry.download().free();
      }
    }
  }

  /** Its origin may be silent, and who asks again would wait with it. */
  private void endSoon(Entry entry) {
    try {
      Future<?> unused =
          limits
              .timer()
              .schedule(
                  () -> settle(entry, index.afterMoment(entry)),
                  MOMENT_NANOS,
                  TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException stopping) {
      settle(entry, index.afterMoment(entry));
    }
  }

  /** One task for all that is kept. */
  private void sweepLater() {
    if (isSweeping.compareAndSet(false, true)) {
      try {
        Future<?> unused = limits.timer().schedule(this::sweep, SWEEP_NANOS, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException stopping) {
        isSweeping.set(true); // it stays so: nothing is kept for anybody any more
      }
    }
  }

  private void sweep() {
    boolean goesOn = index.sweep();
    isSweeping.set(false);
    if (goesOn) {
      sweepLater();
    }
  }

  /** What one download tells of itself. */
  private final class Owner implements Download.Owner {
    private final Entry entry;

    Owner(Entry entry) {
      this.entry = entry;
    }

    @Override
    public Optional<List<Block>> take(int count) {
      return index.take(entry, count);
    }

    @Override
    public void begun(UpstreamHead head) {
      index.begun(entry, head);
    }

    @Override
    public void closed() {
      List<Entry.Waiting> waiting = index.close(entry);
      waiting.forEach(hears -> hears.over(false));
      if (!waiting.isEmpty()) {
        settle(entry, index.afterClosing(entry));
      }
    }

    @Override
    public void ended(boolean isWhole) {
      CacheIndex.Ended ended = index.ended(entry, isWhole);
      ended.waiting().forEach(hears -> hears.over(ended.isKept()));
      if (ended.isKept()) {
        sweepLater();
        prefetch.arrived(entry.key());
      }
    }

    @Override
    public void left() {
      settle(entry, index.left(entry));
    }

    @Override
    public void retry(Ticket ticket) {
      join(ticket, entry.key(), false);
    }

    @Override
    public void askAlone(Ticket ticket) {
      SegmentCache.this.askAlone(ticket);
    }
  }
}
