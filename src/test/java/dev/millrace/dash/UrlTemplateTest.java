package dev.millrace.dash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlTemplateTest {
  @ParameterizedTest
  @CsvSource({
    "s-$Number$.m4s, s-7.m4s",
    "s-$Number%05d$.m4s, s-00007.m4s",
    "s-$Number%5d$.m4s, s-00007.m4s",
    "s-$Number%d$.m4s, s-7.m4s",
    "$Time%08d$-$Time$, 00001234-1234",
    "$RepresentationID$/$Bandwidth$/$Number$, v1/128000/7",
    "$Bandwidth%010d$, 0000128000",
    "a$$b$$$Number$$$, a$b$7$",
    "cost$.m4s, cost$.m4s",
    "$Number$-$SubNumber$, 7-3",
    "$SubNumber%03d$, 003",
    "plain.m4s, plain.m4s",
  })
  void expands(String template, String url) {
    assertThat(bound(template).expand(7, 1234, 3)).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$Foo$",
        "$number$",
        "$Time%08x$",
        "$Number%05$",
        "$%05d$",
        "$Number%065d$",
        "$Number%99999d$"
      })
  void refusesWhatNobodyKnows(String template) {
    assertThat(UrlTemplate.bind(template, "v1", 128_000)).isEmpty();
  }

  @Test
  void padsUpToItsLimit() {
    assertThat(bound("$Number%064d$").expand(7, 0)).isEqualTo("0".repeat(63) + "7");
  }

  @Test
  void takesDollarsOfAnIdAsText() {
    String bound = UrlTemplate.bind("$RepresentationID$-$Number$", "a$Time$b", 0).orElseThrow();
    assertThat(UrlTemplate.compile(bound).expand(7, 8)).isEqualTo("a$Time$b-7");
  }

  @Test
  void keepsGreatNumbers() {
    assertThat(bound("$Time$").expand(0, Long.MAX_VALUE)).isEqualTo("9223372036854775807");
  }

  @Test
  void compilesBoundTextsOnly() {
    assertThatThrownBy(() -> UrlTemplate.compile("$Foo$"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static UrlTemplate bound(String template) {
    return UrlTemplate.compile(UrlTemplate.bind(template, "v1", 128_000).orElseThrow());
  }
}
