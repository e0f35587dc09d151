package dev.millrace.dash;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Which segments a representation has in one period (ISO/IEC 23009-1 §5.3.9.5). */
public final class SegmentPlan {
  private SegmentPlan() {}

  /**
   * The segments, in their order: of a static presentation all, of a dynamic one those that are
   * there by now and still inside of its time shift buffer. Only what is given back is expanded.
   *
   * @param index of a {@link Addressing.SegmentBase}; empty: it has none, and is one segment
   * @param now of a dynamic presentation
   * @param most of them, the last ones; a static one has all of {@code most} at its beginning
   */
  public static List<Segment> of(
      Mpd mpd,
      Period period,
      Representation representation,
      List<IndexEntry> index,
      Optional<Instant> now,
      int most) {
    throw new UnsupportedOperationException();
  }
}
