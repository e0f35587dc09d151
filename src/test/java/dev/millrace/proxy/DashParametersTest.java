package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.stream.ExchangeException;
import java.util.Base64;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DashParametersTest {
  private static final String D = "https://cdn.example/m.mpd?sig=a%2Fb&x=1";
  private static final String KID = "0123456789abcdef0123456789abcdef";
  private static final String SECRET = "f0e1d2c3b4a5968778695a4b3c2d1e0f";
  private static final ProxyConfig CONFIG = ProxyConfig.defaults();

  private static DashParameters parse(String... pairs) throws ExchangeException {
    return DashParameters.parse(query(pairs), false, CONFIG);
  }

  private static QueryParameters query(String... pairs) {
    var parameters = new java.util.LinkedHashMap<String, String>();
    for (int i = 0; i < pairs.length; i += 2) {
      parameters.put(pairs[i], pairs[i + 1]);
    }
    return QueryParameters.of(parameters);
  }

  @Test
  void takesTheLongName() throws ExchangeException {
    assertThat(parse("destination", D).stream().destination().url()).isEqualTo(D);
  }

  @Test
  void takesKeysOutOfTheAddress_andLeavesItsOtherBytes() throws ExchangeException {
    DashParameters parsed = parse("d", D + "&key_id=" + KID + "&y=2&key=" + SECRET);
    assertThat(parsed.stream().destination().url()).isEqualTo(D + "&y=2");
    assertThat(parsed.keys().keyIds()).isEqualTo(KID);
    assertThat(parsed.keys().keys()).isEqualTo(SECRET);
  }

  @Test
  void prefersKeysBesideTheAddress() throws ExchangeException {
    String other = "a".repeat(32);
    DashParameters parsed =
        parse("d", D + "&key_id=" + KID + "&key=" + SECRET, "key", other, "key_id", "");
    assertThat(parsed.keys().keyIds()).isEqualTo(KID);
    assertThat(parsed.keys().keys()).isEqualTo(other);
  }

  @Test
  void leavesOneOfTheTwoNamesInTheAddress() throws ExchangeException {
    assertThat(parse("d", D + "&key=z").stream().destination().url()).isEqualTo(D + "&key=z");
  }

  @Test
  void readsBase64OfBothAlphabets() throws ExchangeException {
    String address = "https://cdn.example/?>>>~~~m.mpd";
    for (Base64.Encoder encoder :
        new Base64.Encoder[] {
          Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getUrlEncoder().withoutPadding()
        }) {
      String d = encoder.encodeToString(address.getBytes(UTF_8));
      assertThat(parse("d", d).stream().destination().host()).isEqualTo("cdn.example");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https%22//", "https%3A%22//", "https:\"//"})
  void repairsTheScheme(String damaged) throws ExchangeException {
    String d = damaged + D.substring("https://".length());
    assertThat(parse("d", d).stream().destination().url()).isEqualTo(D);
  }

  @Test
  void neverDecodesTheWholeAddress() throws ExchangeException {
    String d = "https://cdn.example/m.mpd?u=http%3A%22%2F%2Fb";
    assertThat(parse("d", d).stream().destination().url()).isEqualTo(d);
  }

  @ParameterizedTest
  @CsvSource({"720p,720", "0p,0", "0720p,720", "999999999p,999999999"})
  void readsResolution(String given, int height) throws ExchangeException {
    assertThat(parse("d", D, "resolution", given).height()).isEqualTo(OptionalInt.of(height));
  }

  @ParameterizedTest
  @CsvSource({
    "resolution,72op",
    "resolution,720",
    "resolution,1000000000p",
    "skip,10-5",
    "skip,a",
    "start_offset,soon",
    "remux_to_ts,maybe"
  })
  void refusesWhatIsNotOfItsType(String name, String value) {
    ValidationException refusal =
        catchThrowableOfType(ValidationException.class, () -> parse("d", D, name, value));
    assertThat(refusal.status()).isEqualTo(422);
    assertThat(refusal.loc()).containsExactly("query", name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "1", "YES", "on", "t", "y"})
  void readsEverySpellingOfASwitch(String on) throws ExchangeException {
    assertThat(parse("d", D, "remux_to_ts", on).isTransportStream()).isTrue();
  }

  @Test
  void needsAProfile_whereOneIsToBePlayed() {
    assertThatThrownBy(() -> DashParameters.parse(query("d", D), true, CONFIG))
        .isInstanceOf(ValidationException.class)
        .hasMessage("Field required");
  }

  @Test
  void namesBadKeysByPosition_andShowsNothing() {
    ExchangeException refusal =
        catchThrowableOfType(
            ExchangeException.class,
            () -> parse("d", D, "key_id", KID + "," + KID, "key", SECRET + ",hush"));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.getMessage()).startsWith("key").contains("2").doesNotContain("hush", SECRET);
  }

  @Test
  void printsNoValues() throws ExchangeException {
    assertThat(parse("d", D, "key_id", KID, "key", SECRET, "h_cookie", "hush").toString())
        .doesNotContain(SECRET, "hush", "sig");
  }
}
