package dev.millrace.proxy;

import dev.millrace.upstream.Header;
import dev.millrace.upstream.Headers;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The fields that parameters of one prefix set. The prefix counts in any case, names become lower
 * case, the last of a name wins, empty values and {@linkplain DeniedFields denied names} are left
 * out.
 */
final class HeaderParameters {
  private HeaderParameters() {}

  /**
   * @param prefix in lower case, with its underscore
   * @param isDenied on names in lower case
   * @param maxBytes names and values together
   * @throws BadParameterException if a name is no token, a value holds a control character, or all
   *     of them are too long
   */
  static Headers of(QueryParameters query, String prefix, Predicate<String> isDenied, int maxBytes)
      throws BadParameterException {
    Map<String, String> fields = new LinkedHashMap<>();
    int sizeBytes = 0;
    for (Map.Entry<String, String> parameter : query.all().entrySet()) {
      String key = parameter.getKey();
      String value = parameter.getValue().strip();
      if (!key.regionMatches(true, 0, prefix, 0, prefix.length()) || value.isEmpty()) {
        continue;
      }
      String name = checkedName(key, prefix);
      // checked before blanks are cut: a line break at the end is one
      String wire = checkedValue(key, parameter.getValue()).strip();
      if (isDenied.test(name) || wire.isEmpty()) {
        continue;
      }
      sizeBytes += name.length() + wire.length();
      if (sizeBytes > maxBytes) {
        throw new BadParameterException(
            key, "too long (expected: at most " + maxBytes + " bytes of all " + prefix + ")");
      }
      fields.put(name, wire);
    }
    return new Headers(
        fields.entrySet().stream().map(f -> new Header(f.getKey(), f.getValue())).toList());
  }

  private static String checkedName(String key, String prefix) throws BadParameterException {
    String name = key.substring(prefix.length());
    if (!FieldSyntax.isToken(name)) {
      throw new BadParameterException(
          key, "not a field name (expected: a token after " + prefix + ")");
    }
    return name.toLowerCase(Locale.ROOT);
  }

  private static String checkedValue(String key, String value) throws BadParameterException {
    if (!FieldSyntax.isValue(value)) {
      throw new BadParameterException(key, "control character (expected: none)");
    }
    return FieldSyntax.onTheWire(value);
  }
}
