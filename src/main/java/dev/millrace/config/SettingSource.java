package dev.millrace.config;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

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

  Optional<Entry> find(Setting<?> setting) {
    return setting.names().stream().filter(entries::containsKey).findFirst().map(entries::get);
  }
}
