package dev.millrace.config;

import java.util.List;

/** The settings cannot be used. Holds everything that is wrong with them, not only the first. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  ConfigException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = List.copyOf(problems);
  }

  /** One line each: setting, where it was set, its text unless secret, what is expected. */
  public List<String> problems() {
    return problems;
  }
}
