package dev.millrace.metrics;

import com.codahale.metrics.Metric;
import com.codahale.metrics.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;

/**
 * A distribution of durations, kept twice: in buckets since the start for Prometheus, which can be
 * added up over servers and times, and as Dropwizard's decaying sample (at most 1,028 values) for
 * those who look at percentiles over JMX.
 */
final class MeasuredDuration implements Instrument, Metrics.Timer {
  /** Upper bounds in seconds, inclusive; what is longer goes into a last bucket without one. */
  static final List<Double> BOUNDS =
      List.of(0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0);

  private static final double NANOS = 1e9;
  private static final long[] BOUND_NANOS =
      BOUNDS.stream()
          .flatMapToDouble(DoubleStream::of)
          .mapToLong(bound -> Math.round(bound * NANOS))
          .toArray();

  private final Timer timer = new Timer();
  private final AtomicLongArray buckets = new AtomicLongArray(BOUND_NANOS.length + 1);
  private final LongAdder sumNanos = new LongAdder();

  @Override
  public void record(long nanos) {
    long elapsed = Math.max(0, nanos);
    timer.update(elapsed, TimeUnit.NANOSECONDS);
    sumNanos.add(elapsed);
    int bucket = 0;
    while (bucket < BOUND_NANOS.length && elapsed > BOUND_NANOS[bucket]) {
      bucket++;
    }
    buckets.incrementAndGet(bucket);
  }

  @Override
  public Metric metric() {
    return timer;
  }

  @Override
  public void write(PrometheusText text, String exposedName, Series series) {
    long count = 0;
    for (int i = 0; i < BOUNDS.size(); i++) {
      count += buckets.get(i);
      text.bucket(exposedName, series.labels(), BOUNDS.get(i).toString(), count);
    }
    count += buckets.get(BOUNDS.size());
    text.bucket(exposedName, series.labels(), "+Inf", count);
    text.sample(exposedName + "_sum", series.labels(), sumNanos.sum() / NANOS);
    text.sample(exposedName + "_count", series.labels(), count);
  }
}
