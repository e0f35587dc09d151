package dev.millrace.config;

/**
 * A setting as it is in force.
 *
 * @param text its value; {@code ***} for a secret; empty: unset
 * @param source where it comes from, with the name used there; {@code default} when nothing set it
 */
public record SettingValue(String name, String text, String source) {
  static final String DEFAULT = "default";

  public boolean isDefault() {
    return source.startsWith(DEFAULT);
  }
}
