package dev.millrace.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
  @ParameterizedTest
  @CsvSource({
    "203.0.113.7,203.0.113.7",
    "203.0.113.7,::ffff:203.0.113.7",
    "203.0.113.7,[::FFFF:cb00:7107]",
    "203.0.113.7,0:0:0:0:0:ffff:203.0.113.7",
    "2001:db8::1,[2001:DB8:0::0001]",
    "fe80::1,fe80::1%eth0",
    "fe80::1,[fe80::1%25eth0]",
  })
  void isTheSame_howeverItIsWritten(String one, String other) {
    assertThat(ClientAddress.parse(one)).isPresent().isEqualTo(ClientAddress.parse(other));
  }

  @ParameterizedTest
  @CsvSource({"203.0.113.7,203.0.113.8", "::1,127.0.0.1", "2001:db8::1,2001:db8::2"})
  void isAnother(String one, String other) {
    assertThat(ClientAddress.parse(one)).isPresent().isNotEqualTo(ClientAddress.parse(other));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "localhost",
        "unknown",
        "1.2.3",
        "1.2.3.256",
        "01.2.3.4",
        "0x7f.0.0.1",
        "2130706433",
        "1.2.3.4:80",
        "[1.2.3.4]",
        ":::",
        "::1]",
        "[::1",
        "1:2:3:4:5:6:7:8:9",
        "::1/64",
        "%",
        "[]",
        "example.com:",
        "::ffff:1.2.3",
        "1.2.3.4 "
      })
  void isNone(String literal) {
    assertThat(ClientAddress.parse(literal)).isEmpty();
  }

  @Test
  void hasTheSameSubscriber_withinASubnetOf64Bits() {
    assertThat(subscriber("2001:db8:1:2::1")).isEqualTo(subscriber("2001:db8:1:2:ffff::9"));
    assertThat(subscriber("2001:db8:1:2::1")).isNotEqualTo(subscriber("2001:db8:1:3::1"));
    assertThat(subscriber("192.0.2.1")).isEqualTo(subscriber("::ffff:192.0.2.1"));
    assertThat(subscriber("192.0.2.1")).isNotEqualTo(subscriber("192.0.2.2"));
  }

  private static String subscriber(String literal) {
    return ClientAddress.parse(literal).orElseThrow().subscriber();
  }
}
