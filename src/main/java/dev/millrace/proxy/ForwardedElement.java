package dev.millrace.proxy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What one front end says in {@code Forwarded} (RFC 7239 §4): who asked it, for which host, by
 * which scheme. Values without quotes and backslashes.
 *
 * @param node {@code for}, empty if it does not say
 */
record ForwardedElement(String node, Optional<String> host, Optional<String> proto) {
  /**
   * The elements of the field in their order; the last is the nearest front end's.
   *
   * @param field all lines, joined by commas
   * @return absent if the field does not follow the grammar
   */
  static Optional<List<ForwardedElement>> parse(String field) {
    return new Scanner(field).elements();
  }

  private static ForwardedElement of(Map<String, String> pairs) {
    return new ForwardedElement(
        pairs.getOrDefault("for", ""),
        Optional.ofNullable(pairs.get("host")),
        Optional.ofNullable(pairs.get("proto")));
  }

  private static final class Scanner {
    private final String text;
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    Optional<List<ForwardedElement>> elements() {
      List<ForwardedElement> elements = new ArrayList<>();
      while (true) {
        Optional<Map<String, String>> pairs = pairs();
        if (pairs.isEmpty()) {
          return Optional.empty();
        }
        if (!pairs.get().isEmpty()) { // empty elements of a list count for nothing
          elements.add(of(pairs.get()));
        }
        if (at == text.length()) {
          return Optional.of(elements);
        }
        at++; // the comma
      }
    }

    /** Up to a comma or the end; absent: malformed, or a parameter twice (§4). */
    private Optional<Map<String, String>> pairs() {
      Map<String, String> pairs = new HashMap<>();
      skipBlanks();
      while (at < text.length() && text.charAt(at) != ',') {
        if (text.charAt(at) == ';') {
          at++;
        } else if (!pair(pairs)) {
          return Optional.empty();
        }
        skipBlanks();
      }
      return Optional.of(pairs);
    }

    private boolean pair(Map<String, String> pairs) {
      int equals = text.indexOf('=', at);
      if (equals < 0 || !FieldSyntax.isToken(text.substring(at, equals))) {
        return false;
      }
      String name = text.substring(at, equals).toLowerCase(Locale.ROOT);
      at = equals + 1;
      Optional<String> value = value();
      skipBlanks();
      boolean isEnd = at == text.length() || ",;".indexOf(text.charAt(at)) >= 0;
      return value.isPresent() && isEnd && pairs.put(name, value.get()) == null;
    }

    private Optional<String> value() {
      return at < text.length() && text.charAt(at) == '"' ? quoted() : token();
    }

    /** A little more than a token: many send colons and brackets without quotes. */
    private Optional<String> token() {
      int start = at;
      while (at < text.length() && ",; \t\"".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return at > start ? Optional.of(text.substring(start, at)) : Optional.empty();
    }

    /** RFC 9110 §5.6.4. */
    private Optional<String> quoted() {
      StringBuilder value = new StringBuilder();
      for (int i = at + 1; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '"') {
          at = i + 1;
          return Optional.of(value.toString());
        }
        if (c == '\\' && i + 1 < text.length()) {
          i++;
        }
        value.append(text.charAt(i));
      }
      return Optional.empty();
    }

    private void skipBlanks() {
      while (at < text.length() && " \t".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
    }
  }
}
