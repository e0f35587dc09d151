package dev.millrace.dash;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tag with attributes (RFC 8216 §4.2), written in the order in which they are added. What came
 * out of an MPD cannot leave its quotes: quotes and control characters are left out.
 */
final class AttributeLine {
  private final StringBuilder line;
  private boolean hasOne;

  AttributeLine(String tag) {
    line = new StringBuilder(tag).append(':');
  }

  /** Without quotes: a number, or an enumerated string. */
  AttributeLine plain(String name, Object value) {
    line.append(hasOne ? "," : "").append(name).append('=').append(value);
    hasOne = true;
    return this;
  }

  AttributeLine quoted(String name, String value) {
    return plain(name, '"' + clean(value) + '"');
  }

  AttributeLine quoted(String name, Optional<String> value) {
    return value.map(there -> quoted(name, there)).orElse(this);
  }

  /** Of a name, a language, a codec: what may stand between quotes. */
  static String clean(String value) {
    StringBuilder clean = new StringBuilder(value.length());
    value
        .codePoints()
        .filter(c -> c != '"' && !Character.isISOControl(c) && c != 0x2028 && c != 0x2029)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** Codecs without doubles, in their order, as one list; empty if one of them is not known. */
  static Optional<String> codecs(List<Optional<String>> codecs) {
    List<String> all = new ArrayList<>();
    for (Optional<String> some : codecs) {
      String clean = clean(some.orElse("")).strip();
      if (clean.isEmpty()) {
        return Optional.empty();
      }
      for (String codec : clean.split(",", -1)) {
        if (!codec.isBlank() && !all.contains(codec.strip())) {
          all.add(codec.strip());
        }
      }
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(String.join(",", all));
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
