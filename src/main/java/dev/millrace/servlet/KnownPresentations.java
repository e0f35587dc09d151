package dev.millrace.servlet;

import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was learned of presentations that are played now: how their clock differs from ours, and
 * where they say that they are to be asked for next. At most {@value #MAX_PRESENTATIONS}; the one
 * that was looked at longest ago makes room. Known by the whole question for the MPD, so that
 * nobody is led to where only somebody else's fields had led. Any thread.
 */
final class KnownPresentations {
  static final int MAX_PRESENTATIONS = 256;

  private final LongSupplier nanoTime;

  private final Map<UpstreamRequest, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UpstreamRequest, Known> eldest) {
          return size() > MAX_PRESENTATIONS;
        }
      };

  /** Of one presentation. */
  private static final class Known {
    private @Nullable Duration ahead;
    private long untilNanos;
    private @Nullable Target location;
  }

  /**
   * @param nanoTime like {@link System#nanoTime()}
   */
  KnownPresentations(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** How far its clock is ahead of ours; absent if that has to be learned. */
  synchronized Optional<Duration> ahead(UpstreamRequest presentation) {
    Known found = known.get(presentation);
    return found == null || found.untilNanos - nanoTime.getAsLong() <= 0
        ? Optional.empty()
        : Optional.ofNullable(found.ahead);
  }

  /** The clock of a presentation, good for so long. */
  synchronized void learned(UpstreamRequest presentation, Duration ahead, Duration goodFor) {
    Known found = known.computeIfAbsent(presentation, key -> new Known());
    found.ahead = ahead;
    found.untilNanos = nanoTime.getAsLong() + goodFor.toNanos();
  }

  /** Where it has said that it is to be asked for ({@code Location}). */
  synchronized Optional<Target> location(UpstreamRequest presentation) {
    Known found = known.get(presentation);
    return found == null ? Optional.empty() : Optional.ofNullable(found.location);
  }

  synchronized void moved(UpstreamRequest presentation, Target location) {
    known.computeIfAbsent(presentation, key -> new Known()).location = location;
  }

  synchronized int size() {
    return known.size();
  }
}
