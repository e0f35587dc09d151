package dev.millrace.config;

import java.util.List;

/**
 * What reading the settings gave.
 *
 * @param logLevel of our own log lines
 * @param settings every setting in force, in the order of the documentation
 * @param warnings what the operator should know; nothing secret
 */
public record LoadedConfig(
    MillraceConfig config, LogLevel logLevel, List<SettingValue> settings, List<String> warnings) {
  public LoadedConfig {
    settings = List.copyOf(settings);
    warnings = List.copyOf(warnings);
  }
}
