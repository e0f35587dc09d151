package dev.millrace.metrics;

import java.util.function.LongSupplier;

/**
 * Where instruments come from. Asking again with the same name and labels gives the same
 * instrument; components ask once and keep it. All of it may be used from any thread and never
 * blocks.
 */
public interface Metrics {
  /** Counts nothing. */
  Metrics NONE =
      new Metrics() {
        @Override
        public Counter counter(String name, String... labels) {
          return amount -> {};
        }

        @Override
        public Timer timer(String name, String... labels) {
          return nanos -> {};
        }

        @Override
        public void gauge(String name, LongSupplier value, String... labels) {}
      };

  /** A number that only grows. */
  @FunctionalInterface
  interface Counter {
    void add(long amount);

    default void increment() {
      add(1);
    }
  }

  /** A distribution of durations. */
  @FunctionalInterface
  interface Timer {
    void record(long nanos);
  }

  /**
   * The counter of that name.
   *
   * @param labels names and values in turn
   */
  Counter counter(String name, String... labels);

  /**
   * The timer of that name.
   *
   * @param labels names and values in turn
   */
  Timer timer(String name, String... labels);

  /**
   * Shows a number that somebody else keeps.
   *
   * @param value read whenever somebody looks; cheap
   * @param labels names and values in turn
   */
  void gauge(String name, LongSupplier value, String... labels);
}
