package dev.millrace.metrics;

import java.util.function.LongSupplier;

/**
 * Where instruments come from. Asking again with the same name and labels gives the same
 * instrument, which costs a look-up; components that count often ask once and keep it. All of it
 * may be used from any thread and never blocks.
 *
 * <p>A name is {@code snake_case}, has one kind and one set of label names. Timers take no unit in
 * their names; what else has a unit ends in it ({@code response_bytes}).
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

        @Override
        public void total(String name, LongSupplier value, String... labels) {}
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

  /**
   * Shows a number that somebody else keeps and that only grows: a counter that is read when
   * somebody looks, so that counting costs nothing.
   *
   * @param value never smaller than before
   * @param labels names and values in turn
   */
  void total(String name, LongSupplier value, String... labels);
}
