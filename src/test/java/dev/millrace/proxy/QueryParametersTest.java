package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryParametersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=1|1",
        "a=b+c|b c",
        "a=b%2Bc|b+c",
        "a=%C3%BC|ü",
        "a=x=y|x=y",
        "a=1&a=2|2",
        "b=1&&a=2&|2",
        "%61=1|1",
        "a=%2F%3a|/:",
      })
  void decodesForms(String query, String expected) throws BadParameterException {
    assertThat(QueryParameters.parse(query).value("a")).hasValue(expected);
  }

  @Test
  void keepsBlankValuesAndOrder() throws BadParameterException {
    assertThat(QueryParameters.parse("c=&b&a=1").all())
        .containsExactly(
            java.util.Map.entry("c", ""),
            java.util.Map.entry("b", ""),
            java.util.Map.entry("a", "1"));
  }

  @Test
  void keepsEveryValueOfAName() throws BadParameterException {
    QueryParameters query = QueryParameters.parse("a=1&b=2&a=&a=3");

    assertThat(query.values("a")).containsExactly("1", "", "3");
    assertThat(query.values("c")).isEmpty();
    assertThat(query.all().get("a")).isEqualTo("3");
  }

  @Test
  void isEmpty_withoutQuery() throws BadParameterException {
    assertThat(QueryParameters.parse(null).all()).isEmpty();
    assertThat(QueryParameters.parse("").all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h_x=%", "h_x=%4", "h_x=%zz", "h_x=%ff", "h_x=%c3", "h_x=%ed%a0%80"})
  void namesParameter_whenEscapeIsMalformed(String query) {
    assertThatThrownBy(() -> QueryParameters.parse(query))
        .isInstanceOfSatisfying(
            BadParameterException.class, e -> assertThat(e.parameter()).isEqualTo("h_x"))
        .hasMessageStartingWith("h_x: ");
  }

  @Test
  void showsNameSafely_whenItIsOdd() {
    assertThatThrownBy(() -> QueryParameters.parse("%0D%0Aü" + "n".repeat(99) + "=%"))
        .isInstanceOfSatisfying(
            BadParameterException.class,
            e -> assertThat(e.parameter()).startsWith("???n").hasSize(64));
  }

  @Test
  void refusesMoreThan256() throws BadParameterException {
    String most =
        IntStream.range(0, 256).mapToObj(i -> "p" + i + "=1").collect(Collectors.joining("&"));

    assertThat(QueryParameters.parse(most).all()).hasSize(256);
    assertThatThrownBy(() -> QueryParameters.parse(most + "&x=1"))
        .isInstanceOf(BadParameterException.class);
  }
}
