package dev.millrace.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.toml.TomlMapper;

/** Reads a TOML file into {@code section.key} and text; loaded only when there is such a file. */
final class TomlFile {
  private TomlFile() {}

  /**
   * @param problems receives where the file is wrong; never what stands there, it may be a secret
   */
  static Map<String, String> parse(String label, String toml, List<String> problems) {
    Map<String, String> values = new LinkedHashMap<>();
    try {
      flatten("", new TomlMapper().readValue(toml, Map.class), values);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String place = at == null ? "" : " line " + at.getLineNr() + ", column " + at.getColumnNr();
      problems.add(label + place + ": not valid TOML (texts stand in quotes)");
    }
    return values;
  }

  private static void flatten(String prefix, Map<?, ?> table, Map<String, String> values) {
    table.forEach(
        (name, value) -> {
          String key = prefix + name;
          if (value instanceof Map<?, ?> inner) {
            if (isOpenTable(key)) {
              values.put(key, TransportRoutes.json(inner));
            } else {
              flatten(key + ".", inner, values);
            }
          } else if (value instanceof List<?> list) {
            values.put(key, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
          } else {
            values.put(key, String.valueOf(value));
          }
        });
  }

  /** A table whose keys the user makes up is one value, written as in the environment. */
  private static boolean isOpenTable(String key) {
    return key.toLowerCase(Locale.ROOT).equals("proxy.transport_routes");
  }
}
