package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The last segments of a profile of a dynamic presentation, over as many periods as it takes.
 *
 * <p>All profiles end together (contract D08): a segment is held back until the video and audio of
 * all sets have come further than its middle. A set that is more than three of its segments behind
 * is not waited for: it has stopped.
 */
final class LiveWindow {
  /** However far back somebody wants to begin. */
  static final int MAX_SEGMENTS = 10_000;

  private static final int MAX_HELD_BACK = 16;
  private static final int MAX_BEHIND = 3;

  private LiveWindow() {}

  /**
   * In their order; those at which players begin anew are marked.
   *
   * @param depth how many at most
   * @throws NotYetAvailableException if there are none
   */
  static List<ListedSegment> of(Presentation presentation, Profile profile, int depth)
      throws NotYetAvailableException {
    int wanted = Math.min(depth, StaticSegments.most(profile, MAX_SEGMENTS));
    List<List<ListedSegment>> periods = new ArrayList<>();
    int count = 0;
    List<Optional<Profile.InPeriod>> members = profile.inAll(presentation.mpd());
    for (int i = members.size() - 1; i >= 0 && count < wanted; i--) {
      Period period = presentation.mpd().periods().get(i);
      int left = wanted - count;
      List<ListedSegment> segments =
          members
              .get(i)
              .map(member -> segments(presentation, member, left, left == wanted))
              .orElseGet(
                  () -> MissingSegments.of(period, profile, left == wanted ? 0 : MAX_SEGMENTS));
      periods.add(0, segments);
      count += segments.size();
    }
    if (count == 0) {
      throw NotYetAvailableException.of(profile);
    }
    List<ListedSegment> all = joined(presentation.mpd(), periods);
    return all.subList(Math.max(0, all.size() - wanted), all.size());
  }

  private static List<ListedSegment> segments(
      Presentation presentation, Profile.InPeriod member, int most, boolean isLast) {
    List<ListedSegment> segments =
        SegmentClock.segments(presentation, member, most + MAX_HELD_BACK);
    return isLast ? heldBack(presentation, segments, member) : segments;
  }

  private static List<ListedSegment> joined(Mpd mpd, List<List<ListedSegment>> periods) {
    Set<Long> borders = Set.copyOf(PeriodBorders.of(mpd));
    List<ListedSegment> all = new ArrayList<>();
    for (List<ListedSegment> segments : periods) {
      if (!segments.isEmpty()) {
        Period period = segments.get(0).member().period();
        SegmentClock.append(all, segments, borders.contains(MediaTime.nanos(period.start())));
      }
    }
    return all;
  }

  /** Without those at the end that others are not yet ready for. */
  private static List<ListedSegment> heldBack(
      Presentation presentation, List<ListedSegment> segments, Profile.InPeriod member) {
    if (segments.isEmpty()) {
      return segments;
    }
    long end = commonEnd(presentation, member, segments.get(segments.size() - 1).endNanos());
    int count = segments.size();
    while (count > 0
        && segments.size() - count < MAX_HELD_BACK
        && segments.get(count - 1).middleNanos() > end) {
      count--;
    }
    return segments.subList(0, count);
  }

  private static long commonEnd(Presentation presentation, Profile.InPeriod member, long ownEnd) {
    long common = ownEnd;
    long own = NominalDuration.nanos(member.representation().addressing());
    for (AdaptationSet set : member.period().adaptationSets()) {
      Optional<Profile.InPeriod> other = waitedFor(member.period(), set);
      if (other.isPresent() && !set.equals(member.set())) {
        long longest =
            Math.max(own, NominalDuration.nanos(other.get().representation().addressing()));
        long end = end(presentation, other.get());
        if (ownEnd - end <= MAX_BEHIND * longest) {
          common = Math.min(common, end);
        }
      }
    }
    return common;
  }

  private static Optional<Profile.InPeriod> waitedFor(Period period, AdaptationSet set) {
    boolean isWaitedFor = set.kind() == Kind.VIDEO || set.kind() == Kind.AUDIO;
    return set.representations().stream()
        .map(representation -> new Profile.InPeriod(period, set, representation))
        .filter(Renditions::isListed)
        .filter(other -> isWaitedFor)
        .filter(other -> !(other.representation().addressing() instanceof Addressing.SegmentBase))
        .findFirst();
  }

  private static long end(Presentation presentation, Profile.InPeriod other) {
    List<ListedSegment> last = SegmentClock.segments(presentation, other, 1);
    return last.isEmpty() ? MediaTime.nanos(other.period().start()) : last.get(0).endNanos();
  }
}
