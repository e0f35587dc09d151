package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Target;
import java.net.URLEncoder;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
  /** Encodes to text with both characters in which the alphabets differ. */
  private static final String AWKWARD = "http://u.example/v?~~~>>>???=üÿ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://u.example/a%2Fb?sig=a%2Bb+c,(x)~@&",
        "https://u.example:8443/",
        "http://u.example/?key_id=1&key=2&x=scheme%3A%22//y",
      })
  void takesAddressAsItIs(String url) throws ExchangeException {
    assertThat(of(url)).isEqualTo(Target.parse(url));
  }

  @ParameterizedTest
  @CsvSource({
    "d=http://u/1,/1",
    "destination=http://u/2,/2",
    "d=http://u/1&destination=http://u/2,/1",
    "destination=http://u/2&d=http://u/1,/1",
    "d=&destination=http://u/2,/2",
  })
  void takesDestination_inPlaceOfDOnHlsRoutes(String query, String path) throws ExchangeException {
    assertThat(Destination.ofHls(QueryParameters.parse(query)).path()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({"d=file:///x,d", "destination=file:///x,destination"})
  void namesTheParameter_thatCannotBeUsed(String query, String name) {
    assertThatThrownBy(() -> Destination.ofHls(QueryParameters.parse(query)))
        .isInstanceOf(BadParameterException.class)
        .hasMessageStartingWith(name + ":");
    assertThatThrownBy(() -> Destination.ofHls(QueryParameters.parse("d=&destination=")))
        .isInstanceOf(ValidationException.class);
  }

  @Test
  void opensEitherBase64Alphabet_withOrWithoutPadding() throws ExchangeException {
    byte[] bytes = AWKWARD.getBytes(UTF_8);
    Target expected = Target.parse(AWKWARD);

    String standard = Base64.getEncoder().encodeToString(bytes);
    assertThat(standard).contains("+").contains("/");
    assertThat(of(standard)).isEqualTo(expected);
    assertThat(of(Base64.getEncoder().withoutPadding().encodeToString(bytes))).isEqualTo(expected);
    assertThat(of(Base64.getUrlEncoder().encodeToString(bytes))).isEqualTo(expected);
    assertThat(of(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
        .isEqualTo(expected);
  }

  @Test
  void opensBase64_whenPlusSignsWereNotEscaped() throws ExchangeException {
    String standard = Base64.getEncoder().encodeToString(AWKWARD.getBytes(UTF_8));

    assertThat(Destination.of(QueryParameters.parse("d=" + standard.replace("=", ""))))
        .isEqualTo(Target.parse(AWKWARD));
  }

  @Test
  void opensBase64_withLineBreakInside() throws ExchangeException {
    String echoed = Base64.getEncoder().encodeToString("http://u.example/v\n".getBytes(UTF_8));

    assertThat(of(echoed)).isEqualTo(Target.parse("http://u.example/v"));
  }

  @ParameterizedTest
  @CsvSource({
    "https%22//u.example/v,https://u.example/v",
    "https%3A%22//u.example/v,https://u.example/v",
    "https:\"//u.example/v,https://u.example/v",
    "http:\"//u.example/v,http://u.example/v",
    "http%22//u.example/v,http://u.example/v",
  })
  void repairsDamagedScheme(String damaged, String expected) throws ExchangeException {
    assertThat(of(damaged)).isEqualTo(Target.parse(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc/passwd",
        "notaurl",
        "notaurlbutlonger",
        "ftp://u.example/v",
        "//u.example/v",
        "http://",
        "http:///v",
        "http://u.example/%zz",
        "http://u.example/a\r\nHost: x",
        "bm90IGEgdXJsIGF0IGFsbA",
        "ZmlsZTovLy9ldGMvcGFzc3dk",
      })
  void refusesWhatCannotBeFetched(String url) {
    assertThatThrownBy(() -> of(url))
        .isInstanceOfSatisfying(
            BadParameterException.class,
            e -> {
              assertThat(e.status()).isEqualTo(400);
              assertThat(e.parameter()).isEqualTo("d");
            })
        .hasMessageStartingWith("d: ")
        .hasMessageNotContaining(url);
  }

  @Test
  void refusesAddress_whenItIsTooLong() {
    assertThatThrownBy(() -> of("http://u.example/" + "a".repeat(16 << 10)))
        .isInstanceOf(BadParameterException.class)
        .hasMessage("d: too long (expected: at most 16384 characters)");
  }

  // further sources

  @Test
  void readsFallbacksLikeTheDestination_inOrder() throws ExchangeException {
    String coded = Base64.getUrlEncoder().encodeToString("http://u.example/b".getBytes(UTF_8));
    QueryParameters query =
        QueryParameters.parse(
            "fallback=http://u.example/a&fallback=&fallback="
                + coded
                + "&fallback=http%2522//u.example/c");

    assertThat(Destination.fallbacksOf(query))
        .containsExactly(
            Target.parse("http://u.example/a"),
            Target.parse("http://u.example/b"),
            Target.parse("http://u.example/c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "notaurl", "http://"})
  void refusesFallback_thatCannotBeFetched(String url) {
    assertThatThrownBy(
            () ->
                Destination.fallbacksOf(
                    QueryParameters.parse(
                        "fallback=http://u.example/&fallback=" + URLEncoder.encode(url, UTF_8))))
        .isInstanceOfSatisfying(
            BadParameterException.class, e -> assertThat(e.parameter()).isEqualTo("fallback"))
        .hasMessageNotContaining(url);
  }

  @Test
  void takesEightFallbacks() throws ExchangeException {
    String most = "fallback=http://u.example/&".repeat(8);

    assertThat(Destination.fallbacksOf(QueryParameters.parse(most))).hasSize(8);
    assertThatThrownBy(
            () -> Destination.fallbacksOf(QueryParameters.parse(most + "fallback=http://u/")))
        .isInstanceOf(BadParameterException.class)
        .hasMessage("fallback: too many (expected: at most 8)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "d=", "x=1", "D=http://u.example/"})
  void asksForDestination_whenItIsMissing(String query) {
    assertThatThrownBy(() -> Destination.of(QueryParameters.parse(query)))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> {
              assertThat(e.status()).isEqualTo(422);
              assertThat(e.type()).isEqualTo("missing");
              assertThat(e.loc()).containsExactly("query", "d");
              assertThat(e.msg()).isEqualTo("Field required");
              assertThat(e.input()).isEmpty();
            });
  }

  private static Target of(String d) throws ExchangeException {
    return Destination.of(QueryParameters.parse("d=" + URLEncoder.encode(d, UTF_8)));
  }
}
