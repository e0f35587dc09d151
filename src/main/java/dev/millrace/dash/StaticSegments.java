package dev.millrace.dash;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All segments of a profile, over all periods; where it has none, {@link MissingSegments}. */
final class StaticSegments {
  /** More are refused: a day of segments of two seconds. */
  static final int MAX_SEGMENTS = 43_200;

  /** Of all addresses that a pattern is expanded to, together. */
  static final int MAX_CHARACTERS = 4 << 20;

  /** Digits of a number or time in an address. */
  private static final int MAX_DIGITS = 20;

  private StaticSegments() {}

  /** As many, or so many that their addresses are not too long together. */
  static int most(Profile profile, int segments) {
    int longest =
        profile.members().stream()
            .mapToInt(member -> patternLength(member.representation().addressing()))
            .max()
            .orElse(0);
    return Math.min(segments, MAX_CHARACTERS / (longest + MAX_DIGITS));
  }

  private static int patternLength(Addressing addressing) {
    return addressing instanceof Addressing.SegmentTemplate template
        ? template.media().toString().length()
        : 0;
  }

  /**
   * In their order; those at which players begin anew are marked.
   *
   * @throws MediaFormatException if there are none, or too many
   */
  static List<ListedSegment> of(Presentation presentation, Profile profile)
      throws MediaFormatException {
    List<ListedSegment> all = new ArrayList<>();
    Set<Long> borders = Set.copyOf(PeriodBorders.of(presentation.mpd()));
    List<Optional<Profile.InPeriod>> members = profile.inAll(presentation.mpd());
    int limit = most(profile, MAX_SEGMENTS);
    for (int i = 0; i < members.size(); i++) {
      Period period = presentation.mpd().periods().get(i);
      boolean isNew = borders.contains(MediaTime.nanos(period.start()));
      int most = limit + 1 - all.size();
      List<ListedSegment> segments =
          members
              .get(i)
              .map(member -> SegmentClock.segments(presentation, member, most))
              .orElseGet(() -> MissingSegments.of(period, profile, most));
      SegmentClock.append(all, segments, isNew);
      if (all.size() > limit) {
        throw MediaFormatException.unsupported(
            "more than " + limit + " segments in one representation");
      }
    }
    if (all.stream().allMatch(ListedSegment::isMissing)) {
      throw MediaFormatException.malformed("the MPD lists no segment of this representation");
    }
    return all;
  }
}
