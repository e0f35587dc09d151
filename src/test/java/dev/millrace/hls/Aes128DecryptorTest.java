package dev.millrace.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.Chunkings;
import dev.millrace.testing.ExternalProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class Aes128DecryptorTest {
  private static final String KEY = "2b7e151628aed2a6abf7158809cf4f3c";
  private static final String IV = "000102030405060708090a0b0c0d0e0f";

  /** NIST SP 800-38A F.2.1 (CBC-AES128): four blocks. */
  private static final String NIST_PLAIN =
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";

  private static final String NIST_CIPHERTEXT =
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
          + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7";

  /** The block of padding that follows, as {@code openssl enc} writes it. */
  private static final String PADDING = "8cb82807230e1321d3fae00d18cc2012";

  private static final byte[] CLEAR = random(100_003);

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] encrypted(byte[] clear) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(
        Cipher.ENCRYPT_MODE, new SecretKeySpec(hex(KEY), "AES"), new IvParameterSpec(hex(IV)));
    return cipher.doFinal(clear);
  }

  private static byte[] decrypted(List<byte[]> chunks) throws IOException {
    ByteArrayOutputStream clear = new ByteArrayOutputStream();
    Aes128Decryptor decryptor = Aes128Decryptor.of(hex(KEY), hex(IV));
    for (byte[] chunk : chunks) {
      ByteBuffer input = ByteBuffer.wrap(chunk).asReadOnlyBuffer();
      decryptor.accept(input, output -> put(output, clear));
      assertThat(input.hasRemaining()).isFalse();
    }
    decryptor.finish(output -> put(output, clear));
    decryptor.close();
    return clear.toByteArray();
  }

  private static void put(ByteBuffer output, ByteArrayOutputStream to) {
    assertThat(output.remaining()).isLessThanOrEqualTo(64 << 10);
    byte[] bytes = new byte[output.remaining()];
    output.get(bytes);
    to.writeBytes(bytes);
  }

  static Stream<List<byte[]>> chunkings() throws GeneralSecurityException {
    return Chunkings.of(encrypted(CLEAR));
  }

  @ParameterizedTest
  @MethodSource("chunkings")
  void decrypts_whateverTheChunks(List<byte[]> chunks) throws IOException {
    assertThat(decrypted(chunks)).isEqualTo(CLEAR);
  }

  @Test
  void decryptsThePublishedVector() throws IOException {
    assertThat(decrypted(List.of(hex(NIST_CIPHERTEXT + PADDING)))).isEqualTo(hex(NIST_PLAIN));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 31, 32, 16_383, 16_384, 16_385})
  void removesThePadding(int length) throws Exception {
    byte[] clear = Arrays.copyOf(CLEAR, length);
    assertThat(decrypted(List.of(encrypted(clear)))).isEqualTo(clear);
  }

  @Test
  void readsDirectMemory() throws Exception {
    byte[] coded = encrypted(CLEAR);
    ByteBuffer direct = ByteBuffer.allocateDirect(coded.length).put(coded).flip();
    ByteArrayOutputStream clear = new ByteArrayOutputStream();
    Aes128Decryptor decryptor = Aes128Decryptor.of(hex(KEY), hex(IV));
    decryptor.accept(direct, output -> put(output, clear));
    decryptor.finish(output -> put(output, clear));
    assertThat(clear.toByteArray()).isEqualTo(CLEAR);
  }

  @Test
  void holdsBackOneBlockOnly() throws Exception {
    ByteArrayOutputStream clear = new ByteArrayOutputStream();
    Aes128Decryptor decryptor = Aes128Decryptor.of(hex(KEY), hex(IV));
    decryptor.accept(ByteBuffer.wrap(encrypted(CLEAR), 0, 1_600), output -> put(output, clear));
    assertThat(clear.size()).isEqualTo(1_584);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 17, 65})
  void fails_whenTheLengthIsNone(int length) throws Exception {
    byte[] cut = Arrays.copyOf(encrypted(CLEAR), length);
    assertThatThrownBy(() -> decrypted(List.of(cut)))
        .isInstanceOf(DecryptionException.class)
        .hasMessageContaining("multiple of 16");
  }

  @Test
  void fails_whenTheEndIsMissing() {
    assertThatThrownBy(() -> decrypted(List.of(hex(NIST_CIPHERTEXT))))
        .isInstanceOf(DecryptionException.class)
        .hasMessageContaining("key or its end");
  }

  @Test
  void fails_whenTheKeyIsAnother() throws Exception {
    byte[] coded = encrypted(CLEAR);
    Aes128Decryptor decryptor = Aes128Decryptor.of(hex(IV), hex(IV));
    decryptor.accept(ByteBuffer.wrap(coded), output -> {});
    assertThatThrownBy(() -> decryptor.finish(output -> {}))
        .isInstanceOf(DecryptionException.class);
  }

  @Test
  void refusesKeysOfOtherLengths_withoutShowingThem() {
    assertThatThrownBy(() -> Aes128Decryptor.of(new byte[15], hex(IV)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("15 and 16 bytes");
  }

  @Test
  void readsWhatOpensslWrites(@TempDir Path directory) throws IOException {
    ExternalProgram openssl = ExternalProgram.required("openssl");
    Path clear = directory.resolve("clear");
    Path coded = directory.resolve("coded");
    Files.write(clear, CLEAR);
    ExternalProgram.Outcome outcome =
        openssl.run(
            Duration.ofSeconds(30),
            "enc",
            "-aes-128-cbc",
            "-K",
            KEY,
            "-iv",
            IV,
            "-in",
            clear.toString(),
            "-out",
            coded.toString());
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    assertThat(decrypted(List.of(Files.readAllBytes(coded)))).isEqualTo(CLEAR);
  }
}
