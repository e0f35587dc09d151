package dev.millrace.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One row of the table of settings.
 *
 * @param name the name it goes by, upper case
 * @param tomlKey {@code section.key} in a TOML file; names without one cannot stand in a file
 * @param syntax how its text is read
 * @param defaultValue what holds when nothing sets it
 * @param secret whether its value is never shown
 * @param description one or two sentences for the documentation
 */
record Setting<T>(
    String name,
    Optional<String> tomlKey,
    Syntax<T> syntax,
    T defaultValue,
    boolean secret,
    String description) {
  static final String OWN_PREFIX = "MILLRACE_";
  static final String NESTED_PREFIX = "APP__";

  static <T> Setting<T> of(
      String name, String tomlKey, Syntax<T> syntax, T defaultValue, String description) {
    return new Setting<>(name, Optional.of(tomlKey), syntax, defaultValue, false, description);
  }

  /** Every name it answers to, upper case, the strongest first. */
  List<String> names() {
    return Stream.concat(
            Stream.of(OWN_PREFIX + name, name),
            tomlKey.stream().flatMap(key -> Stream.of(nestedName(key), key)))
        .map(text -> text.toUpperCase(Locale.ROOT))
        .toList();
  }

  /** {@code APP__SERVER__PORT} for {@code server.port}. */
  static String nestedName(String tomlKey) {
    return NESTED_PREFIX + tomlKey.replace(".", "__").toUpperCase(Locale.ROOT);
  }

  String defaultText() {
    return syntax.format(defaultValue);
  }
}
