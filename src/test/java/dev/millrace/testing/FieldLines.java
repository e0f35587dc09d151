package dev.millrace.testing;

import java.util.List;
import java.util.Optional;

/** Looks into header lines, RFC 9110 §5. */
final class FieldLines {
  private FieldLines() {}

  static Optional<String> first(List<String> lines, String name) {
    return all(lines, name).stream().findFirst();
  }

  static List<String> all(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip())
        .toList();
  }
}
