package dev.millrace.config;

/** Says what is wrong with the text of a setting, and where in it, in words that are no secret. */
final class SyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  SyntaxException(String message) {
    super(message);
  }
}
