package dev.millrace.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** RFC 5869, appendix A: the vectors for SHA-256. */
final class HkdfTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void case1() {
    byte[] key = Hkdf.extract(bytes(0x00, 13), HEX.parseHex("0b".repeat(22)));

    assertThat(HEX.formatHex(key))
        .isEqualTo("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    assertThat(HEX.formatHex(Hkdf.expand(key, bytes(0xf0, 10), 42)))
        .isEqualTo(
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  }

  @Test
  void case2() {
    byte[] key = Hkdf.extract(bytes(0x60, 80), bytes(0x00, 80));

    assertThat(HEX.formatHex(key))
        .isEqualTo("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244");
    assertThat(HEX.formatHex(Hkdf.expand(key, bytes(0xb0, 80), 82)))
        .isEqualTo(
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                + "cc30c58179ec3e87c14c01d5c1f3434f1d87");
  }

  @Test
  void case3() {
    byte[] key = Hkdf.extract(new byte[0], HEX.parseHex("0b".repeat(22)));

    assertThat(HEX.formatHex(key))
        .isEqualTo("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04");
    assertThat(HEX.formatHex(Hkdf.expand(key, new byte[0], 42)))
        .isEqualTo(
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
  }

  @Test
  void givesAsMuchAsTheStandardAllows() {
    assertThat(Hkdf.expand(new byte[32], new byte[0], 8160)).hasSize(8160);
    assertThatThrownBy(() -> Hkdf.expand(new byte[32], new byte[0], 8161))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("length: 8161 (expected: <= 8160)");
  }

  private static byte[] bytes(int first, int count) {
    byte[] bytes = new byte[count];
    IntStream.range(0, count).forEach(i -> bytes[i] = (byte) (first + i));
    return bytes;
  }
}
