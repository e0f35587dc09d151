package dev.millrace.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** Several settings in one JSON object, under their own names in lower case. */
final class TransportConfig {
  private static final Set<String> NAMES =
      Set.of(
          "proxy_url",
          "all_proxy",
          "transport_routes",
          "disable_ssl_verification_globally",
          "timeout");

  private TransportConfig() {}

  /** The text is checked and kept. */
  static Syntax<String> syntax() {
    return new Syntax<>(
        "a JSON object of proxy_url, all_proxy, transport_routes,"
            + " disable_ssl_verification_globally, timeout",
        text -> {
          read(text);
          return text;
        },
        Function.identity());
  }

  /**
   * The texts of the settings by their names; objects stay JSON, nulls are left out.
   *
   * @throws SyntaxException for anything else
   */
  static Map<String, String> read(String text) {
    TransportRoutes.checkLength(text);
    Map<String, String> settings = new LinkedHashMap<>();
    try (JsonParser json = TransportRoutes.JSON.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new SyntaxException("not a JSON object (expected: {…})");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        if (!NAMES.contains(name)) {
          throw new SyntaxException("unknown member (expected: one of " + sortedNames() + ")");
        }
        JsonToken value = json.nextToken();
        if (value == JsonToken.START_OBJECT) {
          settings.put(name, objectText(json, text));
        } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
          settings.put(name, json.getString());
        } else if (value != JsonToken.VALUE_NULL) {
          throw new SyntaxException(name + ": a list (expected: one value)");
        }
      }
      TransportRoutes.expectEnd(json);
    } catch (JacksonException e) {
      throw TransportRoutes.notJson(e);
    }
    return settings;
  }

  private static String sortedNames() {
    return String.join(", ", NAMES.stream().sorted().toList());
  }

  private static String objectText(JsonParser json, String text) {
    int start = (int) json.currentTokenLocation().getCharOffset();
    json.skipChildren();
    return text.substring(start, (int) json.currentLocation().getCharOffset());
  }
}
