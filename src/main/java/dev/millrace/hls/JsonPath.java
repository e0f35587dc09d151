package dev.millrace.hls;

import java.util.ArrayList;
import java.util.List;

/** Where a reader stands in a JSON text: names of properties, and {@code []} in an array. */
final class JsonPath {
  private final List<String> steps = new ArrayList<>();

  /** An object or array begins there. */
  void open(boolean isArray) {
    steps.add(isArray ? "[]" : "");
  }

  /** It ends. */
  void close() {
    steps.remove(steps.size() - 1);
  }

  /** The object's next property. */
  void name(String name) {
    steps.set(steps.size() - 1, name);
  }

  boolean isOpen() {
    return !steps.isEmpty();
  }

  /** Whether it stands there; an empty name is any. */
  boolean is(List<String> path) {
    if (path.size() != steps.size()) {
      return false;
    }
    for (int i = 0; i < path.size(); i++) {
      if (!path.get(i).isEmpty() && !path.get(i).equals(steps.get(i))) {
        return false;
      }
    }
    return true;
  }
}
