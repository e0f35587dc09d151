package dev.millrace.metrics;

import com.codahale.metrics.Metric;

/** One series at work: counted or read here, looked at through both windows. */
interface Instrument {
  /** What Dropwizard, and through it JMX, shows. */
  Metric metric();

  /**
   * Appends its samples.
   *
   * @param exposedName of the family, unit and prefix included
   */
  void write(PrometheusText text, String exposedName, Series series);
}
