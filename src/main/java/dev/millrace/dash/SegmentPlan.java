package dev.millrace.dash;

import dev.millrace.dash.Addressing.SegmentList;
import dev.millrace.dash.Addressing.SegmentTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Which segments a representation has in one period (ISO/IEC 23009-1 §5.3.9.5).
 *
 * <h2>What is listed</h2>
 *
 * <p>Of a static presentation everything that begins before the period's end and ends after its
 * beginning; a rest of less than a millisecond, as rounded durations leave it, is no segment. If
 * the media times of a timeline lie outside of the period altogether, its bounds are not believed.
 *
 * <p>Of a dynamic one, what has ended {@code availabilityTimeOffset} (at most one segment) after
 * now, and after the time shift buffer began. That buffer reaches back from now if segments are
 * counted by the clock. In the latest period of a timeline it reaches back from the last segment
 * that is there, so that a packager that stalls keeps its window. A list without timeline is
 * believed, what stands there is there; so is a timeline that begins more than a day from now, as
 * its times do not count from {@code availabilityStartTime}.
 */
public final class SegmentPlan {
  private static final Duration ROUNDING = Duration.ofMillis(1);
  private static final double MAX_EARLY = 1e9;
  private static final Duration FAR = Duration.ofDays(1);

  private final Mpd mpd;
  private final Period period;
  private final SegmentSource source;
  private final Optional<Duration> elapsed;

  private SegmentPlan(Mpd mpd, Period period, SegmentSource source, Optional<Duration> elapsed) {
    this.mpd = mpd;
    this.period = period;
    this.source = source;
    this.elapsed = elapsed;
  }

  /**
   * The segments, in their order: of a static presentation all, of a dynamic one those that are
   * there by now and still inside of its time shift buffer. Only what is given back is expanded.
   *
   * @param index of a {@link Addressing.SegmentBase}; empty: it has none, and is one segment
   * @param now of a dynamic presentation
   * @param most of them, the last ones; a static one has all of {@code most} at its beginning
   * @throws IllegalArgumentException if the presentation is dynamic and there is no {@code now}
   */
  public static List<Segment> of(
      Mpd mpd,
      Period period,
      Representation representation,
      List<IndexEntry> index,
      Optional<Instant> now,
      int most) {
    if (mpd.isDynamic() && now.isEmpty()) {
      throw new IllegalArgumentException("now: empty (expected: a time, the MPD is dynamic)");
    }
    Optional<Duration> elapsed =
        now.filter(time -> mpd.isDynamic()).map(time -> elapsed(mpd, period, time));
    SegmentSource source = new PeriodSegments(mpd, period).of(representation.addressing(), index);
    return new SegmentPlan(mpd, period, source, elapsed).segments(most);
  }

  /**
   * How long segments are meant to be, in units of the addressing: {@code @duration}, or the low
   * median of the timeline; empty if it says neither.
   */
  public static OptionalLong nominalDuration(Addressing addressing) {
    if (addressing instanceof SegmentTemplate template) {
      return template.duration().isPresent() ? template.duration() : median(template.timeline());
    }
    if (addressing instanceof SegmentList list) {
      return list.duration().isPresent() ? list.duration() : median(list.timeline());
    }
    return OptionalLong.empty();
  }

  private static OptionalLong median(Optional<SegmentTimeline> known) {
    if (known.isEmpty()) {
      return OptionalLong.empty();
    }
    SegmentTimeline timeline = known.get();
    int[] entries =
        IntStream.range(0, timeline.size())
            .filter(i -> timeline.durations()[i] > 0)
            .boxed()
            .sorted((a, b) -> Long.compare(timeline.durations()[a], timeline.durations()[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    long left = 0;
    for (int entry : entries) {
      left += weight(timeline, entry);
    }
    left = (left + 1) / 2;
    for (int entry : entries) {
      left -= weight(timeline, entry);
      if (left <= 0) {
        return OptionalLong.of(timeline.durations()[entry]);
      }
    }
    return OptionalLong.empty();
  }

  private static long weight(SegmentTimeline timeline, int entry) {
    return 1 + Math.max(0, timeline.repeats()[entry]);
  }

  /** Since the period began; an MPD that does not say when it began counts from 1970. */
  private static Duration elapsed(Mpd mpd, Period period, Instant now) {
    Instant start = mpd.availabilityStartTime().orElse(Instant.EPOCH);
    return Duration.between(start, now).minus(period.start());
  }

  private List<Segment> segments(int most) {
    List<Range> ranges = ranges(true);
    if (ranges.isEmpty() && elapsed.isEmpty() && source.timing().isWritten()) {
      ranges = ranges(false);
    }
    return expanded(ranges, most);
  }

  /** Some segments of a run: from, until. */
  private record Range(int run, long from, long to) {}

  private List<Range> ranges(boolean isBounded) {
    SegmentRuns runs = source.runs();
    long[] to = new long[runs.size()];
    long edge = -Long.MAX_VALUE;
    for (int run = 0; run < to.length; run++) {
      to[run] = Math.min(isBounded ? inPeriod(run) : runs.count(run), available(run));
      if (to[run] > 0) {
        edge = Math.max(edge, runs.end(run, to[run]));
      }
    }
    long start = isBounded ? source.periodStart() : -Long.MAX_VALUE;
    long after = Math.max(start, windowStart(edge));
    List<Range> ranges = new ArrayList<>();
    for (int run = 0; run < to.length; run++) {
      long from = runs.endedBy(run, after);
      if (from < to[run]) {
        ranges.add(new Range(run, from, to[run]));
      }
    }
    return ranges;
  }

  /** How many of a run begin before the period ends. */
  private long inPeriod(int run) {
    if (period.duration().isEmpty()) {
      return source.runs().count(run);
    }
    Duration end = period.duration().get().minus(ROUNDING);
    return source.runs().begunBefore(run, source.mediaTimeCeiling(end));
  }

  /** How many of a run are there by now. */
  private long available(int run) {
    SegmentRuns runs = source.runs();
    if (elapsed.isEmpty() || !source.timing().isByClock()) {
      return runs.count(run);
    }
    if (isOffTheClock()) {
      return runs.end(run) < SegmentRuns.ENDLESS ? runs.count(run) : 1;
    }
    double most = (double) runs.duration(run) / source.timescale();
    double early = Math.min(Math.min(most, MAX_EARLY), source.availabilityTimeOffset());
    Duration present = elapsed.get().plusMillis(Math.round(early * 1_000));
    return runs.endedBy(run, source.mediaTime(present));
  }

  /** A timeline that begins days from now was written against another clock. */
  private boolean isOffTheClock() {
    return source.timing() == SegmentSource.Timing.TIMELINE
        && source.runs().size() > 0
        && source.runs().start(0) > source.mediaTime(elapsed.orElseThrow().plus(FAR));
  }

  private long mediaNow() {
    return source.mediaTime(elapsed.orElseThrow());
  }

  private long windowStart(long edge) {
    if (elapsed.isEmpty() || mpd.timeShiftBufferDepth().isEmpty()) {
      return -Long.MAX_VALUE;
    }
    boolean isFromEdge = source.timing().isWritten() && isLatest();
    long depth = Ticks.of(mpd.timeShiftBufferDepth().get(), source.timescale());
    return Ticks.minus(isFromEdge ? edge : mediaNow(), depth);
  }

  /** Whether no later period has begun. */
  private boolean isLatest() {
    Duration present = elapsed.orElseThrow().plus(period.start());
    return mpd.periods().stream()
        .map(Period::start)
        .noneMatch(start -> start.compareTo(period.start()) > 0 && start.compareTo(present) <= 0);
  }

  private List<Segment> expanded(List<Range> ranges, int most) {
    long total = 0;
    for (Range range : ranges) {
      total = Ticks.plus(total, range.to() - range.from());
    }
    long skipped = elapsed.isPresent() ? Math.max(0, total - most) : 0;
    List<Segment> segments = new ArrayList<>((int) Math.min(Math.max(0, most), total));
    for (Range range : ranges) {
      long from = Math.min(range.to(), range.from() + skipped);
      skipped -= from - range.from();
      for (long i = from; i < range.to() && segments.size() < most; i++) {
        source.addTo(segments, range.run(), i);
      }
    }
    return trimmed(segments, most);
  }

  /** Segments in parts come as many as they are. */
  private List<Segment> trimmed(List<Segment> segments, int most) {
    int size = segments.size();
    if (size <= most) {
      return segments;
    }
    return elapsed.isPresent() ? segments.subList(size - most, size) : segments.subList(0, most);
  }
}
