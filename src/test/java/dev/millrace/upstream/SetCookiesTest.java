package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SetCookiesTest {
  private static final String SETTER = "https://www.a.example/one/two/v.mp4";

  private static SetCookies set(String... fields) {
    SetCookies cookies = SetCookies.NONE;
    for (String field : fields) {
      cookies = cookies.and(FetchFixture.target(SETTER), Headers.of("Set-Cookie", field));
    }
    return cookies;
  }

  private static String sent(SetCookies cookies, String url) {
    return cookies.fieldFor(FetchFixture.target(url), Optional.empty()).orElse("none");
  }

  @ParameterizedTest
  @CsvSource({
    "c=1, https://www.a.example/one/two/w.mp4, c=1",
    "c=1, https://www.a.example:8443/one/two, c=1",
    "c=1, https://www.a.example/one/twofold, none",
    "c=1, https://www.a.example/one/, none",
    "c=1, https://b.www.a.example/one/two/w, none",
    "c=1, https://a.example/one/two/w, none",
    "c=1;Domain=a.example, https://cdn.a.example/one/two/w, c=1",
    "c=1; domain=.A.example, https://a.example/one/two/w, c=1",
    "c=1; Domain=a.example, https://xa.example/one/two/w, none",
    "c=1; Domain=b.example, https://b.example/one/two/w, none",
    "c=1; Domain=cdn.a.example, https://cdn.a.example/one/two/w, none",
    "c=1; Domain=example, https://b.example/one/two/w, none",
    "c=1; Path=/, https://www.a.example/, c=1",
    "c=1; path=/one, https://www.a.example/one?x=1, c=1",
    "c=1; path=/one, https://www.a.example/one/x, c=1",
    "c=1; path=/one, https://www.a.example/onex, none",
    "c=1; path=one, https://www.a.example/one/two/w, c=1",
    "c=1; Path=/; Secure, https://www.a.example/, c=1",
    "c=1; Path=/; Secure, http://www.a.example/, none",
    "c=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=9, http://www.a.example/, c=1",
    "c=a=b; Path=/, https://www.a.example/, c=a=b",
    "' c = 1 ; Path=/', https://www.a.example/, c=1",
    "c=; Path=/, https://www.a.example/, c="
  })
  void goWhereTheyBelong(String field, String url, String expected) {
    assertThat(sent(set(field), url)).isEqualTo(expected);
  }

  @Test
  void stayWithTheirAddress() {
    SetCookies cookies =
        SetCookies.NONE.and(
            FetchFixture.target("http://127.0.0.1/"),
            Headers.of("Set-Cookie", "c=1; Domain=0.0.1", "Set-Cookie", "d=2"));

    assertThat(sent(cookies, "http://127.0.0.1:81/")).isEqualTo("d=2");
    assertThat(sent(cookies, "http://9.0.0.1/")).isEqualTo("none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c", "=1", "; c=1", "c=1\u0007", "c\u0000=1"})
  void areLeftOut_whenTheyAreNone(String field) {
    assertThat(set(field).cookies()).isEmpty();
  }

  @Test
  void replaceEachOther() {
    SetCookies cookies = set("c=1; Path=/", "d=1; Path=/", "c=2; Path=/", "d=x; Path=/; Max-Age=0");

    assertThat(sent(cookies, "https://www.a.example/")).isEqualTo("c=2");
  }

  @Test
  void areAddedToThoseThatWereGiven() {
    Optional<String> field =
        set("c=new; Path=/", "d=1; Path=/")
            .fieldFor(FetchFixture.target(SETTER), Optional.of("a=b;c=old; cc=3"));

    assertThat(field).contains("a=b; cc=3; c=new; d=1");
    assertThat(SetCookies.NONE.fieldFor(FetchFixture.target(SETTER), Optional.of("a=b; ")))
        .contains("a=b; ");
  }

  @Test
  void areBounded() {
    SetCookies cookies = SetCookies.NONE;
    for (int i = 0; i <= SetCookies.MAX_COOKIES; i++) {
      cookies = cookies.and(FetchFixture.target(SETTER), Headers.of("Set-Cookie", "c" + i + "=1"));
    }

    assertThat(cookies.cookies()).hasSize(SetCookies.MAX_COOKIES);
    assertThat(cookies.toString()).contains("c0").doesNotContain("=1");
    String largest = "x".repeat(SetCookies.MAX_BYTES - 1);
    assertThat(set("c=" + largest, "d=1").cookies()).hasSize(1);
    assertThat(set("c=" + largest + "x", "d=1").toString()).doesNotContain("c of");
  }
}
