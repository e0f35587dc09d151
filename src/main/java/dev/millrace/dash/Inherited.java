package dev.millrace.dash;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The elements of one kind that hold for a representation, innermost first: each attribute and each
 * child counts where it is met first (ISO/IEC 23009-1 §5.3.9.1).
 *
 * @param kind their name; empty if there are none
 */
record Inherited(String kind, List<MpdElement> elements) {

  /**
   * @param levels innermost first
   * @param kinds names, the preferred one first where a level has several
   */
  static Inherited of(List<MpdElement> levels, List<String> kinds) {
    String kind =
        levels.stream()
            .flatMap(level -> kinds.stream().filter(name -> level.first(name).isPresent()))
            .findFirst()
            .orElse("");
    return new Inherited(
        kind, levels.stream().flatMap(level -> level.first(kind).stream()).toList());
  }

  Optional<String> attribute(String name) {
    return elements.stream().flatMap(element -> element.attribute(name).stream()).findFirst();
  }

  /** One that cannot be read counts as absent. */
  OptionalLong number(String name) {
    return elements.stream()
        .map(element -> element.number(name))
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  double seconds(String name) {
    return attribute(name).map(text -> Lexical.seconds(text, 0)).orElse(0.0);
  }

  Optional<MpdElement> first(String child) {
    return elements.stream().flatMap(element -> element.first(child).stream()).findFirst();
  }

  /** The innermost element that has such a child. */
  Optional<MpdElement> firstWith(String child) {
    return elements.stream().filter(element -> element.first(child).isPresent()).findFirst();
  }

  /** Unless {@code @duration} is said further inside. */
  Optional<SegmentTimeline> timeline() {
    return elements.stream()
        .filter(element -> element.timeline() != null || element.number("duration").isPresent())
        .findFirst()
        .flatMap(element -> Stream.ofNullable(element.timeline()).findFirst());
  }
}
