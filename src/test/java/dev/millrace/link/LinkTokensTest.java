package dev.millrace.link;

import static dev.millrace.link.LinkFormat.COMPATIBLE;
import static dev.millrace.link.LinkFormat.V2;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.link.LinkTokens.OpenedLink;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinkTokensTest {
  private static final String PASSWORD = "secret";
  private static final LinkRights RIGHTS =
      new LinkRights(
          Optional.of(Instant.ofEpochSecond(4_102_444_800L)),
          Optional.of("203.0.113.7"),
          Optional.of("stream"));

  /** The published vector: password {@code secret}, IV 00 01 … 0f. */
  private static final String VECTOR =
      "AAECAwQFBgcICQoLDA0OD-35Yu1UK40Gv4FS4xN9SipUUZBxmRs2M6WG9GU62MhM5uLbUSpQNExHo1L9WM4V8ElD"
          + "ksWVYSeMfW2c06FXdU2L10-PJVqtOQ3E-ZKw9yNB6vmYCS9EUNe2aAt7iyAC4IRQbD32iVogdvRmiSzJllc8"
          + "wxZyYgFdt0DGfJCZ5RDFskdCXRc2hGLL4mtwydGeEg";

  private static final ProxyLink PUBLISHED =
      new ProxyLink(
          parameters(
              "api_password", "secret",
              "d", "https://cdn.example/v.mp4",
              "h_referer", "https://site.example/"),
          new LinkRights(RIGHTS.expiry(), RIGHTS.clientAddress(), Optional.empty()));

  private final LinkTokens v2 = tokens(V2, "the secret of this server");
  private final LinkTokens compatible = tokens(COMPATIBLE, "the secret of this server");

  private static LinkTokens tokens(LinkFormat format, String... secrets) {
    return new LinkTokens(PASSWORD, List.of(secrets), format, true);
  }

  private static Map<String, String> parameters(String... namesAndValues) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      parameters.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return parameters;
  }

  private LinkTokens sealing(LinkFormat format) {
    return format == V2 ? v2 : compatible;
  }

  // --- the published vector ---

  @Test
  void opensThePublishedToken() throws Exception {
    OpenedLink opened = v2.open(VECTOR);

    assertThat(opened).isEqualTo(new OpenedLink(PUBLISHED, false));
    assertThat(opened.link().parameters()).containsExactlyEntriesOf(PUBLISHED.parameters());
  }

  @Test
  void makesThePublishedToken_givenItsVector() {
    byte[] iv = new byte[16];
    IntStream.range(0, 16).forEach(i -> iv[i] = (byte) i);

    assertThat(new CompatibleFormat(PASSWORD, new byte[32]).seal(PUBLISHED, iv)).isEqualTo(VECTOR);
  }

  @Test
  void opensThePublishedToken_padded() throws Exception {
    assertThat(v2.open(VECTOR + "==").link()).isEqualTo(PUBLISHED);
  }

  // --- both formats ---

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void opensWhatItSealed(LinkFormat format) throws Exception {
    LinkTokens tokens = sealing(format);
    ProxyLink link =
        new ProxyLink(
            parameters("api_password", PASSWORD, "d", "http://h/ü?a=b&c=\"😀\\\n", "empty", ""),
            RIGHTS);

    OpenedLink opened = tokens.open(tokens.seal(link));

    assertThat(opened.isAuthentic()).isEqualTo(format == V2);
    assertThat(opened.link().parameters())
        .containsAllEntriesOf(parameters("d", "http://h/ü?a=b&c=\"😀\\\n", "empty", ""));
    assertThat(opened.link().rights().expiry()).isEqualTo(RIGHTS.expiry());
    assertThat(opened.link().rights().clientAddress()).isEqualTo(RIGHTS.clientAddress());
    assertThat(opened.link().rights().routeFamily())
        .isEqualTo(format == V2 ? RIGHTS.routeFamily() : Optional.empty());
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void isMadeOfWhatAPathMayContain(LinkFormat format) {
    assertThat(sealing(format).seal(PUBLISHED)).matches("[A-Za-z0-9._-]+");
  }

  /** Players compare the addresses of keys and initialization sections. */
  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void sealsTheSameLinkToTheSameToken_andAnotherToAnother(LinkFormat format) {
    LinkTokens tokens = sealing(format);

    String token = tokens.seal(PUBLISHED);

    assertThat(tokens.seal(PUBLISHED)).isEqualTo(token);
    assertThat(tokens.seal(PUBLISHED.child(Map.of("d", "https://cdn.example/w.mp4"))))
        .doesNotStartWith(token.substring(0, 24));
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void refusesTheTokenOfAnotherPassword(LinkFormat format) {
    LinkTokens other = new LinkTokens("other", List.of("the secret of this server"), format, true);

    assertRefused(v2, other.seal(PUBLISHED));
  }

  @Test
  void refusesEveryOtherTextOfAToken() throws Exception {
    String token = v2.seal(PUBLISHED);

    for (int at = 0; at < token.length(); at++) {
      for (int bit = 0; bit < 7; bit++) {
        char other = (char) (token.charAt(at) ^ (1 << bit));
        assertRefused(v2, token.substring(0, at) + other + token.substring(at + 1));
      }
      assertRefused(v2, token.substring(0, at));
    }
    assertRefused(v2, token + "A");
    assertRefused(v2, token + "=");
  }

  @Test
  void refusesTruncatedTokens_ofTheCompatibleFormat() {
    IntStream.range(0, VECTOR.length()).forEach(end -> assertRefused(v2, VECTOR.substring(0, end)));
  }

  @Test
  void refusesLongTokens_unread() throws Exception {
    assertReason(v2, "A".repeat(LinkTokens.MAX_TOKEN_LENGTH), "bad_padding");
    assertReason(v2, "A".repeat(LinkTokens.MAX_TOKEN_LENGTH + 1), "too_long");
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void makesNoTokenThatItWouldNotOpen(LinkFormat format) throws Exception {
    LinkTokens tokens = sealing(format);
    int longest = 1;
    while (isSealed(tokens, longest + 1)) {
      longest++;
    }

    String token = tokens.seal(destination(longest));

    assertThat(token).hasSizeBetween(LinkTokens.MAX_TOKEN_LENGTH - 32, LinkTokens.MAX_TOKEN_LENGTH);
    assertThat(tokens.open(token).link().parameters().get("d")).hasSize(longest);
  }

  private static ProxyLink destination(int length) {
    return new ProxyLink(Map.of("d", "x".repeat(length)), LinkRights.UNLIMITED);
  }

  private static boolean isSealed(LinkTokens tokens, int length) {
    if (length < 12_000) {
      return true;
    }
    try {
      return !tokens.seal(destination(length)).isEmpty();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("expected: at most 16384");
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource(LinkFormat.class)
  void carriesAsManyParametersAsItSays(LinkFormat format) throws Exception {
    LinkTokens tokens = sealing(format);
    Map<String, String> most = parameters("api_password", PASSWORD);
    int sealed = format == V2 ? 256 : 255;
    IntStream.range(0, sealed).forEach(i -> most.put("p" + i, ""));

    assertThat(tokens.open(tokens.seal(new ProxyLink(most, RIGHTS))).link().parameters())
        .hasSize(256);
    most.put("more", "");
    assertThatThrownBy(() -> tokens.seal(new ProxyLink(most, RIGHTS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("257 parameters (expected: at most 256 in a token; leave some out)");
  }

  // --- our own format ---

  @Test
  void doesNotCarryThePassword() throws Exception {
    OpenedLink opened = v2.open(v2.seal(PUBLISHED));

    assertThat(opened.link().parameters()).containsOnlyKeys("d", "h_referer");
  }

  @Test
  void carriesParametersThatAreCalledLikeRights() throws Exception {
    ProxyLink link = new ProxyLink(Map.of("exp", "1", "ip", "x", "e", "2"), LinkRights.UNLIMITED);

    assertThat(v2.open(v2.seal(link)).link()).isEqualTo(link);
  }

  @Test
  void opensWithEverySecret_andSealsWithTheFirst() throws Exception {
    LinkTokens before = tokens(V2, "the secret of last year");
    LinkTokens after = tokens(V2, "the secret of this year", "the secret of last year");

    assertThat(after.open(before.seal(PUBLISHED)).isAuthentic()).isTrue();
    assertThat(after.seal(PUBLISHED))
        .isEqualTo(tokens(V2, "the secret of this year").seal(PUBLISHED));
    assertReason(before, after.seal(PUBLISHED), "unknown_secret");
  }

  @Test
  void tellsTheLogWhatWasWrong() throws Exception {
    String token = v2.seal(PUBLISHED);

    assertReason(v2, "v2.", "wrong_length");
    assertReason(v2, "v2.%%%", "not_base64");
    assertReason(v2, token.replaceFirst(".{8}$", "AAAAAAAA"), "not_authentic");
  }

  // --- the compatible format ---

  @Test
  void carriesThePassword() throws Exception {
    ProxyLink link = new ProxyLink(Map.of("d", "http://h/"), LinkRights.UNLIMITED);

    assertThat(v2.open(compatible.seal(link)).link().parameters())
        .isEqualTo(Map.of("d", "http://h/", "api_password", PASSWORD));
  }

  @Test
  void makesNoRightsOfParameters() throws Exception {
    ProxyLink link =
        new ProxyLink(Map.of("d", "http://h/", "exp", "1", "ip", "10.0.0.1"), LinkRights.UNLIMITED);

    ProxyLink opened = v2.open(compatible.seal(link)).link();

    assertThat(opened.rights()).isEqualTo(LinkRights.UNLIMITED);
    assertThat(opened.parameters()).containsOnlyKeys("d", "api_password");
  }

  @Test
  void isRefused_whereItIsNotAccepted() throws Exception {
    LinkTokens strict = new LinkTokens(PASSWORD, List.of("the secret of this server"), V2, false);

    assertReason(strict, VECTOR, "format_refused");
    assertThat(strict.open(v2.seal(PUBLISHED)).isAuthentic()).isTrue();
  }

  @Test
  void turnsNumbersAndBooleansIntoTexts_andLeavesOutNulls() throws Exception {
    ProxyLink link =
        v2.open(sealedText("{\"a\":1,\"b\":-2.50,\"c\":true,\"d\":null,\"e\":\"\"}")).link();

    assertThat(link.parameters()).isEqualTo(Map.of("a", "1", "b", "-2.50", "c", "true", "e", ""));
  }

  @Test
  void letsTheLastOfANameWin() throws Exception {
    ProxyLink link = v2.open(sealedText("{\"d\":\"a\",\"exp\":1,\"d\":\"b\",\"exp\":2}")).link();

    assertThat(link.parameters()).isEqualTo(Map.of("d", "b"));
    assertThat(link.rights().expiry()).contains(Instant.ofEpochSecond(2));
  }

  @Test
  void roundsTheExpiryDown() throws Exception {
    ProxyLink link = v2.open(sealedText("{\"exp\":1893456000.9,\"ip\":null}")).link();

    assertThat(link.rights())
        .isEqualTo(
            new LinkRights(
                Optional.of(Instant.ofEpochSecond(1_893_456_000L)),
                Optional.empty(),
                Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "\"d\"",
        "{",
        "{\"d\":\"x\"",
        "{\"d\":\"x\"} {}",
        "{\"d\":\"x\"},",
        "{\"d\":{}}",
        "{\"d\":[\"x\"]}",
        "{\"exp\":\"1\"}",
        "{\"exp\":true}",
        "{\"exp\":9223372036854775807}",
        "{\"exp\":92233720368547758070}",
        "{\"exp\":1e400}",
        "{\"exp\":{}}",
        "{\"ip\":1}",
        "{\"ip\":[]}",
        "{\"d\":\"\\ud800\"}",
        "{\"\\udc00\":\"\"}",
        "{\"d\":NaN}",
        "{'d':'x'}",
        "{\"d\":\"\n\"}",
      })
  void refusesWhatIsNoFlatObject(String json) throws Exception {
    assertReason(v2, sealedText(json), "malformed");
  }

  @Test
  void refusesDeepNesting() throws Exception {
    assertReason(v2, sealedText("{\"d\":" + "[".repeat(10_000)), "malformed");
  }

  @Test
  void refusesWhatIsNotUtf8() throws Exception {
    byte[] overlong = "{\"d\":\"xx\"}".getBytes(UTF_8);
    overlong[6] = (byte) 0xC0;
    overlong[7] = (byte) 0xAF;

    assertReason(v2, sealedBytes(overlong), "not_utf8");
  }

  @Test
  void opensAsManyParametersAsItSays() throws Exception {
    StringBuilder json = new StringBuilder("{\"exp\":1");
    IntStream.range(0, 256).forEach(i -> json.append(",\"p").append(i).append("\":\"\""));

    assertThat(v2.open(sealedText(json + "}")).link().parameters()).hasSize(256);
    assertReason(v2, sealedText(json + ",\"p\":\"\"}"), "too_many_parameters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pässwörd", "x", "0123456789abcdef0123456789abcdef and more"})
  void takesEveryPassword(String password) throws Exception {
    LinkTokens tokens =
        new LinkTokens(password, List.of("the secret of this server"), COMPATIBLE, true);

    assertThat(tokens.open(tokens.seal(PUBLISHED)).link()).isEqualTo(PUBLISHED);
  }

  @Test
  void showsNothingSecret() {
    assertThat(PUBLISHED.toString()).isEqualTo("ProxyLink[api_password, d, h_referer]");
    assertThatThrownBy(() -> v2.open("v2.AAAA")).hasMessage("wrong_length").hasNoCause();
  }

  /** Most of these pass decryption: the plaintext is what is spoilt. */
  @Test
  void doesNothingButRefuse_whateverIsSent() throws Exception {
    long seed = System.nanoTime();
    Random dice = new Random(seed);
    byte[] good = "{\"d\":\"http://h/\",\"exp\":1,\"ip\":\"1.2.3.4\",\"n\":null}".getBytes(UTF_8);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = good.clone();
      for (int spoilt = dice.nextInt(4); spoilt >= 0; spoilt--) {
        bytes[dice.nextInt(bytes.length)] = (byte) dice.nextInt();
      }
      String token = sealedBytes(bytes);
      assertOpensOrRefuses(token, seed);
      assertOpensOrRefuses(token.substring(dice.nextInt(token.length())), seed);
      assertOpensOrRefuses(new String(bytes, UTF_8), seed);
      assertOpensOrRefuses("v2." + token, seed);
    }
  }

  private void assertOpensOrRefuses(String token, long seed) {
    try {
      assertThat(v2.open(token).isAuthentic()).isFalse();
    } catch (LinkTokenException e) {
      assertThat(e.reason()).matches("[a-z0-9_]+");
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed + ", token " + token, e);
    }
  }

  private static void assertRefused(LinkTokens tokens, String token) {
    assertThatThrownBy(() -> tokens.open(token)).as(token).isInstanceOf(LinkTokenException.class);
  }

  private static void assertReason(LinkTokens tokens, String token, String reason) {
    assertThatThrownBy(() -> tokens.open(token))
        .isInstanceOfSatisfying(
            LinkTokenException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  /** A compatible token with any plaintext. */
  private static String sealedText(String plaintext) throws Exception {
    return sealedBytes(plaintext.getBytes(UTF_8));
  }

  private static String sealedBytes(byte[] plaintext) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    byte[] key = "secret                          ".getBytes(UTF_8);
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
    byte[] ciphertext = cipher.doFinal(plaintext);
    byte[] token = new byte[16 + ciphertext.length];
    System.arraycopy(ciphertext, 0, token, 16, ciphertext.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }
}
