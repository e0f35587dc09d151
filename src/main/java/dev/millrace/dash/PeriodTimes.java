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
    Optional<Duration> end = Optional.of(Duration.ZERO);
    for (MpdElement period : periods) {
      Optional<Duration> start = read(period, "start").or(endOf(end, started));
      if (start.isEmpty()) {
        continue;
      }
      Optional<Duration> duration = read(period, "duration");
      started.add(new Placed(period, start.get(), duration));
      end = duration.map(start.get()::plus);
    }
    started.sort(Comparator.comparing(Placed::start));
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < started.size(); i++) {
      placed.add(closed(started.get(i), i + 1 < started.size() ? Optional.of(started.get(i + 1)) : Optional.empty()));
    }
    return placed;
  }

  private static Optional<Duration> read(MpdElement period, String attribute) {
    return period.attribute(attribute).flatMap(Lexical::duration);
  }

  /** A static presentation that does not say how long a period is means what is listed in it. */
  private java.util.function.Supplier<Optional<Duration>> endOf(
      Optional<Duration> end, List<Placed> before) {
    return () ->
        end.isPresent() || isDynamic
            ? end
            : Optional.of(before.get(before.size() - 1))
                .map(last -> last.start().plus(ListedDuration.of(last.element())));
  }

  /** Until the next one begins, or earlier if it says so. */
  private Placed closed(Placed period, Optional<Placed> next) {
    Optional<Duration> end = next.map(Placed::start).or(() -> presentation);
    Optional<Duration> until =
        end.map(time -> time.minus(period.start())).filter(left -> next.isPresent() || !left.isNegative() && !left.isZero());
    Optional<Duration> own = period.duration();
    boolean isOwn = own.isPresent() && (next.isEmpty() || own.get().compareTo(until.orElse(own.get())) <= 0);
    return new Placed(period.element(), period.start(), isOwn ? own : until);
  }
}
