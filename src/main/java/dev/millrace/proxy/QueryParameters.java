package dev.millrace.proxy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decoded query of a request: form decoding (a plus sign is a blank, escapes are UTF-8), blank
 * values kept, the last of a repeated name wins, order of first appearance kept.
 */
public final class QueryParameters {
  /** More parameters than this are refused. */
  public static final int MAX_PARAMETERS = 256;

  private final Map<String, List<String>> values;

  private QueryParameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Decodes a query.
   *
   * @param rawQuery the query as it stands in the request target, without the question mark; null
   *     if there is none
   * @throws BadParameterException if an escape is malformed or not UTF-8, naming the parameter; or
   *     if there are more than {@value #MAX_PARAMETERS}
   */
  public static QueryParameters parse(@Nullable String rawQuery) throws BadParameterException {
    Map<String, List<String>> values = new LinkedHashMap<>();
    String rest = rawQuery == null ? "" : rawQuery;
    int count = 0;
    for (int start = 0; start <= rest.length(); ) {
      int ampersand = rest.indexOf('&', start);
      int end = ampersand < 0 ? rest.length() : ampersand;
      if (end > start) {
        if (++count > MAX_PARAMETERS) {
          throw new BadParameterException(
              "query", "too many parameters (expected: at most " + MAX_PARAMETERS + ")");
        }
        add(rest.substring(start, end), values);
      }
      start = end + 1;
    }
    return new QueryParameters(values);
  }

  /** Those that a link carries, in order. */
  static QueryParameters of(Map<String, String> parameters) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    parameters.forEach((name, value) -> values.put(name, List.of(value)));
    return new QueryParameters(values);
  }

  private static void add(String pair, Map<String, List<String>> values)
      throws BadParameterException {
    int equals = pair.indexOf('=');
    String rawName = equals < 0 ? pair : pair.substring(0, equals);
    String rawValue = equals < 0 ? "" : pair.substring(equals + 1);
    String name = PercentDecoding.decodeForm(rawName).orElseThrow(() -> malformed(rawName));
    String value = PercentDecoding.decodeForm(rawValue).orElseThrow(() -> malformed(name));
    values.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
  }

  private static BadParameterException malformed(String name) {
    return new BadParameterException(
        name, "malformed escape (expected: UTF-8 in hexadecimal digits)");
  }

  /** The same with a parameter under another name, in its place, unless that has a value. */
  QueryParameters renamed(String from, String to) {
    if (!values.containsKey(from)) {
      return this;
    }
    String left = value(to).orElse("").isEmpty() ? to : from;
    Map<String, List<String>> renamed = new LinkedHashMap<>();
    values.forEach(
        (name, given) -> {
          if (!name.equals(left)) {
            renamed.put(name.equals(from) ? to : name, given);
          }
        });
    return new QueryParameters(renamed);
  }

  /** The value of that name (case matters); may be blank. */
  public Optional<String> value(String name) {
    List<String> given = values(name);
    return given.isEmpty() ? Optional.empty() : Optional.of(given.get(given.size() - 1));
  }

  /** Every value of that name, in order; empty if there is none. */
  public List<String> values(String name) {
    return Collections.unmodifiableList(values.getOrDefault(name, List.of()));
  }

  /** The last value of each name, decoded, in order of first appearance. */
  public Map<String, String> all() {
    Map<String, String> last = new LinkedHashMap<>();
    values.forEach((name, given) -> last.put(name, given.get(given.size() - 1)));
    return last;
  }

  /** Names only: values hold passwords and signed addresses. */
  @Override
  public String toString() {
    return "QueryParameters" + values.keySet();
  }
}
