package dev.millrace.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import java.util.function.LongSupplier;

/** A number that is read when somebody looks. */
final class ReadNumber implements Instrument {
  private final Gauge<Long> gauge;

  ReadNumber(LongSupplier value) {
    this.gauge = value::getAsLong;
  }

  @Override
  public Metric metric() {
    return gauge;
  }

  @Override
  public void write(PrometheusText text, String exposedName, Series series) {
    text.sample(exposedName, series.labels(), gauge.getValue());
  }
}
