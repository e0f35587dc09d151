package dev.millrace.cenc;

import static dev.millrace.testing.SampleProtector.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.SampleProtector;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the four schemes, each with every way to cut the stream, by two providers. */
class RangeDecryptorTest {
  private static final AesCiphers BOUNCY_CASTLE = AesCiphers.of(new BouncyCastleProvider());

  /** Round a block, round what goes to the cipher by itself, round the window. */
  private static final int[] LENGTHS = {
    1, 15, 16, 17, 0, 160, 31, 400, 511, 512, 513, 529, 1600, 3, 2047, 5003, 20_011
  };

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
        Arguments.of(
            "22 several keys and schemes",
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
    for (int split = 1; split <= 2000; split++) {
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
      int most = 1 << 1 + round % 15;
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
}
