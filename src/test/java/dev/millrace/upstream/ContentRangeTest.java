package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentRangeTest {
  @ParameterizedTest
  @CsvSource({
    "bytes 0-9/10240,bytes 0-9/10240",
    "bytes 0-9/*,bytes 0-9/*",
    "bytes 0-9,bytes 0-9/*",
    "bytes 0-9/,bytes 0-9/*",
    "Bytes=0-9/10,bytes 0-9/10",
    "' bytes  007 - 9 / 10 ',bytes 7-9/10",
  })
  void readsTolerantly(String value, String expected) {
    assertThat(ContentRange.parse(value).map(ContentRange::fieldValue)).hasValue(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes */10",
        "bytes 9-0/10",
        "bytes 0-10/10",
        "bytes -5/10",
        "bytes a-b/c",
        "0-9/10",
        "bytes 0-9999999999999999999999/*",
        "bytes 0-9/99999999999999999999",
        "items 0-9/10",
      })
  void isAbsent_whenItSaysNothing(String value) {
    assertThat(ContentRange.parse(value)).isEmpty();
  }

  @Test
  void readsTotal_whenUnsatisfied() {
    assertThat(ContentRange.unsatisfiedTotal("bytes */10240")).hasValue(10240);
    assertThat(ContentRange.unsatisfiedTotal("bytes 0-9/10240")).isEmpty();
    assertThat(ContentRange.unsatisfiedTotal("bytes */*")).isEmpty();
  }

  @Test
  void knowsItsLength() {
    assertThat(new ContentRange(0, 8, OptionalLong.of(10)).length()).isEqualTo(9);
  }

  @Test
  void refusesRange_outsideTotal() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ContentRange(0, 10, OptionalLong.of(10)));
  }
}
