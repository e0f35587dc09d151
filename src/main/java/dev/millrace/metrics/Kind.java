package dev.millrace.metrics;

/** What a number is, and how Prometheus (text format 0.0.4) names it. */
enum Kind {
  COUNTER("counter", "_total"),
  GAUGE("gauge", ""),
  TIMER("histogram", "_seconds");

  private static final String PREFIX = "millrace_";

  private final String type;
  private final String suffix;

  Kind(String type, String suffix) {
    this.type = type;
    this.suffix = suffix;
  }

  String type() {
    return type;
  }

  String exposedName(String name) {
    return PREFIX + name + suffix;
  }
}
