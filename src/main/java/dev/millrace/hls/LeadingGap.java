package dev.millrace.hls;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What is left out before the first segment that stays, and the numbers that the playlist has to
 * begin with therefore (RFC 8216bis §6.2.2).
 *
 * @param segments how many are left out; 0 if none stays
 * @param discontinuities by how many the discontinuity sequence number grows: the first that stays
 *     has a discontinuity before it, which counts
 * @param mediaSequence as the playlist has it; absent if it has none
 * @param discontinuitySequence the same
 * @param isDelta whether earlier segments are not in the playlist
 */
record LeadingGap(
    long segments,
    long discontinuities,
    OptionalLong mediaSequence,
    OptionalLong discontinuitySequence,
    boolean isDelta) {
  static LeadingGap of(
      PlaylistText text, SkippedRanges ranges, String baseUri, Map<String, String> imported) {
    SegmentScan scan = new SegmentScan(text, baseUri, imported);
    long segments = 0;
    long discontinuities = 0;
    long startNanos = 0;
    boolean isKept = false;
    while (!isKept && scan.next() && scan.hasAddress()) {
      long endNanos = DecimalSeconds.plus(startNanos, scan.durationNanos());
      isKept = !ranges.overlap(startNanos, endNanos);
      segments += isKept ? 0 : 1;
      discontinuities += scan.discontinuities();
      startNanos = endNanos;
    }
    boolean hasGap = isKept && segments > 0;
    return new LeadingGap(
        hasGap ? segments : 0,
        hasGap ? Math.max(0, discontinuities - 1) : 0,
        scan.mediaSequence(),
        scan.discontinuitySequence(),
        scan.isDelta());
  }

  /** Tags that the playlist lacks and now needs, before the first segment that stays. */
  String missingLines(String lineEnd) {
    String lines = "";
    if (segments > 0 && mediaSequence.isEmpty()) {
      lines += LineKind.EXT_X_MEDIA_SEQUENCE.line(Long.toString(segments)) + lineEnd;
    }
    if (discontinuities > 0 && discontinuitySequence.isEmpty()) {
      String number = Long.toString(discontinuities);
      lines += LineKind.EXT_X_DISCONTINUITY_SEQUENCE.line(number) + lineEnd;
    }
    return lines;
  }
}
