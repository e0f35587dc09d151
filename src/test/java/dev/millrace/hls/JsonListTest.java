package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonListTest {
  private static final String BASE = "http://up.test/steer/s.json?x=1";

  private static String rewritten(String json) throws BadListException {
    return new String(JsonList.rewritten(json.getBytes(UTF_8), BASE, Rewriting::show), UTF_8);
  }

  @Test
  void rewritesASteeringManifest() throws BadListException {
    assertThat(
            rewritten(
                """
                {"VERSION": 1, "TTL": 300.50, "RELOAD-URI": "../r?a=%2F",
                 "PATHWAY-PRIORITY": ["a", "RELOAD-URI"],
                 "PATHWAY-CLONES": [{"BASE-ID": "a", "ID": "b", "URI-REPLACEMENT": {
                   "HOST": "b.test", "PARAMS": {"t": "1", "o": {"URI": "x"}},
                   "PER-VARIANT-URIS": {"v1": "http://b.test/v"},
                   "PER-RENDITION-URIS": {"r1": "//b.test/r", "r2": "data:x"}}}]}
                """))
        .isEqualTo(
            "{\"VERSION\":1,\"TTL\":300.50,\"RELOAD-URI\":\"<STEERING http://up.test/r?a=%2F>\","
                + "\"PATHWAY-PRIORITY\":[\"a\",\"RELOAD-URI\"],"
                + "\"PATHWAY-CLONES\":[{\"BASE-ID\":\"a\",\"ID\":\"b\",\"URI-REPLACEMENT\":{"
                + "\"PER-VARIANT-URIS\":{\"v1\":\"<VARIANT http://b.test/v>\"},"
                + "\"PER-RENDITION-URIS\":{\"r1\":\"<RENDITION http://b.test/r>\",\"r2\":\"data:x\"}}}]}");
  }

  @Test
  void rewritesAnAssetList() throws BadListException {
    assertThat(
            rewritten(
                """
                {"ASSETS":[{"URI":"a.m3u8","DURATION":12},{"DURATION":1e400,"URI":"b","X":{"URI":"c"}}],
                 "URI":"d","SKIP-CONTROL":{"OFFSET":1}}
                """))
        .isEqualTo(
            "{\"ASSETS\":[{\"URI\":\"<ASSET http://up.test/steer/a.m3u8>\",\"DURATION\":12},"
                + "{\"DURATION\":1e400,\"URI\":\"<ASSET http://up.test/steer/b>\",\"X\":{\"URI\":\"c\"}}],"
                + "\"URI\":\"d\",\"SKIP-CONTROL\":{\"OFFSET\":1}}");
  }

  @Test
  void keepsWhatIsNoText_andEmptyAddresses() throws BadListException {
    String odd =
        "{\"RELOAD-URI\":null,\"ASSETS\":[7,{\"URI\":\"\"},{\"URI\":[\"a\"]}],\"PATHWAY-CLONES\":true}";

    assertThat(rewritten(odd)).isEqualTo(odd);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "[]", "\"a\"", "1", "{", "{}x", "{}{}", "{\"a\":}", "<html>", "{'a':1}"})
  void rejectsWhatIsNoObject(String text) {
    assertThatThrownBy(() -> rewritten(text))
        .isInstanceOfSatisfying(
            BadListException.class,
            e -> {
              assertThat(e.status()).isEqualTo(502);
              assertThat(e.reason()).isEqualTo("not_a_list");
            });
  }

  @Test
  void readsAsMuchAsTheLimit_andNotOneByteMore() throws BadListException {
    String most = "{}" + " ".repeat(JsonList.MAX_BYTES - 2);

    assertThat(rewritten(most)).isEqualTo("{}");
    assertThatThrownBy(() -> rewritten(most + " "))
        .isInstanceOf(BadListException.class)
        .hasMessageContaining("longer than 1048576 bytes");
  }

  @Test
  void readsAsDeepAsTheLimit_andNotOneLevelMore() throws BadListException {
    int arrays = JsonList.MAX_DEPTH - 1;
    String deepest = "{\"a\":" + "[".repeat(arrays) + "]".repeat(arrays) + "}";

    assertThat(rewritten(deepest)).isEqualTo(deepest);
    assertThatThrownBy(() -> rewritten(deepest.replace("[]", "[[]]")))
        .isInstanceOf(BadListException.class);
  }

  @Test
  void rewritesAsManyAddressesAsTheLimit_andNotOneMore() throws BadListException {
    String asset = "{\"URI\":\"a\"},";
    String most = "{\"ASSETS\":[" + asset.repeat(JsonList.MAX_ADDRESSES);

    assertThat(rewritten(most + "{}]}")).contains("<ASSET ");
    assertThatThrownBy(() -> rewritten(most + asset + "{}]}"))
        .isInstanceOf(BadListException.class)
        .hasMessageContaining("more than 4096 addresses");
  }

  @Test
  void keepsAnAddressThatIsTooLong() throws BadListException {
    String longest = "http://a/" + "x".repeat(PlaylistRewriter.MAX_ADDRESS_BYTES - 9);

    assertThat(rewritten("{\"RELOAD-URI\":\"" + longest + "\"}")).contains("<STEERING ");
    assertThat(rewritten("{\"RELOAD-URI\":\"" + longest + "x\"}")).doesNotContain("<STEERING ");
  }
}
