package dev.millrace.servlet;

import dev.millrace.dash.Addressing.SegmentBase;
import dev.millrace.dash.IndexEntry;
import dev.millrace.dash.Representation;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Target;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the segment indexes of a profile, one period's after the other's. Which are the same file
 * are fetched once: the cache has them. Any thread; the hearer is called once, and not after it was
 * cancelled.
 */
final class IndexReading {
  /** One for each period; more are refused, as they are asked for one after the other. */
  static final int MAX_FILES = 64;

  /** All together; more could not be listed. */
  static final int MAX_ENTRIES = 1 << 16;

  /** Hears one of the two, once. */
  interface Listener {
    /** An empty one: its file has none. */
    void read(Map<Representation, List<IndexEntry>> indexes);

    void failed(Throwable failure);
  }

  private final HlsServices services;
  private final Target presentation;
  private final Function<Target, ProxyParameters> fields;
  private final List<Representation> wanted;
  private final Listener listener;
  private final Map<Representation, List<IndexEntry>> read = new HashMap<>();
  private int next;
  private int entryCount;
  private boolean isInTurn;
  private boolean isTurnDue;
  private volatile @Nullable IndexFetch running;
  private volatile boolean isCancelled;

  /**
   * @param presentation where the MPD comes from
   * @param fields with which something is asked for
   * @param wanted each is a {@link SegmentBase}
   */
  IndexReading(
      HlsServices services,
      Target presentation,
      Function<Target, ProxyParameters> fields,
      List<Representation> wanted,
      Listener listener) {
    this.services = services;
    this.presentation = presentation;
    this.fields = fields;
    this.wanted = wanted;
    this.listener = listener;
  }

  void begin() {
    if (wanted.size() > MAX_FILES) {
      fail(
          MediaFormatException.unsupported(
              "The presentation has more than "
                  + MAX_FILES
                  + " files with an index of their own."));
      return;
    }
    advance();
  }

  void cancel() {
    isCancelled = true;
    IndexFetch fetching = running;
    if (fetching != null) {
      fetching.cancel();
    }
  }

  /** What is here already is read in a loop, not deeper and deeper. */
  private void advance() {
    synchronized (this) {
      isTurnDue = true;
      if (isInTurn) {
        return;
      }
      isInTurn = true;
    }
    while (isTurnDue()) {
      if (isCancelled) {
        return;
      }
      if (next == wanted.size()) {
        listener.read(Collections.unmodifiableMap(read));
        return;
      }
      fetch(wanted.get(next++));
    }
  }

  private synchronized boolean isTurnDue() {
    isInTurn = isTurnDue;
    isTurnDue = false;
    return isInTurn;
  }

  private void fetch(Representation representation) {
    SegmentBase file = (SegmentBase) representation.addressing();
    IndexFetch fetching;
    try {
      Target target = presentation.resolve(file.file());
      fetching =
          IndexFetch.of(
              services,
              fields.apply(target),
              file.indexRange(),
              new IndexFetch.Listener() {
                @Override
                public void found(List<IndexEntry> entries) {
                  keep(representation, entries);
                }

                @Override
                public void failed(Throwable failure) {
                  fail(failure);
                }
              });
    } catch (BadTargetException e) {
      fail(MediaFormatException.malformed("The address of a file in the MPD: " + e.getMessage()));
      return;
    }
    running = fetching;
    fetching.begin();
  }

  private void keep(Representation representation, List<IndexEntry> entries) {
    entryCount += entries.size();
    if (entryCount > MAX_ENTRIES) {
      fail(
          MediaFormatException.unsupported(
              "The presentation's indexes have more than " + MAX_ENTRIES + " entries."));
      return;
    }
    read.put(representation, entries);
    advance();
  }

  private void fail(Throwable failure) {
    if (!isCancelled) {
      listener.failed(failure);
    }
  }
}
