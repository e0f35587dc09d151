package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetResolveTest {
  /** RFC 3986 §5.4 with the base it uses, less what we keep as it is written. */
  @ParameterizedTest
  @CsvSource({
    "g, /b/c/g",
    "./g, /b/c/g",
    "g/, /b/c/g/",
    "/g, /g",
    "?y, /b/c/d;p?y",
    "g?y, /b/c/g?y",
    "#s, /b/c/d;p?q",
    "g#s, /b/c/g",
    "g?y#s, /b/c/g?y",
    ";x, /b/c/;x",
    "g;x?y#s, /b/c/g;x?y",
    "'', /b/c/d;p?q",
    "., /b/c/",
    "./, /b/c/",
    ".., /b/",
    "../, /b/",
    "../g, /b/g",
    "../.., /",
    "../../g, /g",
    "../../../g, /g",
    "../../../../g, /g",
    "g., /b/c/g.",
    ".g, /b/c/.g",
    "g.., /b/c/g..",
    "..g, /b/c/..g",
    "./../g, /b/g",
    "./g/., /b/c/g/",
    "g/./h, /b/c/g/h",
    "g/../h, /b/c/h",
    "g;x=1/./y, /b/c/g;x=1/y",
    "g;x=1/../y, /b/c/y",
    "g?y/./x, /b/c/g?y/./x",
    "g?y/../x, /b/c/g?y/../x",
    "g#s/../x, /b/c/g",
    "g//h, /b/c/g//h",
    "/./g/../h, /./g/../h",
    "?, /b/c/d;p?",
    "g h?é, /b/c/g%20h?%C3%A9"
  })
  void resolvesReference(String location, String requestTarget) throws BadTargetException {
    Target resolved = Target.parse("http://a/b/c/d;p?q").resolve(location);

    assertThat(resolved.requestTarget()).isEqualTo(requestTarget);
    assertThat(resolved.origin()).isEqualTo("http://a:80");
  }

  @Test
  void resolvesAgainstBareOrigin() throws BadTargetException {
    assertThat(Target.parse("http://a").resolve("g").requestTarget()).isEqualTo("/g");
    assertThat(Target.parse("http://a?x").resolve("?y").requestTarget()).isEqualTo("/?y");
  }

  @ParameterizedTest
  @CsvSource({
    "http://h/x, me:pass",
    "HTTP://H:80/x, me:pass",
    "//h/x, me:pass",
    "/x, me:pass",
    "x, me:pass",
    "http://you:other@h/x, you:other",
    "http://you@other/x, you",
    "https://h/x, ",
    "http://h:81/x, ",
    "//other/x, ",
    "http://h./x, "
  })
  void keepsCredentialsWithTheirOrigin(String location, String userInfo) throws BadTargetException {
    Target resolved = Target.parse("http://me:pass@h/a").resolve(location);

    assertThat(resolved.userInfo()).isEqualTo(Optional.ofNullable(userInfo));
    assertThat(resolved.requestTarget()).isEqualTo("/x");
  }

  @Test
  void takesSchemeOfBase_whenLocationHasNone() throws BadTargetException {
    Target resolved = Target.parse("https://a/b").resolve("//c:81//x");

    assertThat(resolved.origin()).isEqualTo("https://c:81");
    assertThat(resolved.requestTarget()).isEqualTo("//x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"javascript:x", "ftp://h/", "http:g", "//", "///x", "/%zz", "a\r\nb"})
  void refusesLocation(String location) throws BadTargetException {
    Target base = Target.parse("http://a/b");

    assertThatThrownBy(() -> base.resolve(location)).isInstanceOf(BadTargetException.class);
  }
}
