package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.ExchangeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes=0-9,bytes=0-9",
    "bytes=100-,bytes=100-",
    "bytes=-5,bytes=-5",
    "bytes=-0,bytes=-0",
    "bytes=7-7,bytes=7-7",
    "BYTES = 007 - 09,bytes=7-9",
    "'bytes=0-9,',bytes=0-9",
    "bytes=5-18446744073709551615,bytes=5-",
    "bytes=-18446744073709551615,bytes=0-",
  })
  void readsOneRange(String value, String expected) throws ExchangeException {
    assertThat(ByteRange.parse(value).map(ByteRange::fieldValue)).hasValue(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "seconds=1-2", "bytes=0-1,5-6", "bytes=0-1, -5"})
  void isAbsent_whenOtherUnitOrSeveral(String value) throws ExchangeException {
    assertThat(ByteRange.parse(value)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=NaN-NaN",
        "bytes=5-2",
        "bytes=-",
        "bytes=",
        "bytes=,",
        "bytes",
        "0-9",
        "bytes=5",
        "bytes=--5",
        "bytes=1-2-3",
        "bytes=+1-2",
        "bytes=0x1-2",
        "bytes=1.5-2",
        "bytes=\u0661-2",
        "bytes=99999999999999999999-",
        "bytes=0-1,x",
      })
  void refuses_whenItCannotBeRead(String value) {
    assertThatThrownBy(() -> ByteRange.parse(value))
        .isInstanceOfSatisfying(
            RangeNotSatisfiableException.class, e -> assertThat(e.status()).isEqualTo(416));
  }
}
