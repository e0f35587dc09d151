package dev.millrace.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One place where settings are written, names compared without regard to case.
 *
 * @param label how the place is called in messages
 * @param entries by upper-case name; entries without text are left out: empty means unset
 * @param strict which upper-case names are reported when they are unknown
 */
record SettingSource(String label, Map<String, Entry> entries, Predicate<String> strict) {
  /**
   * @param name as it was written
   */
  record Entry(String name, String text) {}

  static SettingSource of(String label, Map<String, String> texts, Predicate<String> strict) {
    Map<String, Entry> entries = new TreeMap<>();
    texts.forEach(
        (name, text) -> {
          String key = name.toUpperCase(Locale.ROOT);
          boolean exact = name.equals(key);
          if (!text.isBlank() && (exact || !entries.containsKey(key))) {
            entries.put(key, new Entry(name, text));
          }
        });
    return new SettingSource(label, entries, strict);
  }

  /** An environment is shared with other programs: only names that can be meant for us are ours. */
  static boolean ownName(String name) {
    return name.startsWith(Setting.OWN_PREFIX) || name.startsWith(Setting.NESTED_PREFIX);
  }

  /** What sets it, under its strongest name. */
  Optional<Entry> find(Setting<?> setting) {
    return named(setting)
        .filter(entry -> !setting.syntax().foreign().test(entry.text()))
        .findFirst();
  }

  /** What has its name but is meant for other programs. */
  List<Entry> foreign(Setting<?> setting) {
    return named(setting).filter(entry -> setting.syntax().foreign().test(entry.text())).toList();
  }

  private Stream<Entry> named(Setting<?> setting) {
    return setting.names().stream().filter(entries::containsKey).map(entries::get);
  }
}
