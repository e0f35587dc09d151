package dev.millrace.testing;

import java.util.List;
import java.util.Random;

/** Texts that are nearly as they should be. Characters stay below 256. */
public final class Mutations {
  private static final List<String> ODD =
      List.of(
          "\u0000",
          "\r\n",
          "\n",
          "\t",
          " ",
          "%",
          "%0",
          "%00",
          "%0D%0A",
          "%ff",
          "%zz",
          "%2F",
          "%2e%2e",
          "..",
          "/",
          "//",
          "\\",
          "?",
          "#",
          "&",
          "=",
          ";",
          ":",
          "@",
          "\"",
          "'",
          "<",
          ">",
          "{",
          "}",
          "[",
          "]",
          ",",
          "+",
          "-",
          "_token_",
          "v2.",
          "null",
          "true",
          "-1",
          "0",
          "1e9",
          "9223372036854775808",
          "99999999999999999999",
          "NaN",
          "\u00e9",
          "\u00ff",
          "\u0080",
          "$",
          "*",
          "\\u0000",
          "\\ud800");
  private static final int MANY = 3_000;

  private final Random random;

  public Mutations(Random random) {
    this.random = random;
  }

  /** One to four changes. */
  public String of(String text) {
    String mutated = text;
    for (int i = random.nextInt(4); i >= 0; i--) {
      mutated = once(mutated);
    }
    return mutated;
  }

  private String once(String text) {
    int from = random.nextInt(text.length() + 1);
    int to = from + random.nextInt(Math.min(16, text.length() - from) + 1);
    String head = text.substring(0, from);
    String tail = text.substring(to);
    return switch (random.nextInt(8)) {
      case 0 -> head + tail;
      case 1 -> head;
      case 2 -> tail;
      case 3 -> head + text.substring(from, to).repeat(1 + random.nextInt(8)) + tail;
      case 4 -> head + (char) random.nextInt(256) + text.substring(from);
      case 5 -> from < text.length() ? flipped(text, from) : text;
      case 6 -> head + "x".repeat(random.nextInt(MANY)) + text.substring(from);
      default -> head + ODD.get(random.nextInt(ODD.size())) + text.substring(from);
    };
  }

  private String flipped(String text, int at) {
    char c = (char) ((text.charAt(at) ^ 1 << random.nextInt(8)) & 0xFF);
    return text.substring(0, at) + c + text.substring(at + 1);
  }
}
