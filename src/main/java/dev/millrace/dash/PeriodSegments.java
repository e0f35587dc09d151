package dev.millrace.dash;

import dev.millrace.dash.Addressing.Part;
import dev.millrace.dash.Addressing.SegmentBase;
import dev.millrace.dash.Addressing.SegmentList;
import dev.millrace.dash.Addressing.SegmentTemplate;
import dev.millrace.dash.SegmentSource.Parts;
import dev.millrace.dash.SegmentSource.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What each addressing mode (ISO/IEC 23009-1 §5.3.9) means in one period. */
record PeriodSegments(Mpd mpd, Period period) {

  /** Of a segment when nothing says more. */
  private static final Duration ASSUMED = Duration.ofSeconds(4);

  private record Expanded(UrlTemplate media, boolean isSplit) implements Parts {
    @Override
    public Part part(long number, long time, long subNumber) {
      return new Part(media.expand(number, time, subNumber), Optional.empty());
    }
  }

  SegmentSource of(Addressing addressing, List<IndexEntry> index) {
    if (addressing instanceof SegmentTemplate template) {
      return template(template);
    }
    if (addressing instanceof SegmentList list) {
      return list(list);
    }
    if (addressing instanceof SegmentBase base) {
      return index.isEmpty() ? file(base) : indexed(base, index);
    }
    throw new AssertionError(addressing);
  }

  private SegmentSource template(SegmentTemplate template) {
    Optional<SegmentTimeline> timeline = template.timeline();
    SegmentRuns runs =
        timeline.isPresent()
            ? timeline(timeline.get(), template, template.firstNumber(), template.endNumber())
            : counted(template);
    return new SegmentSource(
        runs,
        timeline.isPresent() ? Timing.TIMELINE : Timing.COUNTED,
        new Expanded(template.media(), template.media().hasSubNumber()),
        template.timescale(),
        template.presentationTimeOffset(),
        template.availabilityTimeOffset(),
        timeline.isPresent() ? OptionalLong.empty() : end(template));
  }

  private SegmentRuns timeline(
      SegmentTimeline timeline, Addressing addressing, long first, OptionalLong last) {
    OptionalLong end = end(addressing);
    boolean isGoingOn = end.isEmpty() && mpd.isDynamic();
    return SegmentRuns.of(
        timeline, first, last, isGoingOn ? OptionalLong.of(SegmentRuns.ENDLESS) : end);
  }

  /** Media time at which the period ends, if that is known. */
  private OptionalLong end(Addressing addressing) {
    return period.duration().isPresent()
        ? OptionalLong.of(
            Ticks.plus(
                addressing.presentationTimeOffset(),
                Ticks.ceiling(period.duration().get(), addressing.timescale())))
        : OptionalLong.empty();
  }

  private SegmentRuns counted(SegmentTemplate template) {
    long duration = duration(template, template.duration(), 1);
    SegmentRuns runs = new SegmentRuns();
    runs.add(
        template.presentationTimeOffset(), duration, count(template), template.firstNumber(), 1);
    return runs;
  }

  /** As many as fit, if time bounds them. */
  private long count(SegmentTemplate template) {
    if (template.endNumber().isPresent()) {
      return Ticks.plus(Ticks.minus(template.endNumber().getAsLong(), template.firstNumber()), 1);
    }
    if (template.duration().isEmpty()) {
      return 1;
    }
    return mpd.isDynamic() || period.duration().isPresent() ? SegmentRuns.ENDLESS : 0;
  }

  private SegmentSource list(SegmentList list) {
    List<Part> segments = list.segments();
    long first = list.firstNumber();
    Parts parts = (number, time, sub) -> segments.get((int) (number - first));
    Optional<SegmentTimeline> timeline = list.timeline();
    OptionalLong last = OptionalLong.of(Ticks.plus(first, segments.size() - 1L));
    return new SegmentSource(
        timeline.isPresent()
            ? timeline(timeline.get().withoutNumbers(), list, first, last)
            : listed(list, first),
        timeline.isPresent() ? Timing.TIMELINE : Timing.LISTED,
        parts,
        list.timescale(),
        list.presentationTimeOffset(),
        0,
        timeline.isPresent() ? OptionalLong.empty() : end(list));
  }

  /** In a dynamic presentation the list moves, and its first number tells how far. */
  private SegmentRuns listed(SegmentList list, long first) {
    int size = list.segments().size();
    long duration = duration(list, list.duration(), size);
    long passed = mpd.isDynamic() ? Ticks.times(Math.max(0, first - 1), duration) : 0;
    SegmentRuns runs = new SegmentRuns();
    runs.add(Ticks.plus(list.presentationTimeOffset(), passed), duration, size, first, 1);
    return runs;
  }

  private SegmentSource indexed(SegmentBase base, List<IndexEntry> index) {
    long timescale = index.get(0).timescale();
    SegmentRuns runs = new SegmentRuns();
    for (int i = 0; i < index.size(); i++) {
      IndexEntry entry = index.get(i);
      runs.add(entry.time(), entry.duration(), 1, i + 1L, 1);
    }
    Parts parts =
        (number, time, sub) -> {
          IndexEntry entry = index.get((int) number - 1);
          return new Part(base.file(), Optional.of(entry.firstByte() + "-" + entry.lastByte()));
        };
    long start = Ticks.convert(base.presentationTimeOffset(), base.timescale(), timescale);
    return new SegmentSource(
        runs, Timing.INDEXED, parts, timescale, start, 0, OptionalLong.empty());
  }

  /** One segment, as long as the period: everything after the initialization. */
  private SegmentSource file(SegmentBase base) {
    SegmentRuns runs = new SegmentRuns();
    runs.add(base.presentationTimeOffset(), duration(base, OptionalLong.empty(), 1), 1, 1, 1);
    Part rest = new Part(base.file(), rest(base));
    return new SegmentSource(
        runs,
        Timing.LISTED,
        (number, time, sub) -> rest,
        base.timescale(),
        base.presentationTimeOffset(),
        0,
        end(base));
  }

  private static Optional<String> rest(SegmentBase base) {
    return base.initialization()
        .filter(part -> part.url().equals(base.file()))
        .flatMap(Part::range)
        .map(range -> range.substring(range.indexOf('-') + 1))
        .filter(last -> !last.isEmpty())
        .map(last -> Long.parseLong(last) + 1 + "-");
  }

  /** As it is said; else a fair share of the period, or the longest that there may be. */
  private long duration(Addressing addressing, OptionalLong said, int segments) {
    if (said.isPresent()) {
      return said.getAsLong();
    }
    Optional<Duration> share = period.duration().map(whole -> whole.dividedBy(segments));
    Duration length = share.or(mpd::maxSegmentDuration).orElse(ASSUMED);
    return Math.max(1, Ticks.ceiling(length, addressing.timescale()));
  }
}
