package dev.millrace.dash;

import java.util.List;

/** {@code EXT-X-TARGETDURATION} (RFC 8216 §4.3.3.1), in whole seconds, rounded up. */
final class TargetDuration {
  private static final long IF_EMPTY = 3;
  private static final long MILLIS = 1000;

  private TargetDuration() {}

  /** Of a playlist that does not change: its longest segment. */
  static long fixed(List<ListedSegment> segments) {
    return segments.stream().mapToLong(ListedSegment::millis).max().stream()
        .map(TargetDuration::seconds)
        .findFirst()
        .orElse(IF_EMPTY);
  }

  /**
   * Of a playlist that goes on. It must not change, so it also covers the duration that the
   * template has, and the longest that is announced ({@code @maxSegmentDuration}) if that is not
   * more than twice what is there: players would reload too seldom.
   *
   * @param longestMillis that was ever listed
   */
  static long live(Mpd mpd, Profile profile, long longestMillis) {
    long longest = longestMillis;
    for (Profile.InPeriod member : profile.members()) {
      Addressing addressing = member.representation().addressing();
      long nominal =
          NominalDuration.constant(addressing).stream()
              .map(units -> MediaTime.nanos(units, addressing.timescale()))
              .findFirst()
              .orElse(0);
      longest = Math.max(longest, MediaTime.millis(nominal));
    }
    long announced =
        mpd.maxSegmentDuration().map(MediaTime::nanos).map(MediaTime::millis).orElse(0L);
    return seconds(announced <= 2 * longest ? Math.max(longest, announced) : longest);
  }

  private static long seconds(long millis) {
    return Math.max(1, (millis + MILLIS - 1) / MILLIS);
  }
}
