package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cenc.ContentKey;
import dev.millrace.cenc.KeyId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case 50 of the key syntax: every accepted form, and what is refused by position. */
class KeyParametersTest {
  private static final String ID = "00112233445566778899aabbccddeeff";
  private static final String ID_2 = "fedcba98765432100123456789abcdef";
  private static final String SECRET = "fbf0e0d0c0b0a0908070605040302010";
  private static final String SECRET_2 = "101112131415161718191a1b1c1d1e1f";

  private static KeyId id(String digits) {
    return KeyId.of(HexFormat.of().parseHex(digits));
  }

  private static ContentKey key(String digits) {
    return ContentKey.of(HexFormat.of().parseHex(digits));
  }

  private static KeyParameters read(String keyId, String key) throws BadParameterException {
    return KeyParameters.of(
        QueryParameters.parse("key_id=" + encoded(keyId) + "&key=" + encoded(key)));
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SECRET,
        "FBF0E0D0C0B0A0908070605040302010",
        "0xfbf0e0d0c0b0a0908070605040302010",
        "0Xfbf0e0d0c0b0a0908070605040302010",
        "fbf0e0d0-c0b0-a090-8070-605040302010",
        "{FBF0E0D0-C0B0-A090-8070-605040302010}",
        "{fbf0e0d0c0b0a0908070605040302010}",
        "urn:uuid:fbf0e0d0-c0b0-a090-8070-605040302010",
        "URN:UUID:fbf0e0d0-c0b0-a090-8070-605040302010",
        "+/Dg0MCwoJCAcGBQQDAgEA==",
        "+/Dg0MCwoJCAcGBQQDAgEA",
        "-_Dg0MCwoJCAcGBQQDAgEA",
        "-_Dg0MCwoJCAcGBQQDAgEA==",
        "  fbf0e0d0c0b0a0908070605040302010 ",
      })
  void readsEveryForm(String text) throws BadParameterException {
    assertThat(read(ID, text).ring().key(id(ID))).contains(key(SECRET));
    assertThat(read(text, SECRET_2).keyIds()).isEqualTo(SECRET);
    assertThat(read(text, SECRET_2).ring().has(id(SECRET))).isTrue();
  }

  @Test
  void readsBase64WhosePlusNobodyEscaped() throws BadParameterException {
    String plus = "AAAA+AAAAAAAAAAAAAAAAA";
    assertThat(KeyParameters.of(QueryParameters.parse("key=" + plus)).keys())
        .isEqualTo(read("", plus).keys())
        .startsWith("000000f8");
  }

  @Test
  void pairsLists() throws BadParameterException {
    KeyParameters read = read(ID + " , " + ID_2 + ",", " " + SECRET + ",," + SECRET_2);
    assertThat(read.ring().key(id(ID))).contains(key(SECRET));
    assertThat(read.ring().key(id(ID_2))).contains(key(SECRET_2));
    assertThat(read.ring().key(id(SECRET))).isEmpty();
    assertThat(read.keyIds()).isEqualTo(ID + "," + ID_2);
    assertThat(read.keys()).isEqualTo(SECRET + "," + SECRET_2);
  }

  @Test
  void readsListsWithPlainCommas() throws BadParameterException {
    String query = "key_id=" + ID + "," + ID_2 + "&key=" + SECRET + "," + SECRET_2;
    assertThat(KeyParameters.of(QueryParameters.parse(query)))
        .returns(ID + "," + ID_2, KeyParameters::keyIds)
        .returns(SECRET + "," + SECRET_2, KeyParameters::keys);
  }

  @Test
  void takesOneKeyForAllIds() throws BadParameterException {
    KeyParameters read = read(ID + "," + ID_2, SECRET);
    assertThat(read.ring().key(id(ID))).contains(key(SECRET));
    assertThat(read.ring().key(id(ID_2))).contains(key(SECRET));
    assertThat(read.keys()).isEqualTo(SECRET + "," + SECRET);
  }

  @Test
  void takesOneKeyForWhateverThereIs() throws BadParameterException {
    KeyParameters read = read("", SECRET);
    assertThat(read.ring().key(id(ID))).contains(key(SECRET));
    assertThat(read.keyIds()).isEmpty();
    assertThat(read.keys()).isEqualTo(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {ID + ":", "{00112233-4455-6677-8899-aabbccddeeff}:", "ABEiM0RVZneImaq7zN3u_w:"})
  void readsIdsAndKeysTogether(String first) throws BadParameterException {
    KeyParameters read =
        read(
            "",
            first + SECRET + ", urn:uuid:" + "fedcba98-7654-3210-0123-456789abcdef:" + SECRET_2);
    assertThat(read.ring().key(id(ID))).contains(key(SECRET));
    assertThat(read.ring().key(id(ID_2))).contains(key(SECRET_2));
  }

  @Test
  void findsIdsInPlayReadysOrder() throws BadParameterException {
    KeyParameters read =
        read("33221100-5544-7766-8899-aabbccddeeff," + ID_2, SECRET + "," + SECRET_2);
    assertThat(read.ring().key(id(ID))).contains(key(SECRET));
  }

  @Test
  void readsASetOfJsonWebKeys() throws BadParameterException {
    String set =
        "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"ABEiM0RVZneImaq7zN3u_w\",\"k\":\"-_Dg0MCwoJCAcGBQQDAgEA\",\"x\":[1,{}]},"
            + "{\"kty\":\"RSA\",\"n\":\"AQAB\"},7,"
            + "{\"k\":\"EBESExQVFhcYGRobHB0eHw\",\"kid\":\"/ty6mHZUMhABI0VniavN7w==\"}],\"type\":\"temporary\"}";
    KeyParameters read = read("", set);
    assertThat(read.keyIds()).isEqualTo(ID + "," + ID_2);
    assertThat(read.keys()).isEqualTo(SECRET + "," + SECRET_2);
  }

  @Test
  void readsItsOwnText() throws BadParameterException {
    for (KeyParameters read :
        new KeyParameters[] {read(ID + "," + ID_2, SECRET), read("", SECRET), KeyParameters.NONE}) {
      KeyParameters again = KeyParameters.of(read.keyIds(), read.keys());
      assertThat(again.keyIds()).isEqualTo(read.keyIds());
      assertThat(again.keys()).isEqualTo(read.keys());
      assertThat(again.ring().key(id(ID))).isEqualTo(read.ring().key(id(ID)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "key_id=&key=", "key=,%20,", "d=x"})
  void isNone_withoutEither(String query) throws BadParameterException {
    assertThat(KeyParameters.of(QueryParameters.parse(query)).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b | a,zz | key: entry 2 is not 16 bytes",
        "a,,zz | a,b | key_id: entry 3 is not 16 bytes",
        "a | 0f0e0d0c0b0a09080706050403020 | key: entry 1",
        "a | 0f0e0d0c0b0a090807060504030201 | key: entry 1",
        "a | 0f0e0d0c0b0a090807060504030201001 | key: entry 1",
        "a | 0x0f0e0d0c0b0a0908070605040302010 | key: entry 1",
        "a | -_Dg0MCwoJCAcGBQQDAg | key: entry 1",
        "a | -_Dg0MCwoJCAcGBQQDAgEAAA | key: entry 1",
        "a | -_Dg0MCwoJCAcGBQQDAgE! | key: entry 1",
        "a,b | a,b,a | key: has 3 entries, key_id has 2",
        "a | a,b | key: has 2 entries, key_id has 1",
        "a,b,b | a,b | key: has 2 entries, key_id has 3",
        "a | '' | key: missing",
        "'' | a,b | key_id: missing",
        "'' | a:a,b | key: entry 2 is a key without an id",
        "'' | a:a,b:zz | key: entry 2 is not 16 bytes",
        "a | a:a | key: entry 1",
        "a,a | a,b | key_id: entry 2 has the id of another one",
        "'' | {\"keys\":[]} | key: not a set",
        "'' | {\"keys\":7} | key: not a set",
        "'' | {\"keys\":[{\"kid\":\"a\",\"k\":\"zz\"}]} | key: entry 1 is not 16 bytes",
        "'' | {\"keys\":[{\"k\":\"a\"},{\"k\":\"b\"}]} | key: entry 1 is not 16 bytes",
        "'' | {\"keys\":[{\"kid\":\"a\",\"k\":\"b\"}]}} | key: not a set",
        "'' | {\"keys\":[{\"kid\":\"a\",\"k\":\"b | key: not a set",
        "a | {\"keys\":[{\"kid\":\"a\",\"k\":\"b\"}]} | key_id: not to be used",
      })
  void refusesByPosition_withoutShowingAValue(String keyId, String key, String expected) {
    String ids = keyId.replaceAll("\\ba\\b", ID).replaceAll("\\bb\\b", ID_2);
    String secrets = key.replaceAll("\\ba\\b", SECRET).replaceAll("\\bb\\b", SECRET_2);
    assertThatThrownBy(() -> read(ids, secrets))
        .isInstanceOf(BadParameterException.class)
        .hasMessageStartingWith(expected)
        .hasMessageContaining("expected: ")
        .hasNoCause()
        .message()
        .doesNotContain(ID, SECRET, SECRET_2, "zz", "0f0e0d");
  }

  @Test
  void hasALimit() throws BadParameterException {
    String most =
        IntStream.range(0, KeyParameters.MAX_KEYS)
            .mapToObj(i -> HexFormat.of().toHexDigits((long) i).repeat(2))
            .collect(Collectors.joining(","));
    assertThat(read(most, most).keyIds()).isEqualTo(most);
    assertThatThrownBy(() -> read(most + "," + ID, SECRET)).hasMessageContaining("at most 256");
    String one = "{\"kid\":\"" + ID + "\",\"k\":\"" + SECRET + "\"}";
    String set = String.join(",", Collections.nCopies(KeyParameters.MAX_KEYS, one));
    assertThat(read("", "{\"keys\":[" + set + "]}").keyIds()).isEqualTo(ID);
    assertThatThrownBy(() -> read("", "{\"keys\":[" + set + "," + one + "]}"))
        .hasMessageContaining("at most 256");
  }

  @Test
  void showsNoKey() throws BadParameterException {
    assertThat(read(ID, SECRET).toString()).contains(ID).doesNotContain(SECRET);
  }
}
