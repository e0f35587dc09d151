package dev.millrace.dash;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a playlist lists for a period that has nothing of its kind, such as an advertisement without
 * subtitles: segments that are not to be loaded ({@code EXT-X-GAP}), so that its later ones stay at
 * their time, and discontinuities are counted as in the other playlists.
 */
final class MissingSegments {
  private MissingSegments() {}

  /**
   * As long as segments of the profile usually are; none if the period does not say when it ends.
   *
   * @param most of them, the first ones
   */
  static List<ListedSegment> of(Period period, Profile profile, int most) {
    Profile.InPeriod like = profile.members().get(0);
    Profile.InPeriod member = new Profile.InPeriod(period, like.set(), like.representation());
    long length =
        Math.max(
            MediaTime.NANOS_PER_SECOND, NominalDuration.nanos(like.representation().addressing()));
    long end = MediaTime.end(period);
    List<ListedSegment> missing = new ArrayList<>();
    for (long start = MediaTime.nanos(period.start());
        end != Long.MAX_VALUE && start < end && missing.size() < most;
        start += length) {
      Addressing.Part nothing = new Addressing.Part("", Optional.empty());
      Segment segment = new Segment(1, 0, 0, 1, nothing, false);
      ListedSegment next =
          new ListedSegment(member, segment, start, Math.min(end, start + length), false, true);
      if (next.millis() > 0) {
        missing.add(next);
      }
    }
    return missing;
  }
}
