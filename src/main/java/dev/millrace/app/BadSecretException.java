package dev.millrace.app;

/**
 * Links cannot be sealed with what the settings give. The message names the file or the setting,
 * what is wrong and what to do, and never holds anything of a secret.
 */
final class BadSecretException extends Exception {
  private static final long serialVersionUID = 1L;

  BadSecretException(String message) {
    super(message);
  }
}
