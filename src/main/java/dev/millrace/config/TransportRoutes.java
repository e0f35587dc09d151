package dev.millrace.config;

import dev.millrace.upstream.RouteConfig.Route;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Routes as JSON: an object of patterns, each with an object of {@code proxy}, {@code proxy_url}
 * and {@code verify_ssl}, any of which may be left out. Addresses of proxies may hold passwords, so
 * nothing of the text is ever shown but the names of unknown members.
 */
final class TransportRoutes {
  /** Of the JSON text. */
  static final int MAX_LENGTH = 256 << 10;

  static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private TransportRoutes() {}

  static Syntax<List<Route>> syntax() {
    return new Syntax<>(
        "JSON such as {\"all://*.example\":{\"proxy\":true,\"proxy_url\":\"socks5://host:1080\","
            + "\"verify_ssl\":true}}",
        TransportRoutes::read,
        TransportRoutes::write);
  }

  private static List<Route> read(String text) {
    checkLength(text);
    List<Route> routes = new ArrayList<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      expectObject(json.nextToken(), "");
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String pattern = json.currentName();
        String place = "route " + (routes.size() + 1) + ": ";
        expectObject(json.nextToken(), place);
        routes.add(route(pattern, json, place));
      }
      expectEnd(json);
    } catch (JacksonException e) {
      throw notJson(e);
    }
    return routes;
  }

  private static Route route(String pattern, JsonParser json, String place) {
    boolean proxy = Route.through(pattern).proxy();
    boolean verifyTls = Route.through(pattern).verifyTls();
    Optional<String> proxyUrl = Optional.empty();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      switch (name) {
        case "proxy" -> proxy = bool(value, place + name);
        case "verify_ssl" -> verifyTls = bool(value, place + name);
        case "proxy_url" -> proxyUrl = text(json, value, place + name);
        default ->
            throw new SyntaxException(
                place + "unknown member (expected: proxy, proxy_url, verify_ssl)");
      }
    }
    return new Route(pattern, proxy, proxyUrl, verifyTls);
  }

  private static boolean bool(JsonToken value, String place) {
    if (value != JsonToken.VALUE_TRUE && value != JsonToken.VALUE_FALSE) {
      throw new SyntaxException(place + ": not a truth value (expected: true or false)");
    }
    return value == JsonToken.VALUE_TRUE;
  }

  /** Null and empty are as good as none. */
  private static Optional<String> text(JsonParser json, JsonToken value, String place) {
    if (value == JsonToken.VALUE_NULL) {
      return Optional.empty();
    }
    if (value != JsonToken.VALUE_STRING) {
      throw new SyntaxException(place + ": not a text (expected: an address or null)");
    }
    return Optional.of(json.getString().strip()).filter(text -> !text.isEmpty());
  }

  private static void expectObject(JsonToken token, String place) {
    if (token != JsonToken.START_OBJECT) {
      throw new SyntaxException(place + "not a JSON object (expected: {…})");
    }
  }

  static void expectEnd(JsonParser json) {
    if (json.nextToken() != null) {
      throw new SyntaxException("more than one JSON value (expected: one object)");
    }
  }

  static void checkLength(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new SyntaxException("too long (expected: at most " + MAX_LENGTH + " characters)");
    }
  }

  /** Names the place, not the text. */
  static SyntaxException notJson(JacksonException failure) {
    int column = failure.getLocation() == null ? 0 : failure.getLocation().getColumnNr();
    return new SyntaxException("not valid JSON at column " + column + " (or a name given twice)");
  }

  private static String write(List<Route> routes) {
    if (routes.isEmpty()) {
      return "";
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      for (Route route : routes) {
        json.writeObjectPropertyStart(route.pattern());
        json.writeBooleanProperty("proxy", route.proxy());
        route.proxyUrl().ifPresent(url -> json.writeStringProperty("proxy_url", url));
        json.writeBooleanProperty("verify_ssl", route.verifyTls());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  /** A table of a TOML file as the JSON that it would be. */
  static String json(Map<?, ?> table) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write(table, json);
    }
    return text.toString();
  }

  private static void write(Object value, JsonGenerator json) {
    if (value instanceof Map<?, ?> table) {
      json.writeStartObject();
      table.forEach(
          (name, inner) -> {
            json.writeName(String.valueOf(name));
            write(inner, json);
          });
      json.writeEndObject();
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else {
      json.writeString(String.valueOf(value));
    }
  }
}
