package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The variables of a playlist (RFC 8216bis §4.3 and §4.4.2.3). Holds up to {@value #MAX_COUNT}, and
 * {@value #MAX_BYTES} bytes of names and values; further ones are not defined. Confined to one
 * caller.
 */
final class Variables {
  static final int MAX_COUNT = 256;
  static final int MAX_BYTES = 64 << 10;

  /** Most variables that a link carries. */
  static final int MAX_CARRIED = 32;

  /** Most bytes of names and values that a link carries. */
  static final int MAX_CARRIED_BYTES = 4 << 10;

  private static final byte[] REFERENCE = {'{', '$'};

  private final Map<String, String> imported;
  private final String query;
  private final Map<String, String> values = new LinkedHashMap<>();
  private int bytes;

  /**
   * None so far.
   *
   * @param imported what {@code IMPORT} finds, by name
   * @param query what {@code QUERYPARAM} searches, percent-encoded
   */
  Variables(Map<String, String> imported, String query) {
    this.imported = imported;
    this.query = query;
  }

  /**
   * Reads the attributes of an {@code EXT-X-DEFINE}. A name that is defined twice has its last
   * value.
   *
   * @return the value if it came from {@code QUERYPARAM} and the variable is defined
   */
  Optional<String> define(AttributeList attributes) {
    String name = "";
    String value = "";
    boolean isDefined = false;
    boolean isFromQuery = false;
    while (attributes.next()) {
      if (attributes.isNamed("NAME")) {
        name = attributes.value();
      } else if (attributes.isNamed("VALUE")) {
        value = replaced(attributes.value());
        isDefined = true;
      } else if (attributes.isNamed("IMPORT")) {
        name = attributes.value();
        isDefined = imported.containsKey(name);
        value = imported.getOrDefault(name, "");
      } else if (attributes.isNamed("QUERYPARAM")) {
        name = attributes.value();
        Optional<String> found = parameter(name).filter(Variables::canBeQuoted);
        isFromQuery = found.isPresent();
        isDefined = isFromQuery;
        value = found.orElse("");
      }
    }
    boolean isKept = isDefined && keep(name, value);
    return isKept && isFromQuery ? Optional.of(value) : Optional.empty();
  }

  private boolean keep(String name, String value) {
    int more = sizeBytes(name, value);
    Optional<String> before = Optional.ofNullable(values.get(name));
    int less = before.map(old -> sizeBytes(name, old)).orElse(0);
    int count = values.size() + (before.isPresent() ? 0 : 1);
    if (name.isEmpty() || count > MAX_COUNT || bytes + more - less > MAX_BYTES) {
      return false;
    }
    bytes += more - less;
    values.put(name, value);
    return true;
  }

  private static int sizeBytes(String name, String value) {
    return name.getBytes(UTF_8).length + value.getBytes(UTF_8).length;
  }

  private static boolean canBeQuoted(String value) {
    return value.chars().noneMatch(c -> c == '"' || c == '\n' || c == '\r');
  }

  /** The first with that name, percent-decoded; a plus is a plus. */
  private Optional<String> parameter(String name) {
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
        return Optional.of(decoded(equals < 0 ? "" : pair.substring(equals + 1)));
      }
    }
    return Optional.empty();
  }

  private static String decoded(String encoded) {
    byte[] source = encoded.getBytes(UTF_8);
    ByteBuilder decoded = new ByteBuilder(source.length);
    for (int i = 0; i < source.length; i++) {
      int high = i + 2 < source.length ? Character.digit(source[i + 1], 16) : -1;
      int low = i + 2 < source.length ? Character.digit(source[i + 2], 16) : -1;
      if (source[i] == '%' && high >= 0 && low >= 0) {
        decoded.append((byte) (high << 4 | low));
        i += 2;
      } else {
        decoded.append(source[i]);
      }
    }
    return decoded.toString();
  }

  /** Whether something might have to be replaced there. */
  boolean mayStandIn(byte[] text, int from, int to) {
    return !values.isEmpty() && reference(text, from, to) < to;
  }

  private static int reference(byte[] text, int from, int to) {
    for (int i = from; i + 1 < to; i++) {
      if (text[i] == REFERENCE[0] && text[i + 1] == REFERENCE[1]) {
        return i;
      }
    }
    return to;
  }

  /** Appends the text with the values of defined variables in place of references to them. */
  void replace(byte[] text, int from, int to, ByteBuilder out) {
    int done = from;
    int start = reference(text, from, to);
    while (start < to) {
      int end = start;
      while (end < to && text[end] != '}') {
        end++;
      }
      String name = new String(text, start + 2, Math.max(0, end - start - 2), UTF_8);
      if (end < to && values.containsKey(name)) {
        out.append(text, done, start - done).append(values.getOrDefault(name, ""));
        done = end + 1;
        start = reference(text, done, to);
      } else {
        start = reference(text, start + 2, to);
      }
    }
    out.append(text, done, to - done);
  }

  private String replaced(String text) {
    byte[] source = text.getBytes(UTF_8);
    if (!mayStandIn(source, 0, source.length)) {
      return text;
    }
    ByteBuilder out = new ByteBuilder(2 * source.length);
    replace(source, 0, source.length, out);
    return out.toString();
  }

  /** Parameters of links, in the order of definition, as many as links carry. */
  Map<String, String> carried() {
    return carried(values);
  }

  /** The same of variables that came with the request for this playlist. */
  Map<String, String> carriedOn() {
    return carried(imported);
  }

  private static Map<String, String> carried(Map<String, String> variables) {
    Map<String, String> carried = new LinkedHashMap<>();
    int left = MAX_CARRIED_BYTES;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      int size = sizeBytes(variable.getKey(), variable.getValue());
      if (carried.size() < MAX_CARRIED && size <= left) {
        left -= size;
        carried.put(PlaylistRewriter.VARIABLE_PREFIX + variable.getKey(), variable.getValue());
      }
    }
    return carried;
  }
}
