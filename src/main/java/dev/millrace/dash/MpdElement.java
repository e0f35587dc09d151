package dev.millrace.dash;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An element of an MPD whose name we know; others are not kept.
 *
 * @param attributes names and values by turns; attributes of other namespaces begin with a colon
 * @param children by their names
 * @param text of its own, stripped
 * @param timeline its {@code SegmentTimeline}
 */
record MpdElement(
    String name,
    List<String> attributes,
    Map<String, List<MpdElement>> children,
    String text,
    @Nullable SegmentTimeline timeline) {

  /** An attribute that is there and not blank, stripped. */
  Optional<String> attribute(String name) {
    for (int i = 0; i < attributes.size(); i += 2) {
      if (attributes.get(i).equals(name) && !attributes.get(i + 1).isBlank()) {
        return Optional.of(attributes.get(i + 1).strip());
      }
    }
    return Optional.empty();
  }

  /** An attribute that is an unsigned number. */
  OptionalLong number(String name) {
    Optional<String> text = attribute(name);
    return text.isPresent() ? Lexical.unsigned(text.get()) : OptionalLong.empty();
  }

  /** An attribute that is a number of seconds, 0 without it; may be infinite. */
  double seconds(String name) {
    return attribute(name).map(text -> Lexical.seconds(text, 0)).orElse(0.0);
  }

  Stream<MpdElement> all(String name) {
    return children.getOrDefault(name, List.of()).stream();
  }

  Optional<MpdElement> first(String name) {
    return all(name).findFirst();
  }
}
