package dev.millrace.servlet;

import dev.millrace.dash.IndexEntry;
import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import dev.millrace.mp4.SegmentIndex;
import dev.millrace.mp4.SegmentIndexReader;
import dev.millrace.proxy.ByteRange;
import dev.millrace.proxy.OriginAnswerException;
import dev.millrace.proxy.OriginStatusException;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.RangeRequest;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.Fetch;
import dev.millrace.upstream.Fetching;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the segment index of one file, and the indexes that it leads to ({@code sidx}, ISO/IEC
 * 14496-12 §8.16.3), in the order of the media. Without a range the index is looked for among the
 * first boxes of the file: in its first 64 KiB, and behind whatever boxes reach beyond them. An
 * origin that does not know ranges is read up to what is wanted, if that begins in the first MiB.
 *
 * <p>Limits: {@value #MAX_BYTES} bytes at a time, {@value #MAX_READS} parts, {@value #MAX_DEPTH}
 * levels, {@value #MAX_ENTRIES} entries. The caller sees that only one thing happens at a time.
 */
final class IndexFetch implements Fetch.Listener, BodyStart.Listener {
  static final int MAX_BYTES = 1 << 20;
  static final int MAX_READS = 64;
  static final int MAX_DEPTH = 4;
  static final int MAX_ENTRIES = 100_000;

  private static final int FIRST_BYTES = 64 << 10;
  private static final int MAX_SKIPPED = 1 << 20;
  private static final int BOX_HEADER = 8;
  private static final int SIDX = FourCc.of("sidx");
  private static final int MOOF = FourCc.of("moof");
  private static final int MDAT = FourCc.of("mdat");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

  /** Hears one of the two, once. */
  interface Listener {
    /** Empty: there is none. */
    void found(List<IndexEntry> entries);

    void failed(Throwable failure);
  }

  /**
   * Bytes that may hold an index.
   *
   * @param depth 0: the index of the file
   */
  private record Part(long first, long last, int depth) {
    long length() {
      return last - first + 1;
    }
  }

  /** What an index refers to, in the order of the media: either media, or another index. */
  private record Item(Optional<IndexEntry> media, Optional<Part> index) {}

  private final HlsServices services;
  private final ProxyParameters file;
  private final Listener listener;
  private final Deque<Item> items = new ArrayDeque<>();
  private final List<IndexEntry> entries = new ArrayList<>();
  private int reads;
  private Part asked;
  private long skipped;
  private volatile @Nullable Fetching running;
  private volatile boolean isCancelled;

  private IndexFetch(HlsServices services, ProxyParameters file, Part first, Listener listener) {
    this.services = services;
    this.file = file;
    this.asked = first;
    this.listener = listener;
  }

  /**
   * @param file where it is, and the fields to ask with
   * @param range {@code indexRange}: {@code first-last}
   * @throws MediaFormatException if the range is none, or too long
   */
  static IndexFetch of(
      HlsServices services, ProxyParameters file, Optional<String> range, Listener listener)
      throws MediaFormatException {
    Part first =
        range.isPresent() ? part(range.get().strip()) : new Part(0, FIRST_BYTES - 1, 0);
    return new IndexFetch(services, file, first, listener);
  }

  private static Part part(String range) throws MediaFormatException {
    Matcher form = RANGE.matcher(range);
    if (!form.matches() || Long.parseLong(form.group(2)) < Long.parseLong(form.group(1))) {
      throw MediaFormatException.malformed("An index range is none (expected: as in 800-1299).");
    }
    return new Part(Long.parseLong(form.group(1)), Long.parseLong(form.group(2)), 0);
  }

  void begin() {
    items.add(new Item(Optional.empty(), Optional.of(asked)));
    attempt();
  }

  void cancel() {
    isCancelled = true;
    Fetching fetching = running;
    if (fetching != null) {
      fetching.cancel();
    }
  }

  private void attempt() {
    try {
      advance();
    } catch (ExchangeException | RuntimeException e) {
      listener.failed(e);
    }
  }

  private void advance() throws ExchangeException {
    while (!items.isEmpty()) {
      Item item = items.remove();
      if (item.index().isPresent()) {
        ask(item.index().get());
        return;
      }
      entries.add(item.media().orElseThrow());
    }
    listener.found(List.copyOf(entries));
  }

  private void ask(Part part) throws ExchangeException {
    if (part.length() > MAX_BYTES || ++reads > MAX_READS || part.depth() > MAX_DEPTH) {
      throw MediaFormatException.unsupported(
          "A segment index is too large (expected: at most 1 MiB in a part, 64 parts, 4 levels).");
    }
    asked = part;
    ByteRange range =
        new ByteRange(OptionalLong.of(part.first()), OptionalLong.of(part.last()));
    RangeRequest wanted = new RangeRequest(Optional.of(range), Optional.empty());
    Fetching started =
        services.cache().fetch(StreamErrand.request(services.stream(), "GET", file, wanted), this);
    running = started;
    if (isCancelled) {
      started.cancel();
    }
  }

  @Override
  public void onResponse(UpstreamHead head, Content.Source body) {
    try {
      skipped = leading(head);
    } catch (ExchangeException e) {
      body.fail(e);
      listener.failed(e);
      return;
    }
    BodyStart.read(body, (int) (skipped + asked.length()), (start, isAll) -> false, this);
  }

  /** How many bytes stand before what was asked for. */
  private long leading(UpstreamHead head) throws ExchangeException {
    if (head.status() == 206) {
      boolean isAsked =
          ContentRange.of(head).filter(sent -> sent.first() == asked.first()).isPresent();
      if (!isAsked) {
        throw OriginAnswerException.badRange();
      }
      return 0;
    }
    if (head.status() != 200) {
      throw OriginStatusException.of(head);
    }
    if (asked.first() > MAX_SKIPPED) {
      throw OriginAnswerException.badRange();
    }
    return asked.first();
  }

  @Override
  public void begun(ByteBuffer start, Content.Source body) {
    int from = (int) Math.min(skipped, start.remaining());
    int length = (int) Math.min(start.remaining() - from, asked.length());
    byte[] bytes = new byte[length];
    start.get(start.position() + from, bytes);
    BodyStart.end(body);
    try {
      take(bytes);
    } catch (ExchangeException | RuntimeException e) {
      listener.failed(e);
      return;
    }
    attempt();
  }

  /**
   * Looks for an index among the boxes that begin here; the walk ends where media begins. No box
   * before it has a length of 64 bits.
   */
  private void take(byte[] bytes) throws MediaFormatException {
    ByteBuffer view = ByteBuffer.wrap(bytes);
    long at = 0;
    while (at + BOX_HEADER <= bytes.length) {
      long size = Integer.toUnsignedLong(view.getInt((int) at));
      int type = view.getInt((int) at + 4);
      if (type == MOOF || type == MDAT || size < BOX_HEADER) {
        return;
      }
      if (type == SIDX && at + size <= bytes.length) {
        Box box = Box.at(bytes, (int) at, bytes.length);
        try {
          refer(SegmentIndexReader.read(box), asked.first() + at + size);
        } catch (ArithmeticException e) {
          throw MediaFormatException.malformed("A segment index leads beyond any file.");
        }
        return;
      }
      if (type == SIDX) {
        again(at, size);
        return;
      }
      at += size;
    }
    if (isSearch() && at >= bytes.length && bytes.length == FIRST_BYTES) {
      again(at, FIRST_BYTES);
    }
  }

  private boolean isSearch() {
    return asked.depth() == 0 && asked.length() == FIRST_BYTES;
  }

  /** The index is further behind. */
  private void again(long at, long length) {
    long first = asked.first() + at;
    items.addFirst(
        new Item(Optional.empty(), Optional.of(new Part(first, first + length - 1, asked.depth()))));
  }

  /** Puts what an index refers to in its place: before what follows it in the media. */
  private void refer(SegmentIndex index, long end) throws MediaFormatException {
    List<Item> referred = new ArrayList<>();
    long first = Math.addExact(end, index.firstOffset());
    long time = index.earliestPresentationTime();
    for (SegmentIndex.Reference reference : index.references()) {
      long last = Math.addExact(first, reference.size()) - 1;
      if (reference.isIndex()) {
        Part part = new Part(first, last, asked.depth() + 1);
        referred.add(new Item(Optional.empty(), Optional.of(part)));
      } else {
        IndexEntry media =
            new IndexEntry(first, last, time, reference.duration(), index.timescale());
        referred.add(new Item(Optional.of(media), Optional.empty()));
      }
      first = last + 1;
      time = Math.addExact(time, reference.duration());
    }
    if (entries.size() + items.size() + referred.size() > MAX_ENTRIES) {
      throw MediaFormatException.unsupported(
          "A segment index has too many entries (expected: at most " + MAX_ENTRIES + ").");
    }
    Collections.reverse(referred);
    referred.forEach(items::addFirst);
  }

  @Override
  public void failed(Throwable failure) {
    listener.failed(failure);
  }

  @Override
  public void onFailure(ExchangeException failure) {
    listener.failed(failure);
  }
}
