package dev.millrace.testing;

import dev.millrace.metrics.Metrics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Keeps what counters were given, and how often timers were, by name without regard to labels. */
public final class CountingMetrics implements Metrics {
  private final Map<String, Long> totals = new ConcurrentHashMap<>();

  /** 0 if there is none of that name. */
  public long total(String name) {
    return totals.getOrDefault(name, 0L);
  }

  @Override
  public Counter counter(String name, String... labels) {
    return amount -> totals.merge(name, amount, Long::sum);
  }

  @Override
  public Timer timer(String name, String... labels) {
    return nanos -> totals.merge(name, 1L, Long::sum);
  }

  @Override
  public void gauge(String name, LongSupplier value, String... labels) {}

  @Override
  public void total(String name, LongSupplier value, String... labels) {}
}
