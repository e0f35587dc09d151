package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.proxy.ValidationException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON object (RFC 8259) of which known properties are read, each as what it should be: others
 * are skipped, of a repeated one the last counts, and null is as if it were not there.
 *
 * <p>Limits: {@link #MAX_DEPTH} levels; texts of {@link #MAX_TEXT} characters; {@link #MAX_ENTRIES}
 * entries of a map or list, {@link #MAX_OBJECTS} objects of a list.
 */
final class JsonFields {
  static final int MAX_DEPTH = 16;
  static final int MAX_TEXT = 16 << 10;
  static final int MAX_ENTRIES = 256;
  static final int MAX_OBJECTS = 1_000;

  private static final int MAX_SHOWN_NAME = 64;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(100)
                  .maxNameLength(MAX_TEXT)
                  .build())
          .build();

  /** What a property should be. */
  enum Kind {
    TEXT,
    /** A whole number, perhaps as text. */
    INTEGER,
    /** True or false. */
    SWITCH,
    /** An object whose values are texts, numbers or switches. */
    MAP,
    /** An array of texts. */
    LIST,
    /** An array of objects. */
    OBJECTS
  }

  /**
   * The properties that are read.
   *
   * @param items those of the objects in {@link Kind#OBJECTS}
   */
  record Shape(Map<String, Kind> kinds, Map<String, Kind> items) {}

  private final List<Object> place;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Set<String> mentioned = new HashSet<>();

  private JsonFields(List<Object> place) {
    this.place = place;
  }

  /**
   * Reads a whole text.
   *
   * @throws ValidationException if it is empty, no JSON, no object, or a known property is not what
   *     it should be
   */
  static JsonFields parse(String text, Shape shape) throws ValidationException {
    List<Object> body = List.of("body");
    if (text.isBlank()) {
      throw ValidationException.missingInBody(body);
    }
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      JsonFields fields = new JsonFields(body);
      fields.read(parser, parser.nextToken(), shape);
      if (parser.nextToken() != null) {
        throw notJson(parser.currentTokenLocation().getCharOffset(), "expected: the end");
      }
      return fields;
    } catch (StreamConstraintsException e) {
      throw notJson(
          offset(e),
          "expected: at most " + MAX_DEPTH + " levels, names and numbers of usual length");
    } catch (JacksonException e) {
      throw notJson(offset(e), "expected: one JSON object");
    }
  }

  private static long offset(JacksonException e) {
    return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getCharOffset());
  }

  private static ValidationException notJson(long offset, String expectation) {
    return ValidationException.inBody(
        "json_invalid", List.of("body", offset), "JSON decode error (" + expectation + ")");
  }

  private void read(JsonParser parser, JsonToken start, Shape shape) throws ValidationException {
    if (start != JsonToken.START_OBJECT) {
      throw ValidationException.inBody(
          "model_attributes_type", place, "Input should be a valid dictionary or object");
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      Kind kind = shape.kinds.get(name);
      JsonToken value = parser.nextToken();
      if (kind == null) {
        parser.skipChildren();
        continue;
      }
      mentioned.add(name);
      if (value == JsonToken.VALUE_NULL) {
        values.remove(name);
      } else {
        values.put(name, read(parser, value, kind, in(place, name), shape));
      }
    }
  }

  private static Object read(
      JsonParser parser, JsonToken value, Kind kind, List<Object> at, Shape shape)
      throws ValidationException {
    return switch (kind) {
      case TEXT -> text(parser, value, at);
      case INTEGER -> integer(parser, value, at);
      case SWITCH -> isOn(value, at);
      case MAP -> map(parser, value, at);
      case LIST -> list(parser, value, at, MAX_ENTRIES, JsonFields::text);
      case OBJECTS ->
          list(
              parser,
              value,
              at,
              MAX_OBJECTS,
              (array, start, place) -> {
                JsonFields item = new JsonFields(place);
                item.read(array, start, new Shape(shape.items, Map.of()));
                return item;
              });
    };
  }

  private static String text(JsonParser parser, JsonToken value, List<Object> at)
      throws ValidationException {
    if (value != JsonToken.VALUE_STRING) {
      throw ValidationException.inBody("string_type", at, "Input should be a valid string");
    }
    return checked(parser.getString(), at);
  }

  private static String checked(String text, List<Object> at) throws ValidationException {
    if (text.length() > MAX_TEXT) {
      throw ValidationException.inBody(
          "string_too_long", at, "String should have at most " + MAX_TEXT + " characters");
    }
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw ValidationException.inBody(
          "string_unicode", at, "Input should be a valid string without half characters");
    }
    return text;
  }

  private static long integer(JsonParser parser, JsonToken value, List<Object> at)
      throws ValidationException {
    String digits = value.isNumeric() || value == JsonToken.VALUE_STRING ? parser.getString() : "";
    if (!digits.matches("[+-]?[0-9]{1,18}(\\.0{1,9})?")) {
      throw ValidationException.inBody("int_parsing", at, "Input should be a valid integer");
    }
    return Long.parseLong(digits.replaceFirst("\\..*", ""));
  }

  private static boolean isOn(JsonToken value, List<Object> at) throws ValidationException {
    if (!value.isBoolean()) {
      throw ValidationException.inBody("bool_type", at, "Input should be a valid boolean");
    }
    return value == JsonToken.VALUE_TRUE;
  }

  private static Map<String, String> map(JsonParser parser, JsonToken value, List<Object> at)
      throws ValidationException {
    if (value != JsonToken.START_OBJECT) {
      throw ValidationException.inBody("dict_type", at, "Input should be a valid dictionary");
    }
    Map<String, String> entries = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = checked(parser.currentName(), at);
      JsonToken start = parser.nextToken();
      if (start.isStructStart()) {
        throw ValidationException.inBody(
            "string_type", in(at, name), "Input should be a valid string");
      }
      if (start != JsonToken.VALUE_NULL) {
        entries.put(name, checked(parser.getString(), in(at, name)));
      }
      checkCount(entries.size(), MAX_ENTRIES, at);
    }
    return entries;
  }

  /** Reads one element of an array. */
  private interface Element<T> {
    T read(JsonParser parser, JsonToken start, List<Object> at) throws ValidationException;
  }

  private static <T> List<T> list(
      JsonParser parser, JsonToken value, List<Object> at, int most, Element<T> element)
      throws ValidationException {
    if (value != JsonToken.START_ARRAY) {
      throw ValidationException.inBody("list_type", at, "Input should be a valid list");
    }
    List<T> elements = new ArrayList<>();
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken()) {
      checkCount(elements.size() + 1, most, at);
      elements.add(element.read(parser, next, in(at, elements.size())));
    }
    return elements;
  }

  private static void checkCount(int count, int most, List<Object> at) throws ValidationException {
    if (count > most) {
      throw ValidationException.inBody(
          "too_long", at, "Input should have at most " + most + " items");
    }
  }

  private static List<Object> in(List<Object> place, Object step) {
    List<Object> longer = new ArrayList<>(place);
    boolean isLong = step instanceof String name && name.length() > MAX_SHOWN_NAME;
    longer.add(isLong ? step.toString().substring(0, MAX_SHOWN_NAME) : step);
    return longer;
  }

  /** Where a property stands or should stand: {@link ValidationException#loc}. */
  List<Object> place(String name) {
    return in(place, name);
  }

  /** Absent if empty. */
  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).map(String.class::cast).filter(t -> !t.isEmpty());
  }

  /** Whether it was sent, and was not null. */
  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Whether it was sent, if only as null. */
  boolean mentions(String name) {
    return mentioned.contains(name);
  }

  OptionalLong integer(String name) {
    return values.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
  }

  boolean isOn(String name) {
    return values.get(name) instanceof Boolean on && on;
  }

  /** Empty if it was not sent; in the order in which it was. */
  Map<String, String> map(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (values.get(name) instanceof Map<?, ?> entries) {
      entries.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
    }
    return Collections.unmodifiableMap(texts);
  }

  /** Empty if it was not sent. */
  List<String> list(String name) {
    return elements(name, String.class::cast);
  }

  /** Empty if it was not sent. */
  List<JsonFields> objects(String name) {
    return elements(name, JsonFields.class::cast);
  }

  private <T> List<T> elements(String name, Function<Object, T> cast) {
    List<T> elements = new ArrayList<>();
    if (values.get(name) instanceof List<?> list) {
      list.forEach(element -> elements.add(cast.apply(element)));
    }
    return Collections.unmodifiableList(elements);
  }
}
