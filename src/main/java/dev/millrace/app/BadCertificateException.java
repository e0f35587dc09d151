package dev.millrace.app;

/**
 * The server cannot prove its name with what the settings give it. The message names the setting,
 * what is wrong and what to do, and never holds anything of a key.
 */
final class BadCertificateException extends Exception {
  private static final long serialVersionUID = 1L;

  BadCertificateException(String message) {
    super(message);
  }
}
