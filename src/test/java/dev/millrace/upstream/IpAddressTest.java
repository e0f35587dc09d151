package dev.millrace.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::1, ::1",
    "0:0:0:0:0:0:0:1, ::1",
    "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:0db8:0000:0000:0000:0000:0000:0001, 2001:db8::1",
    "::ffff:192.0.2.7, 192.0.2.7",
    "::FFFF:c000:0207, 192.0.2.7",
    "0:0:0:0:0:ffff:192.0.2.7%eth0, 192.0.2.7",
    "fe80::1%eth0, fe80::1",
    "fe80::1%25eth0, fe80::1",
  })
  void hasOneSpelling(String text, String expected) {
    assertThat(IpAddress.parse(text).map(IpAddress::toString)).contains(expected);
    assertThat(IpAddress.parse(text)).isEqualTo(IpAddress.parse(expected));
    assertThat(IpAddress.parse(text).hashCode()).isEqualTo(IpAddress.parse(expected).hashCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost",
        "example.com",
        "[::1]",
        "192.0.2.7:80",
        "192.0.2",
        "192.0.2.007",
        "192.0.2.256",
        "0x7f.0.0.1",
        "2130706433",
        "192.0.2.7%eth0",
        "192.0.2.7/32",
        ":",
        ":::",
        "1::2::3",
        "::1 ",
        "::g",
        "%eth0",
        "12345::",
        "unknown",
        "_hidden",
        "null"
      })
  void isNothingElse(String text) {
    assertThat(IpAddress.parse(text)).isEmpty();
  }

  @Test
  void isNoLongerThan64Characters() {
    String longest = "0000:0000:0000:0000:0000:ffff:192.168.100.100%";

    assertThat(IpAddress.parse(longest + "z".repeat(64 - longest.length()))).isPresent();
    assertThat(IpAddress.parse(longest + "z".repeat(65 - longest.length()))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, ::ffff:10.1.2.3, true",
    "::ffff:10.0.0.0/104, 10.1.2.3, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "::/0, 10.1.2.3, false",
    "2001:db8::/32, 2001:db8::1%eth0, true",
  })
  void isInABlock(String block, String address, boolean expected) throws BadTargetException {
    assertThat(AddressBlock.parse(block).contains(IpAddress.parse(address).orElseThrow()))
        .isEqualTo(expected);
  }
}
