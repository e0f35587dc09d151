package dev.millrace.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressPlaceholderTest {
  @ParameterizedTest
  @CsvSource({
    "{mediaflow_ip},              1.2.3.4",
    "%7Bmediaflow_ip%7D,          1.2.3.4",
    "%7bmediaflow_ip%7d,          1.2.3.4",
    "{mediaflow_ip%7D,            1.2.3.4",
    "{{mediaflow_ip}},            {1.2.3.4}",
    "/a?x={mediaflow_ip}&y=%7B,   /a?x=1.2.3.4&y=%7B",
    "{mediaflow_ip}{mediaflow_ip},1.2.3.41.2.3.4",
    "{mediaflow_ip,               {mediaflow_ip",
    "{MEDIAFLOW_IP},              {MEDIAFLOW_IP}",
    "{mediaflow_ipx},             {mediaflow_ipx}",
    "%7Cmediaflow_ip%7D,          %7Cmediaflow_ip%7D",
    "%7Bmediaflow_ip%7,           %7Bmediaflow_ip%7",
  })
  void isReplaced(String text, String expected) {
    assertThat(AddressPlaceholder.replaced(text, "1.2.3.4")).isEqualTo(expected);
    assertThat(AddressPlaceholder.isIn(text)).isEqualTo(!text.equals(expected));
  }

  @Test
  void isUndecided_whereMoreBytesMayComplete() {
    byte[] text = "%7Bmediaflow_ip%7D".getBytes(ISO_8859_1);
    for (int end = 1; end < text.length; end++) {
      assertThat(AddressPlaceholder.lengthAt(text, 0, end)).isEqualTo(AddressPlaceholder.MAYBE);
    }
    assertThat(AddressPlaceholder.lengthAt(text, 0, text.length)).isEqualTo(text.length);
  }
}
