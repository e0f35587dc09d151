package dev.millrace.proxy;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path that a front end puts before ours. Segments of letters, digits, hyphens, dots, underscores
 * and tildes (the unreserved characters of RFC 3986 §2.3), none of them empty, {@code .} or {@code
 * ..}; at most {@value #MAX_LENGTH} characters.
 */
final class PathPrefix {
  static final int MAX_LENGTH = 256;
  static final String EXPECTED =
      "a path such as /millrace: letters, digits and -._~ between slashes, at most "
          + MAX_LENGTH
          + " characters";

  private static final Pattern FORM = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)*");

  private PathPrefix() {}

  /**
   * The prefix without a slash at its end; empty for a slash alone.
   *
   * @return absent if it is no such path
   */
  static Optional<String> parse(String text) {
    String path = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    return text.length() <= MAX_LENGTH && FORM.matcher(path).matches()
        ? Optional.of(path)
        : Optional.empty();
  }
}
