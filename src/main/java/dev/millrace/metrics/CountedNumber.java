package dev.millrace.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Metric;

/** A counter that its component adds to. */
final class CountedNumber implements Instrument, Metrics.Counter {
  private final Counter counter = new Counter();

  @Override
  public void add(long amount) {
    counter.inc(amount);
  }

  @Override
  public Metric metric() {
    return counter;
  }

  @Override
  public void write(PrometheusText text, String exposedName, Series series) {
    text.sample(exposedName, series.labels(), counter.getCount());
  }
}
