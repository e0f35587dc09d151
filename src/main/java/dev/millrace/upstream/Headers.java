package dev.millrace.upstream;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Immutable field lines in the order in which they are sent (RFC 9110 §5.3). */
public record Headers(List<Header> lines) implements Iterable<Header> {
  public static final Headers EMPTY = new Headers(List.of());

  public Headers {
    lines = List.copyOf(lines);
  }

  /** Alternating names and values. */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("a name without a value");
    }
    List<Header> lines = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      lines.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
    }
    return new Headers(lines);
  }

  /** The value of the first line of that name, without regard to case. */
  public Optional<String> first(String name) {
    return lines.stream().filter(line -> line.is(name)).map(Header::value).findFirst();
  }

  public boolean has(String name) {
    return lines.stream().anyMatch(line -> line.is(name));
  }

  /** These lines with every line of that name replaced by one. */
  public Headers with(String name, String value) {
    List<Header> kept = new ArrayList<>(without(name).lines);
    kept.add(new Header(name, value));
    return new Headers(kept);
  }

  /** These lines, with those of {@code others} in place of lines of the same names. */
  public Headers with(Headers others) {
    Headers merged = this;
    for (Header line : others) {
      merged = merged.with(line.name(), line.value());
    }
    return merged;
  }

  /** These lines less every line of that name. */
  public Headers without(String name) {
    return new Headers(lines.stream().filter(line -> !line.is(name)).toList());
  }

  @Override
  public Iterator<Header> iterator() {
    return lines.iterator();
  }
}
