package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the encryptor writes is what another program decrypts: the tests may believe it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CencEncryptorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path directory;
  private ExternalProgram ffmpeg;
  private Path clear;

  @BeforeAll
  void makeAClip() throws IOException {
    ffmpeg = ExternalProgram.required("ffmpeg");
    clear = directory.resolve("clear.mp4");
    ExternalProgram.Outcome made =
        ffmpeg.run(
            PATIENCE,
            ("-v error -f lavfi -i testsrc=s=128x72:d=3:r=25 -f lavfi -i sine=d=3 -g 25 -bf 2"
                    + " -movflags empty_moov+default_base_moof+frag_keyframe -y "
                    + clear)
                .split(" "));
    assertThat(made.exit()).as(made.errors()).isZero();
  }

  static Stream<Arguments> forms() {
    SampleProtector cenc = SampleProtector.of("cenc");
    SampleProtector cbcs = SampleProtector.of("cbcs");
    return Stream.of(
        Arguments.of("cenc", CencEncryptor.of(cenc)),
        Arguments.of("subsamples", CencEncryptor.of(cenc.subsamples(SampleProtector.TWO))),
        Arguments.of("both", CencEncryptor.of(cenc).aux(CencEncryptor.Aux.BOTH).saio(1, true)),
        Arguments.of("cbc1", CencEncryptor.of(SampleProtector.of("cbc1"))),
        Arguments.of(
            "cens", CencEncryptor.of(SampleProtector.of("cens").subsamples(SampleProtector.TWO))),
        Arguments.of("cbcs", CencEncryptor.of(cbcs.subsamples(SampleProtector.TWO))),
        Arguments.of(
            "cbcs, a vector each",
            CencEncryptor.of(
                cbcs.ivs("a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8").subsamples(SampleProtector.TWO))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void isDecryptedByAnotherProgram(String name, CencEncryptor encryptor) throws IOException {
    ProtectedMovie movie = encryptor.encrypt(Files.readAllBytes(clear));
    assertThat(movie.fragments()).hasSize(3);
    Path coded = directory.resolve("coded.mp4");
    Files.write(coded, movie.file());
    String key = SampleProtector.of("cenc").key();
    assertThat(frames("-decryption_key " + key + " -seekable 0 -i file:" + coded))
        .hasSizeGreaterThan(75 + 100)
        .isEqualTo(frames("-i " + clear));
  }

  /** That program looks back for such entries, and then mixes up several fragments. */
  @Test
  void isFoundBySaioAlone() throws IOException {
    SampleProtector cenc = SampleProtector.of("cenc").subsamples(SampleProtector.TWO);
    ProtectedMovie movie =
        CencEncryptor.of(cenc).aux(CencEncryptor.Aux.SAIO).encrypt(Files.readAllBytes(clear));
    Path coded = directory.resolve("coded.mp4");
    Files.write(coded, MovieBox.joined(List.of(movie.init(), movie.fragments().get(0))));
    List<String> decrypted = frames("-decryption_key " + cenc.key() + " -i " + coded);
    assertThat(decrypted).hasSizeGreaterThan(25 + 20);
    assertThat(frames("-i " + clear)).containsAll(decrypted);
  }

  private List<String> frames(String input) throws IOException {
    ExternalProgram.Outcome outcome =
        ffmpeg.run(PATIENCE, ("-v error " + input + " -map 0 -f framemd5 -").split(" "));
    assertThat(outcome.exit()).as(outcome.errors()).isZero();
    return outcome.output().lines().filter(line -> !line.startsWith("#")).toList();
  }

  @Test
  void changesOnlyTheBytesOfSamples() {
    byte[] movie = ClearMovie.TYPICAL.bytes();
    ProtectedMovie coded = CencEncryptor.of(SampleProtector.of("cenc")).encrypt(movie);
    assertThat(coded.clear()).isEqualTo(movie);
    List<byte[]> payloads = ProtectedMovie.payloads(coded.file());
    assertThat(payloads).hasSize(3).hasSameSizeAs(coded.clearPayloads());
    for (int i = 0; i < payloads.size(); i++) {
      assertThat(payloads.get(i))
          .hasSameSizeAs(coded.clearPayloads().get(i))
          .isNotEqualTo(coded.clearPayloads().get(i));
    }
  }
}
