package dev.millrace.dash;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Numbers the segments of live playlists, so that a number stays with its segment from refresh to
 * refresh (RFC 8216 §6.2.2), whatever the presentation does with its own numbers: segments are
 * known again by their time. Discontinuities are counted for all profiles of a presentation
 * together, as players compare the counts of renditions (§6.2.4).
 *
 * <p>Remembers the last windows of {@link #MAX_STREAMS} profiles, and the discontinuities of as
 * many presentations; what was asked for longest ago is forgotten, and numbered as at first sight
 * when it comes back. May be called by several threads.
 */
public final class SequenceTracker {
  /** Profiles, and presentations, that are remembered. */
  public static final int MAX_STREAMS = 1024;

  private final Map<StreamId, SequenceWindow> windows = new LeastRecent<>();
  private final Map<String, Discontinuities> presentations = new LeastRecent<>();

  /**
   * What stands in the head of a live playlist.
   *
   * @param mediaSequence of its first segment
   * @param discontinuitySequence of its first segment, which carries no tag itself
   * @param longestMillis of all segments that were ever listed in it
   * @param segments marked where there is a discontinuity; the first one is not
   */
  record Numbers(
      long mediaSequence,
      long discontinuitySequence,
      long longestMillis,
      List<ListedSegment> segments) {}

  /** A profile of a presentation. */
  record StreamId(String streamKey, String profileId) {
    @Override
    public String toString() {
      return profileId; // the key holds an address
    }
  }

  /**
   * Of a playlist that lists these now.
   *
   * @param epochMillis when the presentation began ({@code availabilityStartTime}); another one and
   *     times that go back: its encoder has started anew
   * @param borders {@link PeriodBorders} of the presentation
   * @param segments at least one
   * @param firstSequence what the first one's number is if the stream is not known
   */
  synchronized Numbers numbers(
      StreamId stream,
      long epochMillis,
      List<Long> borders,
      List<ListedSegment> segments,
      Supplier<Long> firstSequence) {
    SequenceWindow window = windows.get(stream);
    if (window == null) {
      window = new SequenceWindow(firstSequence.get(), segments, epochMillis);
    } else {
      window = window.next(segments, epochMillis);
    }
    windows.put(stream, window);
    Discontinuities discontinuities =
        presentations.computeIfAbsent(stream.streamKey(), key -> new Discontinuities(epochMillis));
    discontinuities.learn(segments, borders, epochMillis);
    return new Numbers(
        window.listedFrom(),
        discontinuities.before(segments.get(0)),
        window.longestMillis(),
        discontinuities.marked(segments));
  }

  synchronized int size() {
    return Math.max(windows.size(), presentations.size());
  }

  private static final class LeastRecent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    LeastRecent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_STREAMS;
    }
  }
}
