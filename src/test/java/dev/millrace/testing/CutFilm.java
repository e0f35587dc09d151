package dev.millrace.testing;

import java.io.IOException;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * U4 by offset: a file with ranges, made of {@link OffsetBytes}, whose connection is closed once at
 * each of the given offsets. Knows how many bytes it sent, and how long it was not asked after a
 * cut.
 */
public final class CutFilm implements Script {
  private final long size;
  private final String validator;
  private final TreeSet<Long> cuts = new TreeSet<>();
  private final AtomicLong sentBytes = new AtomicLong();
  private final AtomicLong longestPauseNanos = new AtomicLong();
  private long cutNanos;

  /**
   * @param validator a header line
   * @param cutsAt offsets of the first bytes that are not sent
   */
  public CutFilm(long size, String validator, long... cutsAt) {
    this.size = size;
    this.validator = validator;
    LongStream.of(cutsAt).forEach(cuts::add);
  }

  @Override
  public void answer(OriginExchange exchange) throws IOException {
    RangeAsked range = RangeAsked.of(exchange.request(), size);
    Long cut = nextCut(range.from(), exchange.request().nanoTime());
    exchange.head(
        206,
        "Content-Type: video/mp4",
        validator,
        "Content-Length: " + (range.to() - range.from()),
        "Content-Range: bytes " + range.from() + "-" + (range.to() - 1) + "/" + size);
    long end = cut == null ? range.to() : Math.min(cut, range.to());
    exchange.body(range.from(), end);
    sentBytes.addAndGet(end - range.from());
    if (end < range.to()) {
      cutNow();
      exchange.cut();
    }
  }

  private synchronized Long nextCut(long from, long askedNanos) {
    if (cutNanos != 0) {
      longestPauseNanos.accumulateAndGet(askedNanos - cutNanos, Math::max);
      cutNanos = 0;
    }
    Long next = cuts.higher(from);
    if (next != null) {
      cuts.remove(next);
    }
    return next;
  }

  private synchronized void cutNow() {
    cutNanos = System.nanoTime();
  }

  public long sentBytes() {
    return sentBytes.get();
  }

  /** From closing a connection to the next request that got through to this film. */
  public long longestPauseMillis() {
    return longestPauseNanos.get() / 1_000_000;
  }
}
