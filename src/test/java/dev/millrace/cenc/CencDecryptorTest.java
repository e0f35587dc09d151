package dev.millrace.cenc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.mp4.InitSegment;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CencEncryptor.Aux;
import dev.millrace.testing.CencEncryptor.Lead;
import dev.millrace.testing.ClearMovie;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.SampleProtector;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Movies that a writer of its own has encrypted, in all its ways: contract §5.2. */
class CencDecryptorTest {
  private static final ClearMovie MOVIE =
      new ClearMovie(3, 2, List.of(1, 15, 16, 17, 159, 160, 0, 330), List.of(3, 31, 32, 200));

  private static final SampleProtector CENC = SampleProtector.of("cenc");
  private static final SampleProtector CBC1 = SampleProtector.of("cbc1");
  private static final SampleProtector CENS = SampleProtector.of("cens");
  private static final SampleProtector CBCS = SampleProtector.of("cbcs");
  private static final String IV16 = "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8";
  private static final String KID_2 = "20212223242526272829303132333435";
  private static final String KEY_2 = "21222324252627282930313233343536";
  private static final String KID_3 = "30212223242526272829303132333435";
  private static final String KEY_3 = "31222324252627282930313233343536";

  private static final KeyRing KEYS =
      Decryption.ring(CENC.kid(), CENC.key(), KID_2, KEY_2, KID_3, KEY_3);

  static Stream<Arguments> forms() {
    return Stream.of(
        form("1, 5: subsamples", of(CENC.subsamples(SampleProtector.TWO))),
        form("2: vectors of 16", of(CENC.ivs(IV16))),
        form("3: whole samples", of(CENC)),
        form("4: counter wraps", of(CENC.ivs("a1a2a3a4a5a6a7a8fffffffffffffffe"))),
        form("6: cbc1", of(CBC1)),
        form("6: cbc1, subsamples", of(CBC1.subsamples(SampleProtector.TWO))),
        form("7: cens 1:9", of(CENS.subsamples(SampleProtector.TWO))),
        form("7: cens 5:5", of(CENS.pattern(5, 5).subsamples(SampleProtector.TWO))),
        form("8: cbcs 1:9", of(CBCS.subsamples(SampleProtector.TWO))),
        form("8: cbcs, 8 bytes", of(CBCS.constantIv("a1a2a3a4a5a6a7a8"))),
        form("9: cbcs 5:5", of(CBCS.pattern(5, 5))),
        form("10: cbcs 10:0", of(CBCS.pattern(10, 0))),
        form("10: cbcs 0:0", of(CBCS.pattern(0, 0))),
        form("11: cbcs, a vector each", of(CBCS.ivs(IV16).subsamples(SampleProtector.TWO))),
        form("12: no records", of(CBCS).aux(Aux.NONE)),
        form("13: saio", of(CENC).aux(Aux.SAIO)),
        form("13: saio, subsamples", of(CENC.subsamples(SampleProtector.TWO)).aux(Aux.SAIO)),
        form("13: both", of(CENC.subsamples(SampleProtector.TWO)).aux(Aux.BOTH)),
        form("14: saio for each run", of(CENC).aux(Aux.SAIO).saio(0, true)),
        form("14: saio of 64 bits", of(CBC1).aux(Aux.SAIO).saio(1, true)),
        form("14: one saio of 64 bits", of(CENC).aux(Aux.SAIO).saio(1, false)),
        form("19: PIFF's senc", of(CENC.subsamples(SampleProtector.TWO)).aux(Aux.PIFF)),
        form("19: PIFF", of(CENC).piff()),
        form("22: no subsamples", of(CENC).alwaysCounting()),
        form("24: bare lead", of(CENC).lead(Lead.BARE, 1)),
        form("24: lead of another entry", of(CENC).lead(Lead.ENTRY, 1)),
        form("24: lead of a group", of(CENC).lead(Lead.GROUP, 2)),
        form(
            "26: rotation",
            of(CENC).rotating(CENC, CENC.key(KID_2, KEY_2), CENC.key(KID_3, KEY_3))),
        form(
            "29: rotation of patterns",
            of(CBCS).rotating(CBCS, CBCS.pattern(5, 5).key(KID_2, KEY_2))),
        form("32: two keys", of(CENC).track(2, CENC.ivs(IV16).key(KID_2, KEY_2))));
  }

  private static CencEncryptor of(SampleProtector protector) {
    return CencEncryptor.of(protector);
  }

  private static Arguments form(String name, CencEncryptor encryptor) {
    return Arguments.of(name, encryptor);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void decrypts(String name, CencEncryptor encryptor) throws IOException {
    ProtectedMovie movie = encryptor.encrypt(MOVIE.bytes());
    Decryption decryption =
        Decryption.everyWay(DecryptionOptions.of(KEYS), InitSegment.EMPTY, movie.file());
    byte[] clear = decryption.clear();
    assertThat(clear).hasSameSizeAs(movie.file());
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
    assertThat(new String(clear, ISO_8859_1))
        .doesNotContain("senc", "saiz", "saio", "pssh", "sinf", "seig", "encv", "enca");
    assertThat(decryption.tally().anomalies()).isZero();
    assertThat(decryption.mostHeld()).isLessThan(64 << 10);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void decrypts_whenTheInitIsKnown(String name, CencEncryptor encryptor) throws IOException {
    ProtectedMovie movie = encryptor.encrypt(MOVIE.bytes());
    byte[] clear = Decryption.whole(DecryptionOptions.of(KEYS), init(movie), movie.media()).clear();
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void moves_whenCompact(String name, CencEncryptor encryptor) throws IOException {
    ProtectedMovie movie = encryptor.encrypt(MOVIE.bytes());
    DecryptionOptions compact =
        new DecryptionOptions(KEYS, 0, false, true, false, false, Optional.empty());
    byte[] clear = Decryption.whole(compact, InitSegment.EMPTY, movie.file()).clear();
    assertThat(clear).hasSameSizeAs(movie.file());
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
  }

  private static List<String> digests(List<byte[]> payloads) {
    return payloads.stream().map(CencDecryptorTest::digest).toList();
  }

  private static String digest(byte[] payload) {
    return payload.length + " bytes, " + Arrays.hashCode(payload);
  }

  private static InitSegment init(ProtectedMovie movie) throws MediaFormatException {
    for (dev.millrace.mp4.Box box : dev.millrace.mp4.TopLevel.boxes(movie.init())) {
      if (dev.millrace.mp4.FourCc.text(box.type()).equals("moov")) {
        return dev.millrace.mp4.InitSegmentReader.read(box);
      }
    }
    throw new AssertionError("no moov");
  }

  /** Case 9. */
  @Test
  void leavesPartialRuns_ifAsked() throws IOException {
    ProtectedMovie movie = of(CBCS.pattern(5, 5).endingPartialRuns()).encrypt(MOVIE.bytes());
    DecryptionOptions options =
        new DecryptionOptions(KEYS, 0, false, false, false, true, Optional.empty());
    byte[] clear = Decryption.whole(options, InitSegment.EMPTY, movie.file()).clear();
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
  }

  /** Case 30. */
  @Test
  void fails_whenAKeyIsMissingLater() {
    ProtectedMovie movie = of(CENC).rotating(CENC, CENC.key(KID_3, KEY_3)).encrypt(MOVIE.bytes());
    KeyRing keys = Decryption.ring(CENC.kid(), CENC.key(), KID_2, KEY_2);
    Decryption decryption =
        Decryption.everyWay(DecryptionOptions.of(keys), InitSegment.EMPTY, movie.file());
    assertThat(decryption.failure()).hasMessageContaining("No key").hasMessageContaining(KID_3);
    assertThat(digests(ProtectedMovie.payloads(decryption.bytes())))
        .containsExactly(digest(movie.clearPayloads().get(0)));
  }

  /** Case 30, 49. */
  @Test
  void passesWhatHasNoKey_ifAsked() throws IOException {
    ProtectedMovie movie = of(CENC).rotating(CENC, CENC.key(KID_3, KEY_3)).encrypt(MOVIE.bytes());
    KeyRing keys = Decryption.ring(CENC.kid(), CENC.key(), KID_2, KEY_2);
    DecryptionOptions passing =
        new DecryptionOptions(keys, 0, false, false, true, false, Optional.empty());
    byte[] clear = Decryption.everyWay(passing, InitSegment.EMPTY, movie.file()).clear();
    List<byte[]> coded = ProtectedMovie.payloads(movie.file());
    assertThat(digests(ProtectedMovie.payloads(clear)))
        .containsExactly(
            digest(movie.clearPayloads().get(0)),
            digest(coded.get(1)),
            digest(movie.clearPayloads().get(2)));
  }

  /** Case 49: the only key there is, whatever its id. */
  @Test
  void usesTheOnlyKey() throws IOException {
    ProtectedMovie movie = of(CENC).encrypt(MOVIE.bytes());
    DecryptionOptions options = DecryptionOptions.of(Decryption.ring(KID_3, CENC.key()));
    byte[] clear = Decryption.whole(options, InitSegment.EMPTY, movie.file()).clear();
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
  }

  /** Case 40. */
  @ParameterizedTest
  @ValueSource(strings = {"cenc", "cbc1", "cens", "cbcs"})
  void reportsATruncatedStream(String scheme) {
    ProtectedMovie movie = of(SampleProtector.of(scheme)).encrypt(MOVIE.bytes());
    byte[] file = movie.file();
    DecryptionOptions options = DecryptionOptions.of(KEYS);
    byte[] whole = Decryption.whole(options, InitSegment.EMPTY, file).bytes();
    for (int length = 1; length < file.length; length += 7) {
      Decryption cut = Decryption.whole(options, InitSegment.EMPTY, Arrays.copyOf(file, length));
      byte[] before = Arrays.copyOf(whole, cut.bytes().length);
      assertThat(Arrays.equals(cut.bytes(), before)).as("cut at %d", length).isTrue();
      assertThat(cut.failure() == null).as("cut at %d", length).isEqualTo(isBoundary(file, length));
    }
  }

  private static boolean isBoundary(byte[] file, int length) {
    java.nio.ByteBuffer boxes = java.nio.ByteBuffer.wrap(file);
    int fragments = 0;
    for (int at = 0; at <= length; at += boxes.getInt(at)) {
      String type = at < file.length ? new String(file, at + 4, 4, ISO_8859_1) : "";
      boolean isJunk = fragments > 0 && length - at < 4;
      if (at == length || isJunk) {
        // an init alone is whole; a moof without its data is not
        return at > 100 && !previousIsMoof(file, at);
      }
      fragments += type.equals("mdat") ? 1 : 0;
    }
    return false;
  }

  private static boolean previousIsMoof(byte[] file, int end) {
    java.nio.ByteBuffer boxes = java.nio.ByteBuffer.wrap(file);
    String type = "";
    for (int at = 0; at < end; at += boxes.getInt(at)) {
      type = new String(file, at + 4, 4, ISO_8859_1);
    }
    return type.equals("moof");
  }

  /** Case 48. */
  @Test
  void blanksAnInitThatThePlayerHas() throws IOException {
    ProtectedMovie movie = of(CENC).encrypt(MOVIE.bytes());
    DecryptionOptions hidden =
        new DecryptionOptions(KEYS, 0, true, false, false, false, Optional.empty());
    byte[] clear = Decryption.everyWay(hidden, InitSegment.EMPTY, movie.file()).clear();
    assertThat(clear).hasSameSizeAs(movie.file());
    assertThat(new String(clear, 0, movie.init().length, ISO_8859_1))
        .contains("free")
        .doesNotContain("moov", "ftyp", "trak");
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
  }

  /** Case 48: what the stream says replaces what was known. */
  @Test
  void readsTheInitOfTheStream() throws IOException {
    ProtectedMovie movie = of(CENC).encrypt(MOVIE.bytes());
    ProtectedMovie other = of(CBCS).encrypt(MOVIE.bytes());
    byte[] clear = Decryption.whole(DecryptionOptions.of(KEYS), init(other), movie.file()).clear();
    assertThat(Arrays.copyOf(clear, movie.init().length))
        .isEqualTo(InitSegmentCleaner.clean(movie.init(), false));
    assertThat(digests(ProtectedMovie.payloads(clear))).isEqualTo(digests(movie.clearPayloads()));
  }

  @Test
  void passesProtectedMedia_withoutKeys() throws IOException {
    byte[] file = of(CENC).encrypt(MOVIE.bytes()).file();
    DecryptionOptions none = DecryptionOptions.of(KeyRing.EMPTY);
    assertThat(Decryption.everyWay(none, InitSegment.EMPTY, file).clear()).isEqualTo(file);
  }

  @Test
  void passesClearMedia_bitByBit() throws IOException {
    byte[] file = MOVIE.bytes();
    DecryptionOptions options = DecryptionOptions.of(KEYS);
    assertThat(Decryption.everyWay(options, InitSegment.EMPTY, file).clear()).isEqualTo(file);
  }

  @Test
  void refusesEncryptedFragments_whenNoMoovIsKnown() {
    byte[] media = of(CENC).encrypt(MOVIE.bytes()).media();
    DecryptionOptions options = DecryptionOptions.of(KEYS);
    assertThatThrownBy(() -> Decryption.whole(options, InitSegment.EMPTY, media).clear())
        .isInstanceOf(MediaFormatException.class)
        .hasMessageContaining("init_url");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"<!DOCTYPE html><html></html>", "{\"error\": \"no such film\"}", "GIF89a"})
  void refusesWhatIsNoMp4(String text) {
    DecryptionOptions options = DecryptionOptions.of(KEYS);
    byte[] page = text.getBytes(ISO_8859_1);
    assertThat(Decryption.whole(options, InitSegment.EMPTY, page).failure())
        .isInstanceOf(MediaFormatException.class);
    assertThat(Decryption.whole(options, InitSegment.EMPTY, page).bytes()).isEmpty();
    DecryptionOptions none = DecryptionOptions.of(KeyRing.EMPTY);
    assertThat(Decryption.whole(none, InitSegment.EMPTY, page).bytes()).isEqualTo(page);
  }

  @Test
  void neverShowsKeys() {
    assertThat(DecryptionOptions.of(KEYS).toString()).doesNotContain(CENC.key(), KEY_2, KEY_3);
  }
}
