package dev.millrace.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.proxy.ValidationException;
import dev.millrace.servlet.JsonFields.Kind;
import dev.millrace.servlet.JsonFields.Shape;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
  private static final Shape SHAPE =
      new Shape(
          Map.of(
              "t", Kind.TEXT,
              "i", Kind.INTEGER,
              "s", Kind.SWITCH,
              "m", Kind.MAP,
              "l", Kind.LIST,
              "o", Kind.OBJECTS),
          Map.of("t", Kind.TEXT, "m", Kind.MAP));

  private static JsonFields parse(String json) throws ValidationException {
    return JsonFields.parse(json, SHAPE);
  }

  private static void assertRefused(String json, String type, Object... loc) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.status()).isEqualTo(422);
              assertThat(e.type()).isEqualTo(type);
              assertThat(e.loc()).containsExactly(loc);
              assertThat(e.input()).isEmpty();
            });
  }

  @Test
  void readsEveryKind() throws ValidationException {
    JsonFields fields =
        parse(
            "{\"t\":\"é\",\"i\":5,\"s\":true,\"m\":{\"b\":\"x\",\"a\":1.50,\"c\":true,\"d\":null},"
                + "\"l\":[\"x\",\"y\"],\"o\":[{\"t\":\"1\"},{\"t\":\"2\",\"o\":[1]}],\"other\":[{}]}");

    assertThat(fields.text("t")).contains("é");
    assertThat(fields.integer("i")).hasValue(5);
    assertThat(fields.isOn("s")).isTrue();
    assertThat(fields.map("m").toString()).isEqualTo("{b=x, a=1.50, c=true}");
    assertThat(fields.list("l")).containsExactly("x", "y");
    assertThat(fields.objects("o"))
        .extracting(item -> item.text("t").orElse(""))
        .containsExactly("1", "2");
  }

  @Test
  void takesNullForNothing() throws ValidationException {
    JsonFields fields =
        parse("{\"t\":null,\"i\":null,\"s\":null,\"m\":null,\"l\":null,\"o\":null}");

    assertThat(fields.text("t")).isEmpty();
    assertThat(fields.integer("i")).isEmpty();
    assertThat(fields.isOn("s")).isFalse();
    assertThat(fields.map("m")).isEmpty();
    assertThat(fields.list("l")).isEmpty();
    assertThat(fields.objects("o")).isEmpty();
    assertThat(fields.mentions("t")).isTrue();
    assertThat(fields.has("t")).isFalse();
    assertThat(parse("{}").mentions("t")).isFalse();
  }

  @Test
  void takesTheLast_whenAPropertyIsRepeated() throws ValidationException {
    assertThat(parse("{\"t\":\"a\",\"t\":\"b\"}").text("t")).contains("b");
    assertThat(parse("{\"t\":\"a\",\"t\":null}").text("t")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"5,5", "-5,-5", "\"7\",7", "3600.0,3600", "+1,", "1e3,", "1.5,", "true,", "\"\","})
  void readsWholeNumbers(String json, Long expected) throws ValidationException {
    String text = "{\"i\":" + json + "}";
    if (expected != null) {
      assertThat(parse(text).integer("i")).hasValue(expected);
    } else {
      assertThatThrownBy(() -> parse(text)).isInstanceOf(ValidationException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"t\":5}|string_type|t",
        "{\"t\":{}}|string_type|t",
        "{\"i\":[]}|int_parsing|i",
        "{\"i\":99999999999999999999}|int_parsing|i",
        "{\"s\":\"yes\"}|bool_type|s",
        "{\"m\":[]}|dict_type|m",
        "{\"m\":\"x\"}|dict_type|m",
        "{\"l\":\"x\"}|list_type|l",
        "{\"l\":{}}|list_type|l",
        "{\"o\":{}}|list_type|o",
        "{\"t\":\"\\ud800\"}|string_unicode|t",
      })
  void namesWhatIsOfAnotherKind(String json, String type, String name) {
    assertRefused(json, type, "body", name);
  }

  @Test
  void namesThePlace_insideOfMapsListsAndObjects() {
    assertRefused("{\"m\":{\"k\":[]}}", "string_type", "body", "m", "k");
    assertRefused("{\"l\":[\"a\",5]}", "string_type", "body", "l", 1);
    assertRefused("{\"o\":[{},5]}", "model_attributes_type", "body", "o", 1);
    assertRefused("{\"o\":[{},{\"m\":{\"k\":{}}}]}", "string_type", "body", "o", 1, "m", "k");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\r\n"})
  void asksForABody(String text) {
    assertRefused(text, "missing", "body");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "5", "\"{}\"", "null", "true"})
  void wantsAnObject(String json) {
    assertRefused(json, "model_attributes_type", "body");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"t\"",
        "{\"t\":",
        "{\"t\":}",
        "{t:1}",
        "{} {}",
        "{}x",
        "x",
        "a=b&c=d",
        "{\"t\":\"a\nb\"}",
        "{\"i\":01}",
        "{'t':1}",
        "{\"o\":[{}",
        "{\"l\":[\"a\"",
        "{\"m\":{\"a\":\"b\""
      })
  void saysWhere_whenItIsNoJson(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.type()).isEqualTo("json_invalid");
              assertThat(e.loc()).hasSize(2).startsWith("body");
              assertThat(e.loc().get(1)).isInstanceOf(Long.class);
            });
  }

  @Test
  void takesTextsOfEveryLengthUpToItsLimit() throws ValidationException {
    String most = "a".repeat(JsonFields.MAX_TEXT);

    assertThat(parse("{\"t\":\"" + most + "\"}").text("t")).contains(most);
    assertRefused("{\"t\":\"" + most + "a\"}", "string_too_long", "body", "t");
    assertRefused("{\"m\":{\"k\":\"" + most + "a\"}}", "string_too_long", "body", "m", "k");
  }

  @Test
  void takesAsManyEntriesAsItsLimit() throws ValidationException {
    assertThat(parse("{\"m\":{" + entries(256) + "}}").map("m")).hasSize(256);
    assertRefused("{\"m\":{" + entries(257) + "}}", "too_long", "body", "m");
    assertThat(parse("{\"l\":[" + texts(256) + "]}").list("l")).hasSize(256);
    assertRefused("{\"l\":[" + texts(257) + "]}", "too_long", "body", "l");
    assertThat(parse("{\"o\":[" + objects(1_000) + "]}").objects("o")).hasSize(1_000);
    assertRefused("{\"o\":[" + objects(1_001) + "]}", "too_long", "body", "o");
  }

  private static String entries(int count) {
    return joined(count, i -> "\"k" + i + "\":1");
  }

  private static String texts(int count) {
    return joined(count, i -> "\"x\"");
  }

  private static String objects(int count) {
    return joined(count, i -> "{}");
  }

  private static String joined(int count, IntFunction<String> element) {
    return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(","));
  }

  @Test
  void nestsAsDeepAsItsLimit() throws ValidationException {
    int inside = JsonFields.MAX_DEPTH - 1;

    assertThat(parse("{\"x\":" + "[".repeat(inside) + "]".repeat(inside) + "}").has("t")).isFalse();
    assertThatThrownBy(() -> parse("{\"x\":" + "[".repeat(1_000_000)))
        .isInstanceOfSatisfying(
            ValidationException.class, e -> assertThat(e.msg()).contains("at most 16 levels"));
    assertThatThrownBy(
            () -> parse("{\"x\":" + "[".repeat(inside + 1) + "]".repeat(inside + 1) + "}"))
        .isInstanceOf(ValidationException.class);
  }

  @Test
  void showsNothingThatWasSent() {
    for (String json : List.of("{\"t\":hunter2}", "{\"i\":\"hunter2\"}", "{\"m\":\"hunter2\"}")) {
      assertThatThrownBy(() -> parse(json)).hasMessageNotContaining("hunter2");
    }
  }
}
