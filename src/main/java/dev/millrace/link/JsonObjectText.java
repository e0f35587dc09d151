package dev.millrace.link;

import java.util.Map;
import tools.jackson.core.io.JsonStringEncoder;

/** Writes one JSON object, with or without blanks after commas and colons. */
final class JsonObjectText {
  private static final JsonStringEncoder QUOTING = JsonStringEncoder.getInstance();

  private final StringBuilder text = new StringBuilder(512);
  private final String comma;
  private final String colon;

  private JsonObjectText(String comma, String colon) {
    this.comma = comma;
    this.colon = colon;
    text.append('{');
  }

  /** As short as it can be. */
  static JsonObjectText dense() {
    return new JsonObjectText(",", ":");
  }

  /** The way Python writes it. */
  static JsonObjectText spaced() {
    return new JsonObjectText(", ", ": ");
  }

  JsonObjectText member(String name, String value) {
    name(name);
    string(value);
    return this;
  }

  JsonObjectText member(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  JsonObjectText members(Map<String, String> members) {
    members.forEach(this::member);
    return this;
  }

  JsonObjectText object(String name, JsonObjectText value) {
    name(name);
    text.append(value);
    return this;
  }

  private void name(String name) {
    if (text.length() > 1) {
      text.append(comma);
    }
    string(name);
    text.append(colon);
  }

  private void string(String value) {
    text.append('"');
    QUOTING.quoteAsString(value, text);
    text.append('"');
  }

  /** The finished object. */
  @Override
  public String toString() {
    return text + "}";
  }
}
