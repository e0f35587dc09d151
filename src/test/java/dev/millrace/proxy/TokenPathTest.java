package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenPathTest {
  @ParameterizedTest
  @CsvSource({
    "/_token_T,T,/",
    "/_token_T/,T,/",
    "/_token_v2.a-_/proxy/stream/a%20b.mkv,v2.a-_,/proxy/stream/a%20b.mkv",
    "/_token_,'',/",
    "/_token_/proxy/stream,'',/proxy/stream",
    "/_token_T//x,T,//x",
    "/_token_T/_token_U/x,T,/_token_U/x",
    "/_token_YWI%3D/x,YWI=,/x",
    "/_token_a%2Fb/x,a/b,/x",
    "/_token_T;a=b/x,T;a=b,/x",
  })
  void beginsWithAToken(String path, String token, String route) {
    assertThat(TokenPath.of(path)).hasValue(new TokenPath(token, route));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "/_token", "/_Token_T/x", "/%5Ftoken_T/x", "/a/_token_T/x", "//_token_T"})
  void beginsWithNone(String path) {
    assertThat(TokenPath.of(path)).isEmpty();
  }

  @Test
  void doesNotShowTheToken() {
    assertThat(TokenPath.of("/_token_T/x").orElseThrow()).hasToString("TokenPath[/x]");
  }
}
