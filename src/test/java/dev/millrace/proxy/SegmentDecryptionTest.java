package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentDecryptionTest {
  private static final String KEY = "decrypt_key=http%3A%2F%2Fcdn.example%2Fk%3Fsig%3Dsecret";
  private static final String IV = "&decrypt_iv=000102030405060708090a0b0c0d0e0F";

  private static Optional<SegmentDecryption> of(String query) throws ExchangeException {
    return SegmentDecryption.of(QueryParameters.parse(query));
  }

  @Test
  void readsKeyAndVector() throws ExchangeException {
    SegmentDecryption read = of(KEY + IV).orElseThrow();
    assertThat(read.key().origin()).isEqualTo("http://cdn.example:80");
    assertThat(read.iv()).hasSize(16).startsWith(0, 1, 2).endsWith(13, 14, 15);
    assertThat(read.rangeRequest()).isEqualTo(RangeRequest.NONE);
    assertThat(read.toString()).doesNotContain("secret").doesNotContain("0001");
  }

  @Test
  void readsTheVectorAsPlaylistsWriteIt() throws ExchangeException {
    assertThat(of(KEY + IV.replace("=", "=0x")).orElseThrow().iv())
        .isEqualTo(of(KEY + IV).orElseThrow().iv());
  }

  @Test
  void readsARange() throws ExchangeException {
    SegmentDecryption read = of(KEY + IV + "&decrypt_range=16-31").orElseThrow();
    assertThat(read.rangeRequest().range().orElseThrow().fieldValue()).isEqualTo("bytes=16-31");
    assertThat(read.isSegment(new ContentRange(16, 31, OptionalLong.empty()))).isTrue();
    assertThat(read.isSegment(new ContentRange(16, 30, OptionalLong.empty()))).isFalse();
    assertThat(read.isSegment(new ContentRange(0, 31, OptionalLong.empty()))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "decrypt_key=", "decrypt_iv=1&decrypt_range=2"})
  void isNothing_withoutAKey(String query) throws ExchangeException {
    assertThat(of(query)).isEmpty();
  }

  @Test
  void asksForTheVector() {
    assertThatThrownBy(() -> of(KEY))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("required");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&decrypt_iv=0",
        "&decrypt_iv=000102030405060708090a0b0c0d0e0g",
        "&decrypt_iv=000102030405060708090a0b0c0d0e0f00",
        "&decrypt_iv=000102030405060708090a0b0c0d0e"
      })
  void refusesWhatIsNoVector(String iv) {
    assertThatThrownBy(() -> of(KEY + iv))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("decrypt_iv")
        .hasMessageContaining("32 hexadecimal digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "5-", "-5", "6-5", "a-b", "0-1,2-3", "0-9999999999999999999"})
  void refusesWhatIsNoRange(String range) {
    assertThatThrownBy(() -> of(KEY + IV + "&decrypt_range=" + range))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("decrypt_range");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///k", "k.bin", "skd://k"})
  void refusesKeysThatCannotBeFetched(String key) {
    assertThatThrownBy(() -> of("decrypt_key=" + key + IV))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("decrypt_key");
  }
}
