package dev.millrace.metrics;

import java.util.List;

/** Writes the Prometheus text exposition format, version 0.0.4. */
final class PrometheusText {
  private final StringBuilder text = new StringBuilder(4 << 10);

  /** Announces what follows. */
  void family(String exposedName, Kind kind, String help) {
    if (!help.isEmpty()) {
      text.append("# HELP ").append(exposedName).append(' ');
      escape(help, false);
      text.append('\n');
    }
    text.append("# TYPE ").append(exposedName).append(' ').append(kind.type()).append('\n');
  }

  void sample(String name, List<String> labels, long value) {
    begin(name, labels);
    text.append(labels.isEmpty() ? "" : "}").append(' ').append(value).append('\n');
  }

  void sample(String name, List<String> labels, double value) {
    begin(name, labels);
    text.append(labels.isEmpty() ? "" : "}").append(' ').append(value).append('\n');
  }

  /** One cumulative bucket of a histogram. */
  void bucket(String name, List<String> labels, String upperBound, long count) {
    begin(name + "_bucket", labels);
    text.append(labels.isEmpty() ? '{' : ',');
    text.append("le=\"").append(upperBound).append("\"} ").append(count).append('\n');
  }

  private void begin(String name, List<String> labels) {
    text.append(name);
    for (int i = 0; i < labels.size(); i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels.get(i)).append("=\"");
      escape(labels.get(i + 1), true);
      text.append('"');
    }
  }

  private void escape(String value, boolean isQuoted) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '"' -> text.append(isQuoted ? "\\\"" : "\"");
        default -> text.append(c);
      }
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
