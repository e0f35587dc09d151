package dev.millrace.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a {@code .env} file as the tools that made the format do: {@code NAME=value}, optional
 * {@code export}, comments after {@code #} at the start or after a blank, {@code '…'} taken as it
 * stands, {@code "…"} with backslash escapes. One line per name; no references to other names.
 */
final class DotEnv {
  private static final Pattern LINE =
      Pattern.compile(
          "(?:export\\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\\s*=\\s*"
              + "(?:'([^']*)'|\"((?:[^\"\\\\]|\\\\.)*+)\"|([^'\"\\s#]\\S*(?:\\s+[^#\\s]\\S*)*)?)"
              + "\\s*(?:(?<=[\\s'\"=])#.*)?");

  private DotEnv() {}

  /**
   * @param problems receives one text per line that cannot be read; never what the line says, it
   *     may be a secret
   */
  static Map<String, String> parse(List<String> lines, List<String> problems) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int index = 0; index < lines.size(); index++) {
      String line = lines.get(index).replace("\uFEFF", "").strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (parts.matches()) {
        values.put(parts.group(1), value(parts));
      } else {
        problems.add(".env line " + (index + 1) + ": unreadable (expected: NAME=value)");
      }
    }
    return values;
  }

  private static String value(Matcher parts) {
    if (parts.group(2) != null) {
      return parts.group(2);
    }
    if (parts.group(3) != null) {
      return parts.group(3).replace("\\n", "\n").replaceAll("\\\\(.)", "$1");
    }
    return parts.group(4) == null ? "" : parts.group(4);
  }
}
