package dev.millrace.dash;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How the segments of a representation are found (ISO/IEC 23009-1 §5.3.9), attributes merged from
 * period, set and representation, innermost first.
 */
public sealed interface Addressing {
  /** Units per second of all times in it; never 0. */
  long timescale();

  /** In units: the media time that is the beginning of the period. */
  long presentationTimeOffset();

  /** What segments need before them; absent: they initialize themselves. */
  Optional<Part> initialization();

  /**
   * Part of a file.
   *
   * @param url absolute
   * @param range {@code first-last}, or {@code first-}; absent: all of it
   */
  record Part(String url, Optional<String> range) {}

  /**
   * By a pattern (§5.3.9.4).
   *
   * @param duration of each segment, in units; absent with a timeline
   * @param initialization expanded; absent: segments initialize themselves
   * @param media resolved against the base URL, its identifiers still in it
   * @param availabilityTimeOffset in seconds; infinite: always
   */
  record SegmentTemplate(
      long timescale,
      long presentationTimeOffset,
      OptionalLong startNumber,
      OptionalLong endNumber,
      OptionalLong duration,
      Optional<SegmentTimeline> timeline,
      Optional<Part> initialization,
      UrlTemplate media,
      double availabilityTimeOffset)
      implements Addressing {
    /** The number of the period's first segment. */
    public long firstNumber() {
      return startNumber.orElse(1);
    }
  }

  /** One by one (§5.3.9.3). */
  record SegmentList(
      long timescale,
      long presentationTimeOffset,
      OptionalLong startNumber,
      OptionalLong duration,
      Optional<SegmentTimeline> timeline,
      Optional<Part> initialization,
      List<Part> segments)
      implements Addressing {
    public SegmentList {
      segments = List.copyOf(segments);
    }

    /** The number of the first segment of the list. */
    public long firstNumber() {
      return startNumber.orElse(1);
    }
  }

  /**
   * One file with an index (§5.3.9.2), or without.
   *
   * @param file the media
   * @param indexRange where its index is; absent: to be looked for
   */
  record SegmentBase(
      long timescale,
      long presentationTimeOffset,
      Optional<Part> initialization,
      String file,
      Optional<String> indexRange)
      implements Addressing {}
}
