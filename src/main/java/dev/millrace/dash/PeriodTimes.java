package dev.millrace.dash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** When periods begin and how long they last (ISO/IEC 23009-1 §5.3.2.1). */
final class PeriodTimes {
  private final boolean isDynamic;
  private final Optional<Duration> presentation;

  /** A period with its times. */
  record Placed(MpdElement element, Duration start, Optional<Duration> duration) {}

  /**
   * @param presentation how long all of them last
   */
  PeriodTimes(boolean isDynamic, Optional<Duration> presentation) {
    this.isDynamic = isDynamic;
    this.presentation = presentation;
  }

  /**
   * By their starts. Those of a dynamic presentation whose start is not known yet are left out
   * (early available periods).
   */
  List<Placed> place(List<MpdElement> periods) {
    List<Placed> started = new ArrayList<>();
    for (MpdElement period : periods) {
      Optional<Duration> duration = read(period, "duration");
      read(period, "start")
          .or(() -> end(started))
          .ifPresent(start -> started.add(new Placed(period, start, duration)));
    }
    started.sort(Comparator.comparing(Placed::start));
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < started.size(); i++) {
      Placed period = started.get(i);
      placed.add(i + 1 < started.size() ? before(started.get(i + 1), period) : last(period));
    }
    return placed;
  }

  private static Optional<Duration> read(MpdElement period, String attribute) {
    return period.attribute(attribute).flatMap(Lexical::duration);
  }

  /** Of the periods before; a static one that does not say it lasts as long as what it lists. */
  private Optional<Duration> end(List<Placed> before) {
    if (before.isEmpty()) {
      return Optional.of(Duration.ZERO);
    }
    Placed last = before.get(before.size() - 1);
    Optional<Duration> listed =
        isDynamic ? Optional.empty() : Optional.of(ListedDuration.of(last.element()));
    return last.duration().or(() -> listed).map(last.start()::plus);
  }

  /** Until the next one begins, or earlier if it says so. */
  private Placed before(Placed next, Placed period) {
    Duration left = next.start().minus(period.start());
    Duration duration = period.duration().filter(own -> own.compareTo(left) < 0).orElse(left);
    return new Placed(period.element(), period.start(), Optional.of(duration));
  }

  /**
   * The last one lasts as long as it says, or to the end of the presentation. A presentation that
   * would end before it begins means the length of the period.
   */
  private Placed last(Placed period) {
    Optional<Duration> left =
        presentation.map(
            whole -> whole.compareTo(period.start()) > 0 ? whole.minus(period.start()) : whole);
    return new Placed(period.element(), period.start(), period.duration().or(() -> left));
  }
}
