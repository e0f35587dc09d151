package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ByteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BaseUriTest {
  /** RFC 3986 §5.4, without the fragments of the results, and without other schemes. */
  @ParameterizedTest
  @CsvSource({
    "g,http://a/b/c/g",
    "./g,http://a/b/c/g",
    "g/,http://a/b/c/g/",
    "/g,http://a/g",
    "//g,http://g",
    "?y,http://a/b/c/d;p?y",
    "g?y,http://a/b/c/g?y",
    "#s,http://a/b/c/d;p?q",
    "g#s,http://a/b/c/g",
    "g?y#s,http://a/b/c/g?y",
    ";x,http://a/b/c/;x",
    "g;x,http://a/b/c/g;x",
    "g;x?y#s,http://a/b/c/g;x?y",
    "'',http://a/b/c/d;p?q",
    ".,http://a/b/c/",
    "./,http://a/b/c/",
    "..,http://a/b/",
    "../,http://a/b/",
    "../g,http://a/b/g",
    "../..,http://a/",
    "../../,http://a/",
    "../../g,http://a/g",
    "../../../g,http://a/g",
    "../../../../g,http://a/g",
    "/./g,http://a/g",
    "/../g,http://a/g",
    "g.,http://a/b/c/g.",
    ".g,http://a/b/c/.g",
    "g..,http://a/b/c/g..",
    "..g,http://a/b/c/..g",
    "./../g,http://a/b/g",
    "./g/.,http://a/b/c/g/",
    "g/./h,http://a/b/c/g/h",
    "g/../h,http://a/b/c/h",
    "g;x=1/./y,http://a/b/c/g;x=1/y",
    "g;x=1/../y,http://a/b/c/y",
    "g?y/./x,http://a/b/c/g?y/./x",
    "g?y/../x,http://a/b/c/g?y/../x",
    "g#s/./x,http://a/b/c/g",
    "http:g,http://a/b/c/g",
  })
  void resolvesTheExamplesOfTheStandard(String reference, String expected) {
    assertThat(resolved("http://a/b/c/d;p?q", reference)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "//b,http://b",
    "//b/x/../y?z,http://b/y?z",
    "//b?x/../y,http://b?x/../y",
    "https://b/x/../y?z#f,https://b/x/../y?z",
    "HTTP://B/x,HTTP://B/x",
    "1:2.ts,http://a:8/b/1:2.ts",
    "x/1:2.ts,http://a:8/b/x/1:2.ts",
    "a%2F..%2Fb,http://a:8/b/a%2F..%2Fb",
    "%2e%2e/b,http://a:8/b/%2e%2e/b",
    "x//../y,http://a:8/b/x/y",
    "x y|{z},http://a:8/b/x y|{z}",
    "http:,http://a:8/b/c?q",
    ":x,http://a:8/b/:x",
  })
  void resolvesOtherForms(String reference, String expected) {
    assertThat(resolved("http://a:8/b/c?q#f", reference)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a,b,http://a/b",
    "http://a,../b,http://a/b",
    "http://a,?b,http://a?b",
    "http://a?x/y/z,b,http://a/b",
    "http://a/x?y/z,b,http://a/b",
    "http://a#x/y,b,http://a/b",
    "http://u:p@a:1/x/../y/z,b,http://u:p@a:1/y/b",
    "http://a/x/../y/z,/b,http://a/b",
    "http://[::1]:8/x/y,//c/d,http://c/d",
    "https://a/x,//c/d,https://c/d",
    "https://a/x,https:y,https://a/y",
  })
  void resolvesAgainstOtherBases(String base, String reference, String expected) {
    assertThat(resolved(base, reference)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data:x",
        "skd://x",
        "SKD:x",
        "urn:a:b",
        "mailto:x",
        "https:x",
        "httpx://y",
        "a:b",
        "httpq://b"
      })
  void isNotOurs_whenTheSchemeIsAnother(String reference) {
    byte[] bytes = reference.getBytes(UTF_8);
    ByteBuilder out = new ByteBuilder(10);

    assertThat(BaseUri.of("http://a/b").resolve(bytes, 0, bytes.length, out)).isFalse();
    assertThat(out.length()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "http:", "http://", "?", "#", "/", "http:///x/y", "x/y"})
  void neverThrows(String base) {
    assertThat(resolved(base, "../b")).endsWith("b");
  }

  @Test
  void knowsItsQuery() {
    assertThat(BaseUri.of("http://a/b?c=%20&d?e#f").query()).isEqualTo("c=%20&d?e");
    assertThat(BaseUri.of("http://a/b").query()).isEmpty();
    assertThat(BaseUri.of("http://a?x").query()).isEqualTo("x");
  }

  private static String resolved(String base, String reference) {
    byte[] bytes = ("<" + reference + ">").getBytes(UTF_8);
    ByteBuilder out = new ByteBuilder(10).append("!");
    assertThat(BaseUri.of(base).resolve(bytes, 1, bytes.length - 1, out)).isTrue();
    return out.toString().substring(1);
  }
}
