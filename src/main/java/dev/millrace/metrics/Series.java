package dev.millrace.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What tells one number from all others: a name, and labels.
 *
 * @param name {@code snake_case}
 * @param labels names and values in turn; values are any text
 */
record Series(String name, List<String> labels) {
  /** What stands for every label value that came when there was no room for another series. */
  static final String OTHER = "other";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

  Series {
    requireName(name);
    if (labels.size() % 2 != 0) {
      throw new IllegalArgumentException("labels of " + name + ": a name without a value");
    }
    labels = List.copyOf(labels);
    for (int i = 0; i < labels.size(); i += 2) {
      requireName(labels.get(i));
    }
  }

  private static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("name: " + name + " (expected: snake_case)");
    }
  }

  List<String> labelNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < labels.size(); i += 2) {
      names.add(labels.get(i));
    }
    return Collections.unmodifiableList(names);
  }

  /** The series that takes what this one would have counted. */
  Series other() {
    List<String> others = new ArrayList<>(labels);
    for (int i = 1; i < others.size(); i += 2) {
      others.set(i, OTHER);
    }
    return new Series(name, others);
  }

  /** Unique, and fit for people: {@code requests{endpoint=stream}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name);
    for (int i = 0; i < labels.size(); i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels.get(i)).append('=').append(labels.get(i + 1));
    }
    return text.append(labels.isEmpty() ? "" : "}").toString();
  }
}
