package dev.millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Examples as they stand in the pages of docs/. */
public final class Guide {
  private Guide() {}

  /** All of one language, in their order. */
  public static List<String> examples(String page, String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("docs", page)))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** The first with this in it. */
  public static String example(String page, String language, String holding) throws IOException {
    return examples(page, language).stream()
        .filter(text -> text.contains(holding))
        .findFirst()
        .orElseThrow();
  }
}
