package dev.millrace.servlet;

import dev.millrace.dash.IndexEntry;
import dev.millrace.mp4.ByteSpan;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the segment index of one file, and those that it leads to, for a {@link
 * SegmentIndexReader}. Without a range the index is looked for from the beginning of the file on.
 * An origin that does not know ranges is read up to what is wanted, if that begins in the first
 * MiB. What is no index, or none that can be used, counts as none: the file is played as one.
 *
 * <p>The caller sees that only one thing happens at a time.
 */
final class IndexFetch implements Fetch.Listener, BodyStart.Listener {
  /** Of one read; no more is asked for, whatever an index range says. */
  static final int MAX_BYTES = 1 << 20;

  private static final int FIRST_BYTES = 64 << 10;
  private static final int MAX_SKIPPED = 1 << 20;
  private static final Pattern RANGE = Pattern.compile("\\s*(\\d{1,18})-(\\d{1,18})\\s*");

  /** Hears one of the two, once. */
  interface Listener {
    /** Empty: there is none. */
    void found(List<IndexEntry> entries);

    void failed(Throwable failure);
  }

  private final HlsServices services;
  private final ProxyParameters file;
  private final SegmentIndexReader reader;
  private final Listener listener;
  private final TextHold memory;
  private volatile ByteSpan asked = new ByteSpan(0, 0);
  private volatile long skipped;
  private volatile @Nullable Fetching running;
  private volatile boolean isCancelled;

  private IndexFetch(
      HlsServices services, ProxyParameters file, SegmentIndexReader reader, Listener listener) {
    this.services = services;
    this.file = file;
    this.reader = reader;
    this.listener = listener;
    this.memory = services.newText();
  }

  /**
   * @param file where it is, and the fields to ask with
   * @param range {@code indexRange}: {@code first-last}; what is none is not used
   */
  static IndexFetch of(
      HlsServices services, ProxyParameters file, Optional<String> range, Listener listener) {
    Matcher form = RANGE.matcher(range.orElse(""));
    long first = form.matches() ? Long.parseLong(form.group(1)) : 0;
    long last = form.matches() ? Long.parseLong(form.group(2)) : FIRST_BYTES - 1;
    SegmentIndexReader reader =
        last >= first
            ? new SegmentIndexReader(first, Math.min(last, first + MAX_BYTES - 1))
            : new SegmentIndexReader(0, FIRST_BYTES - 1);
    return new IndexFetch(services, file, reader, listener);
  }

  void begin() {
    advance();
  }

  void cancel() {
    isCancelled = true;
    memory.close();
    Fetching fetching = running;
    if (fetching != null) {
      fetching.cancel();
    }
  }

  private void fail(Throwable failure) {
    memory.close();
    listener.failed(failure);
  }

  private void end(List<IndexEntry> entries) {
    memory.close();
    listener.found(entries);
  }

  private void advance() {
    Optional<ByteSpan> wanted = reader.wanted();
    if (wanted.isPresent()) {
      ask(wanted.get());
    } else {
      end(
          reader.references().stream()
              .map(
                  media ->
                      new IndexEntry(
                          media.firstByte(),
                          media.lastByte(),
                          media.time(),
                          media.duration(),
                          media.timescale()))
              .toList());
    }
  }

  private void ask(ByteSpan span) {
    asked = span;
    try {
      memory.reserve((int) span.length());
    } catch (ExchangeException e) {
      fail(e);
      return;
    }
    ByteRange range = new ByteRange(OptionalLong.of(span.first()), OptionalLong.of(span.last()));
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
      memory.reserve((int) (skipped + asked.length()));
    } catch (ExchangeException e) {
      body.fail(e);
      fail(e);
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
    byte[] bytes = new byte[(int) Math.min(start.remaining() - from, asked.length())];
    start.get(start.position() + from, bytes);
    BodyStart.end(body);
    try {
      reader.accept(asked.first(), bytes);
    } catch (MediaFormatException e) {
      end(List.of());
      return;
    } catch (RuntimeException e) { // thrown on, it would be lost
      fail(e);
      return;
    }
    advance();
  }

  @Override
  public void failed(Throwable failure) {
    fail(failure);
  }

  @Override
  public void onFailure(ExchangeException failure) {
    fail(failure);
  }
}
