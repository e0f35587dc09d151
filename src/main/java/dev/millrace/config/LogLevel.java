package dev.millrace.config;

/** How much is logged; {@code WARNING} and {@code CRITICAL} are read as WARN and ERROR. */
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR;

  static LogLevel read(String text) {
    return switch (text) {
      case "WARNING" -> WARN;
      case "CRITICAL" -> ERROR;
      default -> valueOf(text);
    };
  }
}
