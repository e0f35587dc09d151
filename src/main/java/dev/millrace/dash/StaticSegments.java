package dev.millrace.dash;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All segments of a profile, over all periods. */
final class StaticSegments {
  /** More are refused: a day of segments of one second is less. */
  static final int MAX_SEGMENTS = 100_000;

  /** How long a text file is, if neither its period nor the presentation says it. */
  private static final long UNKNOWN_TEXT_NANOS = 3600 * MediaTime.NANOS_PER_SECOND;

  private StaticSegments() {}

  /**
   * In their order; those at which players begin anew are marked.
   *
   * @throws MediaFormatException if there are none, or too many
   */
  static List<ListedSegment> of(Presentation presentation, Profile profile)
      throws MediaFormatException {
    List<ListedSegment> all = new ArrayList<>();
    Set<Long> borders = Set.copyOf(PeriodBorders.of(presentation.mpd()));
    for (Profile.InPeriod member : profile.members()) {
      boolean isNew = borders.contains(MediaTime.nanos(member.period().start()));
      List<ListedSegment> segments = ofPeriod(presentation, member, MAX_SEGMENTS + 1 - all.size());
      SegmentClock.append(all, segments, isNew);
      if (all.size() > MAX_SEGMENTS) {
        throw MediaFormatException.unsupported(
            "more than " + MAX_SEGMENTS + " segments in one representation");
      }
    }
    if (all.isEmpty()) {
      throw MediaFormatException.malformed("the MPD lists no segment of this representation");
    }
    return all;
  }

  private static List<ListedSegment> ofPeriod(
      Presentation presentation, Profile.InPeriod member, int most) {
    return Renditions.isSidecar(member.representation())
        ? List.of(whole(presentation.mpd(), member))
        : SegmentClock.segments(presentation, member, most);
  }

  /** A text file lasts as long as its period. */
  private static ListedSegment whole(Mpd mpd, Profile.InPeriod member) {
    Addressing.SegmentBase file = (Addressing.SegmentBase) member.representation().addressing();
    long start = MediaTime.nanos(member.period().start());
    long end = MediaTime.end(member.period());
    if (end == Long.MAX_VALUE) {
      end = mpd.duration().map(MediaTime::nanos).orElse(start + UNKNOWN_TEXT_NANOS);
    }
    Addressing.Part part = new Addressing.Part(file.file(), Optional.empty());
    return new ListedSegment(member, new Segment(1, 0, 0, 1, part, false), start, end, false);
  }
}
