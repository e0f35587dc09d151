package dev.millrace.cenc;

import static dev.millrace.cenc.HandMade.CENC;
import static dev.millrace.cenc.HandMade.OPTIONS;
import static dev.millrace.cenc.HandMade.coded;
import static dev.millrace.cenc.HandMade.decrypt;
import static dev.millrace.cenc.HandMade.init;
import static dev.millrace.cenc.HandMade.mdat;
import static dev.millrace.cenc.HandMade.moof;
import static dev.millrace.cenc.HandMade.samples;
import static dev.millrace.cenc.HandMade.senc;
import static dev.millrace.cenc.HandMade.tfhd;
import static dev.millrace.cenc.HandMade.trun;
import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cenc.DecryptionOptions.Shift;
import dev.millrace.mp4.InitSegment;
import dev.millrace.mp4.MovieFragment;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import dev.millrace.testing.Movies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands round fragments, and where: contract §5.2, cases 37 to 43 and 54. */
class StreamFormsTest {
  private static final int[] SIZES = {40, 33, 64};
  private static final byte[] CLEAR = samples(SIZES);
  private static final byte[] CODED = coded(CLEAR, SIZES);
  private static final byte[] MOOF = moof(SIZES, senc(0, 3));
  private static final byte[] FRAGMENT = file(MOOF, mdat(CODED));

  private static byte[] tail(Decryption decryption, int length) throws IOException {
    byte[] bytes = decryption.clear();
    return Arrays.copyOfRange(bytes, bytes.length - length, bytes.length);
  }

  /** Case 37. */
  @Test
  void keepsAllBoxesInTheirOrder() throws IOException {
    byte[] emsg = full("emsg", 0, 0).text("urn:x").zeros(20).bytes();
    byte[] prft = full("prft", 1, 0).zeros(24).bytes();
    byte[] styp = box("styp").text("msdh").u32(0).bytes();
    byte[] clear =
        decrypt(init(), file(styp, FRAGMENT, emsg, FRAGMENT, prft, FRAGMENT, FRAGMENT)).clear();
    byte[] one = decrypt(init(), FRAGMENT).clear();
    assertThat(clear).isEqualTo(file(styp, one, emsg, one, prft, one, one));
  }

  /** Case 37: moof moof mdat mdat, and a gap. */
  @Test
  void decryptsFragmentsAhead() throws IOException {
    int length = MOOF.length;
    byte[] first = moofAt(2 * length + 8);
    byte[] second = moofAt(length + 8 + CLEAR.length + 8 + 12);
    byte[] free = box("free").zeros(4).bytes();
    Decryption decryption = decrypt(init(), file(first, second, mdat(CODED), free, mdat(CODED)));
    assertThat(tail(decryption, CLEAR.length)).isEqualTo(CLEAR);
    assertThat(Arrays.copyOf(tail(decryption, 2 * CLEAR.length + 20), CLEAR.length))
        .isEqualTo(CLEAR);
  }

  private static byte[] moofAt(int offset) {
    return box("moof")
        .box(box("traf").box(tfhd(1)).box(trun(offset, SIZES)).box(senc(0, 3)))
        .bytes();
  }

  /** Case 37: moof mdat mdat, each with a run. */
  @Test
  void decryptsTwoMdatOfAFragment() throws IOException {
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(trun(length + 8, 40))
                            .box(trun(length + 8 + 40 + 8, 33, 64))
                            .box(senc(0, 3))));
    byte[] coded =
        file(mdat(Arrays.copyOf(CODED, 40)), mdat(Arrays.copyOfRange(CODED, 40, CODED.length)));
    Decryption decryption = decrypt(init(), file(moof, coded));
    assertThat(tail(decryption, 97)).isEqualTo(Arrays.copyOfRange(CLEAR, 40, CLEAR.length));
    assertThat(Arrays.copyOf(tail(decryption, 97 + 8 + 40), 40))
        .isEqualTo(Arrays.copyOf(CLEAR, 40));
  }

  /** Case 38. */
  @Test
  void readsAllFormsOfSizes() throws IOException {
    byte[] large = file(moofAt(MOOF.length + 16), box("mdat").large().put(CODED).bytes());
    assertThat(tail(decrypt(init(), large), CLEAR.length)).isEqualTo(CLEAR);
    byte[] endless = file(MOOF, box("mdat").endless().put(CODED).bytes());
    assertThat(tail(decrypt(init(), endless), CLEAR.length)).isEqualTo(CLEAR);
    byte[] apart = file(moofAt(MOOF.length + 20), box("free").zeros(4).bytes(), mdat(CODED));
    assertThat(tail(decrypt(init(), apart), CLEAR.length)).isEqualTo(CLEAR);
  }

  /**
   * A sample that goes on behind its mdat: what is there is clear, and the box behind untouched.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 40})
  void staysInTheMdat(int missing) throws IOException {
    byte[] cut = mdat(Arrays.copyOf(CODED, CODED.length - missing));
    byte[] next = box("free").put(samples(200)).bytes();
    byte[] clear = decrypt(init(), file(MOOF, cut, next)).clear();
    assertThat(Arrays.copyOfRange(clear, clear.length - 208, clear.length)).isEqualTo(next);
    int from = MOOF.length + 8;
    assertThat(Arrays.copyOfRange(clear, from, from + CLEAR.length - missing))
        .isEqualTo(Arrays.copyOf(CLEAR, CLEAR.length - missing));
  }

  /** Fragments whose data does not come. */
  @ParameterizedTest
  @CsvSource({"256, ends", "257, 256 fragments"})
  void limitsFragmentsAheadOfTheirData(int count, String told) {
    Object[] moofs = new Object[count];
    Arrays.fill(moofs, moofAt(1 << 30));
    assertThat(Decryption.whole(OPTIONS, init(), file(moofs)).failure()).hasMessageContaining(told);
  }

  @Test
  void asksForRoom_beforeItPlansAFragment() throws IOException {
    List<Long> asked = new ArrayList<>();
    byte[] moof = moof(length -> box("moof").box(box("traf").box(tfhd(1)).box(many(length + 8))));
    CencDecryptor decryptor = new CencDecryptor(OPTIONS, init(), AesCiphers.PLATFORM, asked::add);
    decryptor.accept(ByteBuffer.wrap(moof), output -> {});
    assertThat(asked.get(0)).isGreaterThan(MovieFragment.MAX_SAMPLES * 128L);
    CencDecryptor refused =
        new CencDecryptor(
            OPTIONS,
            init(),
            AesCiphers.PLATFORM,
            bytes -> {
              throw new IOException("no room");
            });
    assertThatThrownBy(() -> refused.accept(ByteBuffer.wrap(moof), output -> {}))
        .hasMessage("no room");
    assertThat(refused.heldBytes()).isLessThan(1 << 20);
  }

  private static BoxBuilder many(int offset) {
    return full("trun", 0, 1).u32(MovieFragment.MAX_SAMPLES).u32(offset);
  }

  /** Case 39, up to the limit. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100_000, CencDecryptor.MAX_LATE_BYTES - 137})
  void holdsDataAheadOfItsMoof(int more) throws IOException {
    byte[] data = mdat(file(CODED, new byte[more]));
    byte[] moof = moofAt(8 - data.length);
    byte[] stream = file(data, moof, data, moof);
    byte[] clear = Decryption.of(OPTIONS, init(), stream, at -> 60_000).clear();
    assertThat(Arrays.copyOfRange(clear, 8, 8 + CLEAR.length)).isEqualTo(CLEAR);
    int second = data.length + moof.length + 8;
    assertThat(Arrays.copyOfRange(clear, second, second + CLEAR.length)).isEqualTo(CLEAR);
    assertThat(clear).hasSameSizeAs(stream);
  }

  /** Case 39, one byte more. */
  @Test
  void refusesTooMuchDataAheadOfItsMoof() {
    byte[] data = mdat(file(CODED, new byte[CencDecryptor.MAX_LATE_BYTES - 136]));
    byte[] stream = file(data, moofAt(8 - data.length));
    assertThat(Decryption.of(OPTIONS, init(), stream, at -> 60_000).failure())
        .isInstanceOf(MediaFormatException.class);
  }

  @Test
  void refusesDataThatNoMoofDescribes() {
    assertThat(decrypt(init(), mdat(CODED)).failure()).hasMessageContaining("moof");
  }

  /** Case 41. */
  @ParameterizedTest
  @ValueSource(
      strings = {"000000", "0000000361626364", "000000000000000000", "00000002666f6f21aabb"})
  void passesJunkBehindTheLastFragment(String digits) throws IOException {
    byte[] junk = java.util.HexFormat.of().parseHex(digits);
    Decryption decryption = decrypt(init(), file(FRAGMENT, junk));
    assertThat(tail(decryption, junk.length)).isEqualTo(junk);
  }

  @Test
  void refusesJunkBeforeTheFirstFragment() {
    byte[] junk = {0, 0, 0, 3, 'a', 'b', 'c', 'd'};
    byte[] styp = box("styp").zeros(8).bytes();
    assertThat(decrypt(init(), file(styp, junk, FRAGMENT)).failure())
        .hasMessageContaining("shorter than its header");
  }

  /** Case 40: in the middle of the next header. */
  @ParameterizedTest
  @ValueSource(ints = {4, 7})
  void reportsACutHeader(int length) {
    byte[] cut = Arrays.copyOf(FRAGMENT, length);
    assertThat(decrypt(init(), file(FRAGMENT, cut)).failure()).hasMessageContaining("ends");
  }

  /** Case 42. */
  @ParameterizedTest
  @CsvSource({"moof,1099511627776", "moof,8388609", "moov,33554433"})
  void refusesHugeBoxes(String type, long size) {
    byte[] stream = file(box(type).large().claiming(size).zeros(100).bytes());
    Decryption decryption = Decryption.whole(OPTIONS, init(), stream);
    assertThat(decryption.failure()).hasMessageContaining(String.valueOf(size));
  }

  @ParameterizedTest
  @ValueSource(strings = {"moof", "moov"})
  void refusesBoxesWithoutAnEnd(String type) {
    byte[] stream = file(box(type).endless().zeros(100).bytes());
    assertThat(Decryption.whole(OPTIONS, init(), stream).failure()).hasMessageContaining("no end");
  }

  /** Case 42. */
  @ParameterizedTest
  @ValueSource(longs = {1 << 16, (1 << 16) + 1, 1L << 31, (1L << 32) - 1})
  void limitsSamples(long count) {
    BoxBuilder run = full("trun", 0, 1).u32(count).u32(1000);
    byte[] moof = box("moof").box(box("traf").box(tfhd(1)).box(run)).bytes();
    Decryption decryption = Decryption.whole(OPTIONS, init(), file(moof, mdat(CODED)));
    if (count == 1 << 16) {
      assertThat(decryption.failure()).isNull();
    } else {
      assertThat(decryption.failure()).hasMessageContaining("samples");
    }
  }

  /** Case 42. */
  @Test
  void refusesTablesLongerThanTheirBox() {
    byte[] trun =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(full("trun", 0, 0x201).u32(4).u32(length + 8).u32(40))));
    assertThat(decrypt(init(), file(trun, mdat(CODED))).failure()).isNotNull();
    byte[] senc = moof(SIZES, full("senc", 0, 0).u32(0xffff_ffffL).zeros(24));
    assertThat(decrypt(init(), file(senc, mdat(CODED))).failure()).hasMessageContaining("senc");
    byte[] child = box("moof").box(box("traf").claiming(1000).box(tfhd(1))).bytes();
    assertThat(decrypt(init(), file(child, mdat(CODED))).failure()).isNotNull();
  }

  /** Case 43: nothing that is not asked for changes. */
  @ParameterizedTest
  @CsvSource({"0,0", "0,1", "1,50"})
  void keepsIndexes(int version, int references) throws IOException {
    byte[] sidx = sidx(version, 77, references);
    byte[] clear = decrypt(init(), file(sidx, FRAGMENT)).clear();
    assertThat(Arrays.copyOf(clear, sidx.length)).isEqualTo(sidx);
  }

  private static byte[] sidx(int version, long time, int references) {
    BoxBuilder sidx = full("sidx", version, 0).u32(1).u32(90_000);
    if (version == 0) {
      sidx.u32(time).u32(0);
    } else {
      sidx.u64(time).u64(0);
    }
    return sidx.u16(0).u16(references).zeros(12 * references).bytes();
  }

  private static DecryptionOptions shifted(long units, long timescale, boolean hasKeys) {
    return new DecryptionOptions(
        hasKeys ? OPTIONS.keys() : KeyRing.EMPTY,
        0,
        false,
        false,
        false,
        false,
        Optional.of(new Shift(units, timescale)));
  }

  private static byte[] timed(int version, long time) {
    BoxBuilder tfdt = full("tfdt", version, 0);
    return file(
        moof(SIZES, version == 0 ? tfdt.u32(time) : tfdt.u64(time), senc(0, 3)), mdat(CODED));
  }

  private static long time(byte[] fragment, int version) {
    int at = new String(fragment, ISO_8859_1).indexOf("tfdt") + 8;
    ByteBuffer bytes = ByteBuffer.wrap(fragment);
    return version == 0 ? bytes.getInt(at) & 0xffff_ffffL : bytes.getLong(at);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1500, 3, 2, 3000",
    "1, 1500, 3, 2, 3000",
    "1, 1500, -1, 2, 1000",
    "0, 4294966295, 1, 1, 4294967295",
    "0, 400, -1, 2, 0",
    "1, 0, 17000000000000000, 10000000, 1700000000000"
  })
  void shiftsDecodeTimes(int version, long time, long units, long timescale, long expected)
      throws IOException {
    byte[] fragment = timed(version, time);
    byte[] clear = Decryption.everyWay(shifted(units, timescale, true), init(), fragment).clear();
    assertThat(time(clear, version)).isEqualTo(expected);
    assertThat(Arrays.copyOfRange(clear, clear.length - CLEAR.length, clear.length))
        .isEqualTo(CLEAR);
    byte[] moved = Decryption.everyWay(shifted(units, timescale, false), init(), fragment).clear();
    assertThat(time(moved, version)).isEqualTo(expected);
    assertThat(Arrays.copyOfRange(moved, moved.length - CLEAR.length, moved.length))
        .isEqualTo(CODED);
  }

  @Test
  void refusesTimesThatDoNotFit() {
    byte[] fragment = timed(0, 4294966296L);
    assertThat(Decryption.whole(shifted(1, 1, true), init(), fragment).failure())
        .hasMessageContaining("shift");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shiftsIndexes(int version) throws IOException {
    byte[] stream = file(sidx(version, 90_000, 50), FRAGMENT);
    byte[] clear = Decryption.everyWay(shifted(1, 2, true), init(), stream).clear();
    byte[] expected = file(sidx(version, 135_000, 50));
    assertThat(Arrays.copyOf(clear, expected.length)).isEqualTo(expected);
  }

  /** Case 54: more than 2 GiB in one mdat, in constant memory. */
  @Test
  void decryptsEndlessFragments_inConstantMemory() throws IOException {
    long size = (2L << 30) + 5;
    BoxBuilder run = full("trun", 0, 0x201).u32(1);
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(full("trun", 0, 0x201).u32(1).u32(length + 16).u32(size))
                            .box(senc(0, 1))));
    byte[] head = box("mdat").large().claiming(16 + size).bytes();
    assertThat(run.length()).isPositive();
    CencDecryptor decryptor = new CencDecryptor(OPTIONS, init());
    long[] out = new long[1];
    byte[] piece = new byte[64 << 10];
    decryptor.accept(ByteBuffer.wrap(file(moof, head)), bytes -> out[0] += bytes.remaining());
    for (long left = size; left > 0; left -= Math.min(left, piece.length)) {
      ByteBuffer part = ByteBuffer.wrap(piece, 0, (int) Math.min(left, piece.length));
      decryptor.accept(part, bytes -> out[0] += bytes.remaining());
    }
    decryptor.finish(bytes -> out[0] += bytes.remaining());
    assertThat(out[0]).isEqualTo(moof.length + 16 + size);
    assertThat(decryptor.tally().ranges()).isEqualTo(1);
  }

  @Test
  void takesReadOnlyAndDirectMemory() throws IOException {
    byte[] expected = decrypt(init(), FRAGMENT).clear();
    ByteBuffer direct = ByteBuffer.allocateDirect(FRAGMENT.length).put(FRAGMENT).flip();
    for (ByteBuffer input :
        new ByteBuffer[] {direct, ByteBuffer.wrap(FRAGMENT).asReadOnlyBuffer()}) {
      ByteBuffer out = ByteBuffer.allocate(FRAGMENT.length);
      CencDecryptor decryptor = new CencDecryptor(OPTIONS, init());
      decryptor.accept(input, out::put);
      decryptor.finish(out::put);
      assertThat(out.array()).isEqualTo(expected);
    }
  }

  @Test
  void needsNoTrack_forWhatIsClear() throws IOException {
    byte[] clear = file(moof(SIZES), mdat(CLEAR));
    assertThat(Decryption.everyWay(OPTIONS, InitSegment.EMPTY, clear).clear()).isEqualTo(clear);
  }

  @Test
  void namesTheKeyThatIsMissing() {
    DecryptionOptions others =
        DecryptionOptions.of(
            Decryption.ring(
                "20212223242526272829303132333435",
                CENC.key(),
                "30212223242526272829303132333435",
                "31222324252627282930313233343536"));
    Decryption decryption = Decryption.everyWay(others, init(), FRAGMENT);
    assertThat(decryption.failure()).hasMessageContaining(CENC.kid());
    assertThat(((MediaFormatException) decryption.failure()).status()).isEqualTo(400);
    assertThat(decryption.bytes()).isEmpty();
  }

  private static byte[] movieLast(BoxBuilder entry) {
    byte[] ftyp = box("ftyp").text("isom").u32(0).bytes();
    byte[] moov = Movies.movie(Movies.track(1, Movies.descriptions(entry))).bytes();
    return file(ftyp, mdat(CODED), moov);
  }

  @Test
  void passesNoEncryptedData_ofAMovieThatComesLater() {
    byte[] film = movieLast(Movies.video("encv", Movies.protection("avc1", "cenc")));
    assertThat(decrypt(InitSegment.EMPTY, film).failure()).hasMessageContaining("moof");
  }

  @Test
  void passesClearData_ofAMovieThatComesLater() throws IOException {
    byte[] film = movieLast(Movies.video("avc1"));
    assertThat(decrypt(InitSegment.EMPTY, film).clear()).isEqualTo(film);
  }
}
