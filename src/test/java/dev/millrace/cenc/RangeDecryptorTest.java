package dev.millrace.cenc;

import static dev.millrace.testing.SampleProtector.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.SampleProtector;
import java.security.Provider;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of the four schemes, each with every way to cut the stream, by two providers. */
class RangeDecryptorTest {
  private static final AesCiphers BOUNCY_CASTLE = AesCiphers.of(new BouncyCastleProvider());

  /** Round a block, round what goes to the cipher by itself, round the window. */
  private static final int[] LENGTHS = {
    1, 15, 16, 17, 0, 160, 31, 400, 511, 512, 513, 529, 1600, 3, 2047, 5003, 20_011
  };

  /** Ranges of 33 bytes, each behind a clear byte. */
  private static int[] tiny(int length) {
    return IntStream.range(0, length / 17).map(i -> i % 2 == 0 ? 1 : 33).toArray();
  }

  /** In samples of one range up to more than a window holds. */
  private static final int[] TINY_LENGTHS = {34, 34 * 512, 34 * 511, 34 * 1100, 34 * 3};

  private static final String IV_16 = "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8";

  private static Arguments of(String name, SampleProtector protector, int... lengths) {
    return Arguments.of(
        name, ProtectedStream.of(protector, lengths.length == 0 ? LENGTHS : lengths));
  }

  static Stream<Arguments> cases() {
    SampleProtector cenc = SampleProtector.of("cenc");
    SampleProtector cens = SampleProtector.of("cens");
    SampleProtector cbc1 = SampleProtector.of("cbc1");
    SampleProtector cbcs = SampleProtector.of("cbcs");
    String wrapping = "a1a2a3a4a5a6a7a8fffffffffffffffe";
    int[] tails = IntStream.range(0, 160).map(tail -> 320 + tail).toArray();
    return Stream.of(
        of("1 cenc, iv 8, subsamples", cenc.subsamples(TWO)),
        of("2 cenc, iv 16", cenc.ivs(IV_16)),
        of("3 cenc, whole samples", cenc),
        of("4 cenc, counter wraps", cenc.ivs(wrapping)),
        of("4 cenc, counter wraps in a subsample", cenc.ivs(wrapping).subsamples(TWO)),
        of("4 cenc, counter wraps later", cenc.ivs("a1a2a3a4a5a6a7a8ffffffffffffff80")),
        of("4 cens, counter wraps", cens.ivs(wrapping)),
        of("5 cenc, many subsamples", cenc.subsamples(RangeDecryptorTest::many)),
        of("6 cbc1", cbc1),
        of("6 cbc1, subsamples", cbc1.subsamples(TWO)),
        of("6 cbc1, many subsamples", cbc1.subsamples(RangeDecryptorTest::many)),
        of("7 cens 1:9, subsamples", cens.subsamples(TWO)),
        of("7 cens 5:5, subsamples", cens.pattern(5, 5).subsamples(TWO)),
        of("7 cens 0:0", cens.pattern(0, 0)),
        of("8 cbcs 1:9, constant iv 16", cbcs.subsamples(TWO)),
        of("8 cbcs 1:9, constant iv 8", cbcs.constantIv("a1a2a3a4a5a6a7a8").subsamples(TWO)),
        of("9 cbcs 5:5, tails", cbcs.pattern(5, 5), tails),
        of("9 cbcs 5:5, tails left", cbcs.pattern(5, 5).endingPartialRuns(), tails),
        of("10 cbcs 10:0", cbcs.pattern(10, 0)),
        of("10 cbcs 0:0", cbcs.pattern(0, 0)),
        of("10 cbcs 0:0, subsamples", cbcs.pattern(0, 0).subsamples(TWO)),
        of("0:9 is clear", cbcs.pattern(0, 9)),
        of("15:15 is direct", cbcs.pattern(15, 15).subsamples(RangeDecryptorTest::many)),
        of("11 cbcs, iv of each sample", cbcs.ivs(IV_16).subsamples(TWO)),
        of(
            "cenc, more ranges than a window has places",
            cenc.subsamples(RangeDecryptorTest::tiny),
            TINY_LENGTHS),
        of(
            "cens, more ranges than a window has places",
            cens.subsamples(RangeDecryptorTest::tiny),
            TINY_LENGTHS),
        of(
            "cbc1, more blocks than a window has",
            cbc1.subsamples(RangeDecryptorTest::tiny),
            TINY_LENGTHS),
        of(
            "cbcs 1:1, more ranges than a window has places",
            cbcs.pattern(1, 1).subsamples(RangeDecryptorTest::tiny),
            TINY_LENGTHS),
        Arguments.of(
            "several keys and schemes",
            ProtectedStream.of(
                List.of(
                    cenc.subsamples(TWO),
                    cbcs.key("1".repeat(32), "2".repeat(32)),
                    cenc.key("3".repeat(32), "4".repeat(32)),
                    cbc1.subsamples(TWO),
                    cens.pattern(5, 5)),
                LENGTHS)));
  }

  private static int[] many(int length) {
    int[] parts = new int[2 * (length / 100 + 1)];
    int left = length;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = i == parts.length - 1 ? left : Math.min(left, i % 2 == 0 ? i % 23 : 77 + i % 5);
      left -= parts[i];
    }
    return parts;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decryptsAtOnce(String name, ProtectedStream stream) {
    assertThat(stream.decrypted(AesCiphers.PLATFORM, stream.coded().length))
        .isEqualTo(stream.clear());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decryptsByteByByte(String name, ProtectedStream stream) {
    assertThat(stream.decrypted(AesCiphers.PLATFORM, 1)).isEqualTo(stream.clear());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decryptsSplitAnywhere(String name, ProtectedStream stream) {
    int step = stream.coded().length > 50_000 ? 37 : 1;
    for (int split = 1; split <= 2000; split += step) {
      assertThat(stream.decrypted(AesCiphers.PLATFORM, split, stream.coded().length))
          .as("split at %d", split)
          .isEqualTo(stream.clear());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decryptsRandomChunks(String name, ProtectedStream stream) {
    Random random = new Random(20_261_201);
    for (int round = 0; round < 50; round++) {
      int most = 1 << (1 + round % 15);
      int[] chunks = IntStream.range(0, 100).map(i -> 1 + random.nextInt(most)).toArray();
      assertThat(stream.decrypted(AesCiphers.PLATFORM, chunks)).isEqualTo(stream.clear());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decryptsWithAnotherProvider(String name, ProtectedStream stream) {
    assertThat(stream.decrypted(BOUNCY_CASTLE, stream.coded().length)).isEqualTo(stream.clear());
    assertThat(stream.decrypted(BOUNCY_CASTLE, 7, 1000, 1)).isEqualTo(stream.clear());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void isReallyEncrypted(String name, ProtectedStream stream) {
    assertThat(Arrays.equals(stream.coded(), stream.clear())).isEqualTo(name.startsWith("0:9"));
  }

  private static final String NIST_KEY = "2b7e151628aed2a6abf7158809cf4f3c";

  private static final String NIST_PLAIN =
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";

  /** NIST SP 800-38A F.5.1 (CTR-AES128) and F.2.1 (CBC-AES128): four blocks. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "CENC, f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff, 874d6191b620e3261bef6864990db6ce"
        + "9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab"
        + "1e031dda2fbe03d1792170a0f3009cee",
    "CBC1, 000102030405060708090a0b0c0d0e0f, 7649abac8119b246cee98e9b12e9197d"
        + "5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e22229516"
        + "3ff1caa1681fac09120eca307586e1a7",
  })
  void decryptsThePublishedVector(ProtectionScheme scheme, String iv, String coded) {
    byte[] bytes = HexFormat.of().parseHex(coded);
    for (AesCiphers ciphers : List.of(AesCiphers.PLATFORM, BOUNCY_CASTLE)) {
      ProtectedRanges ranges = new ProtectedRanges();
      ContentKey key = ContentKey.of(HexFormat.of().parseHex(NIST_KEY));
      ranges.sample(
          new ProtectedRanges.Setting(scheme, key, 0, 0, false), HexFormat.of().parseHex(iv), 0);
      ranges.range(0, 64);
      RangeDecryptor decryptor = new RangeDecryptor(ciphers);
      decryptor.follow(ranges);
      byte[] output = new byte[64 + PayloadDecryptor.MAX_HELD];
      assertThat(decryptor.accept(0, bytes, 0, 64, output, 0)).isEqualTo(64);
      assertThat(HexFormat.of().formatHex(output, 0, 64)).isEqualTo(NIST_PLAIN);
    }
  }

  private static final ProtectedStream CHAINED =
      ProtectedStream.of(SampleProtector.of("cbc1"), 40, 40);

  private static RangeDecryptor follower() {
    RangeDecryptor decryptor = new RangeDecryptor(AesCiphers.PLATFORM);
    decryptor.follow(CHAINED.ranges());
    return decryptor;
  }

  @Test
  void holdsPartsOfBlocksOnly() {
    RangeDecryptor decryptor = follower();
    byte[] output = new byte[100];
    // 3 clear bytes, then 15 of a block
    assertThat(decryptor.accept(CHAINED.start(), CHAINED.coded(), 0, 18, output, 0)).isEqualTo(3);
    assertThat(decryptor.held()).isEqualTo(PayloadDecryptor.MAX_HELD);
    assertThat(decryptor.accept(CHAINED.start() + 18, CHAINED.coded(), 18, 1, output, 3))
        .isEqualTo(16);
    assertThat(decryptor.held()).isZero();
    // the rest of the sample: a block, and 7 of 8 bytes that are clear
    assertThat(decryptor.accept(CHAINED.start() + 19, CHAINED.coded(), 19, 23, output, 19))
        .isEqualTo(23);
    assertThat(decryptor.held()).isZero();
    assertThat(Arrays.copyOf(output, 42)).isEqualTo(Arrays.copyOf(CHAINED.clear(), 42));
  }

  @Test
  void leavesInputAndTheRestOfOutputAlone() {
    byte[] input = CHAINED.coded().clone();
    byte[] output = new byte[200];
    follower().accept(CHAINED.start(), input, 0, input.length, output, 50);
    assertThat(input).isEqualTo(CHAINED.coded());
    assertThat(Arrays.copyOf(output, 50)).containsOnly(0);
    assertThat(Arrays.copyOfRange(output, 50 + input.length, 200)).containsOnly(0);
  }

  @Test
  void leavesARangeWhoseBeginningHasNotPassed() {
    int from = 10;
    int length = CHAINED.coded().length - from;
    byte[] output = new byte[length + PayloadDecryptor.MAX_HELD];
    follower().accept(CHAINED.start() + from, CHAINED.coded(), from, length, output, 0);
    byte[] expected = CHAINED.clear().clone();
    System.arraycopy(CHAINED.coded(), 0, expected, 0, 43);
    assertThat(Arrays.copyOf(output, length))
        .isEqualTo(Arrays.copyOfRange(expected, from, expected.length));
  }

  @Test
  void goesOnWithOtherRanges() {
    RangeDecryptor decryptor = follower();
    byte[] output = new byte[200];
    for (int round = 0; round < 2; round++) {
      decryptor.accept(CHAINED.start(), CHAINED.coded(), 0, CHAINED.coded().length, output, 0);
      assertThat(Arrays.copyOf(output, CHAINED.clear().length)).isEqualTo(CHAINED.clear());
      decryptor.follow(CHAINED.ranges());
    }
  }

  @Test
  void refusesToForgetWhatItHolds() {
    RangeDecryptor decryptor = follower();
    decryptor.accept(CHAINED.start(), CHAINED.coded(), 0, 10, new byte[30], 0);
    assertThatThrownBy(() -> decryptor.follow(CHAINED.ranges()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("7 bytes are held");
    assertThatThrownBy(
            () -> decryptor.accept(CHAINED.start() + 11, CHAINED.coded(), 11, 1, new byte[30], 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void takesNothing() {
    RangeDecryptor decryptor = follower();
    assertThat(decryptor.accept(CHAINED.start(), new byte[0], 0, 0, new byte[15], 0)).isZero();
    decryptor.accept(CHAINED.start(), CHAINED.coded(), 0, 10, new byte[30], 0);
    assertThat(decryptor.accept(CHAINED.start() + 10, new byte[0], 0, 0, new byte[15], 0)).isZero();
    assertThat(decryptor.held()).isEqualTo(7);
  }

  @Test
  void refusesAProviderWithoutAes() {
    Provider none = new Provider("none", "1", "nothing") {};
    assertThatThrownBy(() -> AesCiphers.of(none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none lacks");
  }
}
