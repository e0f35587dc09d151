package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.ClearMovie;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.SampleProtector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DecryptCommandTest {
  private static final SampleProtector CENC = SampleProtector.of("cenc");
  private static final String PAIR = CENC.kid() + ":" + CENC.key();
  private static final ProtectedMovie MOVIE =
      CencEncryptor.of(CENC).encrypt(ClearMovie.TYPICAL.bytes());

  @TempDir private Path directory;
  private Path coded;
  private Path clear;

  @SuppressWarnings("ArrayRecordComponent") // read once, by the test that made it
  private record Finished(int status, byte[] out, String err) {}

  @BeforeEach
  void writeTheFilm() throws IOException {
    coded = directory.resolve("coded.mp4");
    clear = directory.resolve("clear.mp4");
    Files.write(coded, MOVIE.file());
  }

  private static Finished decrypt(byte[] input, String... options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] args = new String[options.length + 1];
    args[0] = "decrypt";
    System.arraycopy(options, 0, args, 1, options.length);
    int status =
        new Main(
                new ByteArrayInputStream(input),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8))
            .run(args);
    return new Finished(status, out.toByteArray(), err.toString(UTF_8));
  }

  private static void assertIsClear(byte[] file) {
    assertThat(file).hasSameSizeAs(MOVIE.file());
    assertThat(ProtectedMovie.payloads(file).stream().map(Arrays::hashCode))
        .isEqualTo(MOVIE.clearPayloads().stream().map(Arrays::hashCode).toList());
  }

  @Test
  void decryptsAFile() throws IOException {
    Finished run = decrypt(new byte[0], "--key", PAIR, coded.toString(), clear.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertIsClear(Files.readAllBytes(clear));
  }

  @Test
  void readsKeysFromStandardInput() throws IOException {
    byte[] keys = ("# film\n" + PAIR + "\n").getBytes(UTF_8);
    Finished run = decrypt(keys, "--key-file", "-", coded.toString(), clear.toString());
    assertThat(run.err()).isEmpty();
    assertIsClear(Files.readAllBytes(clear));
  }

  @Test
  void pipes() throws IOException {
    Path keys = directory.resolve("keys");
    Files.writeString(keys, PAIR);
    Finished run = decrypt(MOVIE.file(), "--key-file", keys.toString(), "-", "-");
    assertThat(run.err()).isEmpty();
    assertIsClear(run.out());
  }

  @Test
  void decryptsASegment() throws IOException {
    Path init = directory.resolve("init.mp4");
    Files.write(init, MOVIE.init());
    Files.write(coded, MOVIE.media());
    Finished run =
        decrypt(
            new byte[0],
            "--key",
            PAIR,
            "--init",
            init.toString(),
            coded.toString(),
            clear.toString());
    assertThat(run.err()).isEmpty();
    assertThat(Files.size(clear)).isEqualTo(MOVIE.media().length);
  }

  @Test
  void leavesNoFile_whenTheInputIsCut() throws IOException {
    Files.write(coded, Arrays.copyOf(MOVIE.file(), 20_000));
    Finished run = decrypt(new byte[0], "--key", PAIR, coded.toString(), clear.toString());
    assertThat(run.status()).isEqualTo(Main.CANNOT_START);
    assertThat(run.err()).contains("ends at byte 20000").doesNotContain(CENC.key());
    assertThat(directory).isDirectoryNotContaining(file -> !file.equals(coded));
  }

  @Test
  void namesAMissingKey() {
    SampleProtector other = CENC.key("20212223242526272829303132333435", CENC.key());
    String pairs =
        other.kid() + ":" + other.key() + ",303132333435363738393a3b3c3d3e3f:" + "00".repeat(16);
    Finished run = decrypt(new byte[0], "--key", pairs, coded.toString(), clear.toString());
    assertThat(run.status()).isEqualTo(Main.CANNOT_START);
    assertThat(run.err()).contains(CENC.kid()).doesNotContain(other.key());
  }

  @Test
  void refusesABadKey_withoutShowingIt() {
    Finished run = decrypt(new byte[0], "--key", "abc:defgh", coded.toString(), clear.toString());
    assertThat(run.status()).isEqualTo(Main.BAD_USAGE);
    assertThat(run.err()).contains("key").doesNotContain("defgh");
  }

  @Test
  void refusesToDoNothing() {
    assertThat(decrypt(new byte[0], coded.toString(), clear.toString()).err())
        .contains("--key-file");
    assertThat(decrypt(new byte[0], "--key", PAIR, coded.toString()).status())
        .isEqualTo(Main.BAD_USAGE);
    assertThat(decrypt(new byte[0], "--key-file", "-", "-", "-").status())
        .isEqualTo(Main.BAD_USAGE);
    assertThat(decrypt(new byte[0], "--help").status()).isZero();
  }
}
