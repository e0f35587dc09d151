package dev.millrace.cenc;

import static dev.millrace.cenc.HandMade.CENC;
import static dev.millrace.cenc.HandMade.OPTIONS;
import static dev.millrace.cenc.HandMade.coded;
import static dev.millrace.cenc.HandMade.decrypt;
import static dev.millrace.cenc.HandMade.init;
import static dev.millrace.cenc.HandMade.mdat;
import static dev.millrace.cenc.HandMade.moof;
import static dev.millrace.cenc.HandMade.protection;
import static dev.millrace.cenc.HandMade.records;
import static dev.millrace.cenc.HandMade.samples;
import static dev.millrace.cenc.HandMade.senc;
import static dev.millrace.cenc.HandMade.tfhd;
import static dev.millrace.cenc.HandMade.trun;
import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static dev.millrace.testing.BoxBuilder.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mp4.SampleGroups;
import dev.millrace.mp4.SampleProtection;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fragments made by hand, each odd in one way: contract §5.2, cases 15 to 43. */
class FragmentFormsTest {
  private static final int[] SIZES = {40, 33, 64};
  private static final byte[] CLEAR = samples(SIZES);
  private static final byte[] CODED = coded(CLEAR, SIZES);
  private static final String PIFF = "a2394f52-5a9b-4f14-a244-6c427c648df4";

  private static byte[] tail(Decryption decryption, int length) throws IOException {
    byte[] bytes = decryption.clear();
    return Arrays.copyOfRange(bytes, bytes.length - length, bytes.length);
  }

  private static void assertClear(Decryption decryption) throws IOException {
    assertThat(tail(decryption, CLEAR.length)).isEqualTo(CLEAR);
  }

  private static BoxBuilder saiz(int count) {
    return full("saiz", 0, 0).u8(8).u32(count);
  }

  private static BoxBuilder saio(long offset) {
    return full("saio", 0, 0).u32(1).u32(offset);
  }

  @Test
  void decryptsThePlainForm() throws IOException {
    assertClear(decrypt(init(), file(moof(SIZES, senc(0, 3)), mdat(CODED))));
  }

  /** Case 15. */
  @Test
  void readsRecordsAheadOfTheSamples() throws IOException {
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(trun(length + 8 + 24, SIZES))
                            .box(saiz(3))
                            .box(saio(length + 8))));
    Decryption decryption = decrypt(init(), file(moof, mdat(file(records(0, 3), CODED))));
    assertClear(decryption);
    assertThat(Arrays.copyOf(tail(decryption, CLEAR.length + 24), 24)).containsOnly(0);
    assertThat(decryption.mostHeld()).isLessThan(moof.length + 32);
  }

  /** Case 16. */
  @Test
  void readsRecordsBehindTheSamples() throws IOException {
    byte[] stream = late(CencDecryptor.MAX_LATE_BYTES - 24 - CLEAR.length);
    byte[] clear = Decryption.of(OPTIONS, init(), stream, at -> 65_536).clear();
    int start = stream.length - CencDecryptor.MAX_LATE_BYTES;
    assertThat(Arrays.copyOfRange(clear, start, start + CLEAR.length)).isEqualTo(CLEAR);
    assertThat(clear).hasSameSizeAs(stream);
  }

  /** Case 16, one byte more than is held. */
  @Test
  void refusesRecordsTooFarBehind() {
    byte[] stream = late(CencDecryptor.MAX_LATE_BYTES - 24 - CLEAR.length + 1);
    assertThat(Decryption.of(OPTIONS, init(), stream, at -> 65_536).failure())
        .isInstanceOf(MediaFormatException.class)
        .hasMessageContaining(String.valueOf(CencDecryptor.MAX_LATE_BYTES));
  }

  private static byte[] late(int between) {
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(trun(length + 8, SIZES))
                            .box(saiz(3))
                            .box(saio(length + 8 + CLEAR.length + between))));
    return file(moof, mdat(file(CODED, new byte[between], records(0, 3))));
  }

  /** Case 17, K05. */
  @Test
  void believesSenc_whenSaioPointsElsewhere() throws IOException {
    Decryption decryption =
        decrypt(init(), file(moof(SIZES, saiz(3), saio(100), senc(0, 3)), mdat(CODED)));
    assertClear(decryption);
    assertThat(decryption.tally().anomalies()).isEqualTo(1);
  }

  /** Case 18. */
  @Test
  void believesSaio_whenSencIsOfOtherSamples() throws IOException {
    byte[] records = box("free").put(records(0, 3)).bytes();
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(trun(length + 8, SIZES))
                            .box(senc(0, 2))
                            .box(saiz(3))
                            .box(saio(length - 24))
                            .put(records)));
    assertClear(decrypt(init(), file(moof, mdat(CODED))));
  }

  /** Case 19: override with another size and key id. */
  @Test
  void readsPiffOverrides() throws IOException {
    SampleProtection other = new SampleProtection(true, 0, 0, 16, new byte[16], new byte[0]);
    BoxBuilder override = uuid(PIFF).u32(1).u24(1).u8(8).hex(CENC.kid()).u32(3).put(records(0, 3));
    assertClear(
        decrypt(init(other, 0, SampleGroups.NONE), file(moof(SIZES, override), mdat(CODED))));
  }

  @Test
  void readsPiffOverrides_thatSayClear() throws IOException {
    BoxBuilder override = uuid(PIFF).u32(1).u24(0).u8(0).zeros(16).u32(3);
    assertClear(decrypt(init(), file(moof(SIZES, override), mdat(CLEAR))));
  }

  /** Case 20. */
  @Test
  void blanksBoth_whenThereAreTwoSenc() throws IOException {
    BoxBuilder piff = uuid(PIFF).u32(0).u32(3).put(records(0, 3));
    Decryption decryption = decrypt(init(), file(moof(SIZES, senc(0, 3), piff), mdat(CODED)));
    assertClear(decryption);
    assertThat(new String(decryption.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("senc", "uuid");
  }

  /** Case 21. */
  @Test
  void readsBoxesInAnyOrder() throws IOException {
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(box("traf").box(senc(0, 3)).box(trun(length + 8, SIZES)).box(tfhd(1))));
    assertClear(decrypt(init(), file(moof, mdat(CODED))));
  }

  /** Case 23. */
  @Test
  void leavesTheRestClear_whenSubsamplesAreShort() throws IOException {
    byte[] coded = CLEAR.clone();
    CENC.protect(coded, 4, 16, 0);
    BoxBuilder senc = full("senc", 0, 2).u32(1).put(CENC.iv(0)).u16(1).u16(4).u32(16);
    Decryption decryption =
        decrypt(init(), file(moof(new int[] {CLEAR.length}, senc), mdat(coded)));
    assertClear(decryption);
    assertThat(decryption.tally().anomalies()).isEqualTo(1);
  }

  /** Case 23. */
  @Test
  void refusesSubsamples_longerThanTheirSample() {
    BoxBuilder senc = full("senc", 0, 2).u32(1).put(CENC.iv(0)).u16(1).u16(4).u32(CLEAR.length);
    Decryption decryption =
        decrypt(init(), file(moof(new int[] {CLEAR.length}, senc), mdat(CODED)));
    assertThat(decryption.failure()).hasMessageContaining("longer than it is");
    assertThat(decryption.bytes()).isEmpty();
  }

  private static BoxBuilder sgpd(int version, boolean isProtected) {
    BoxBuilder sgpd = full("sgpd", version, 0).text("seig");
    if (version >= 1) {
      sgpd.u32(20);
    }
    if (version >= 2) {
      sgpd.u32(1);
    }
    return sgpd.u32(1).u16(0).u8(isProtected ? 1 : 0).u8(isProtected ? 8 : 0).hex(CENC.kid());
  }

  private static BoxBuilder sbgp(long... countsAndIndexes) {
    BoxBuilder sbgp = full("sbgp", 0, 0).text("seig").u32(countsAndIndexes.length / 2);
    Arrays.stream(countsAndIndexes).forEach(sbgp::u32);
    return sbgp;
  }

  /** Case 25: the track is clear, a group is not. */
  @Test
  void decryptsOnlyTheGroup() throws IOException {
    SampleProtection clear = new SampleProtection(false, 0, 0, 0, new byte[16], new byte[0]);
    byte[] coded = CLEAR.clone();
    CENC.protect(coded, 40, 33, 1);
    byte[] moof =
        moof(
            SIZES,
            sgpd(1, true),
            sbgp(1, 0, 1, 0x10001, 1, 0),
            full("senc", 0, 0).u32(3).put(records(1, 1)));
    assertClear(decrypt(init(clear, 0, SampleGroups.NONE), file(moof, mdat(coded))));
  }

  /** Case 27: version 0, old counting from 1, a default group. */
  @Test
  void readsAllFormsOfGroups() throws IOException {
    SampleProtection other = new SampleProtection(true, 0, 0, 16, new byte[16], new byte[0]);
    var init = init(other, 0, SampleGroups.NONE);
    assertClear(
        decrypt(init, file(moof(SIZES, sgpd(0, true), sbgp(3, 1), senc(0, 3)), mdat(CODED))));
    assertClear(
        decrypt(init, file(moof(SIZES, sgpd(1, true), sbgp(3, 0x10001), senc(0, 3)), mdat(CODED))));
    assertClear(decrypt(init, file(moof(SIZES, sgpd(2, true), senc(0, 3)), mdat(CODED))));
  }

  /** Case 27: a group of the sample table. */
  @Test
  void readsGroupsOfTheTrack() throws IOException {
    SampleProtection other = new SampleProtection(true, 0, 0, 16, new byte[16], new byte[0]);
    SampleGroups groups = new SampleGroups(List.of(protection(CENC)), 0, new long[0], new int[0]);
    assertClear(
        decrypt(init(other, 0, groups), file(moof(SIZES, sbgp(3, 1), senc(0, 3)), mdat(CODED))));
  }

  /** Case 28: two keys in one traf. */
  @Test
  void readsTwoKeysOfATrackFragment() throws IOException {
    var other = CENC.key("20212223242526272829303132333435", "21222324252627282930313233343536");
    byte[] coded = CODED.clone();
    System.arraycopy(CLEAR, 73, coded, 73, 64);
    other.protect(coded, 73, 64, 2);
    BoxBuilder sgpd =
        full("sgpd", 1, 0).text("seig").u32(20).u32(1).u16(0).u8(1).u8(8).hex(other.kid());
    byte[] moof = moof(SIZES, sgpd, sbgp(2, 0, 1, 0x10001), senc(0, 3));
    DecryptionOptions options =
        DecryptionOptions.of(Decryption.ring(CENC.kid(), CENC.key(), other.kid(), other.key()));
    assertClear(Decryption.everyWay(options, init(), file(moof, mdat(coded))));
  }

  @Test
  void refusesGroupsThatAreNotDescribed() {
    byte[] moof = moof(SIZES, sgpd(1, true), sbgp(3, 0x10002), senc(0, 3));
    assertThat(decrypt(init(), file(moof, mdat(CODED))).failure()).hasMessageContaining("group");
  }

  /** Case 31. */
  @Test
  void refusesSeveralKeysInASample() {
    byte[] moof = moof(SIZES, full("senc", 1, 0).u32(3).put(records(0, 3)));
    assertThat(decrypt(init(), file(moof, mdat(CODED))).failure())
        .hasMessageContaining("several keys");
  }

  /** Case 33. */
  @Test
  void followsRunsWithoutOffset() throws IOException {
    BoxBuilder second = full("trun", 0, 0x200).u32(1).u32(33);
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(trun(length + 8, 40))
                            .box(second)
                            .box(trun(length + 8 + 73, 64))
                            .box(senc(0, 3))));
    assertClear(decrypt(init(), file(moof, mdat(CODED))));
  }

  /** Case 34: sizes of the track, then of the traf; the next traf has those of the track again. */
  @Test
  void takesSizesFromWhereTheyAre() throws IOException {
    byte[] clear = samples(32, 32, 48);
    byte[] coded = coded(clear, 32, 32, 48);
    CENC.protect(coded, 64, 48, 2);
    CENC.protect(coded, 64, 48, 0);
    BoxBuilder sized = full("tfhd", 0, 0x20010).u32(1).u32(32);
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(sized)
                            .box(full("trun", 0, 1).u32(2).u32(length + 8))
                            .box(senc(0, 2)))
                    .box(
                        box("traf")
                            .box(tfhd(2))
                            .box(full("trun", 0, 1).u32(1).u32(length + 8 + 64))
                            .box(senc(0, 1))));
    Decryption decryption =
        decrypt(init(protection(CENC), 48, SampleGroups.NONE), file(moof, mdat(coded)));
    assertThat(tail(decryption, clear.length)).isEqualTo(clear);
  }

  /** Case 35: the stream is a part of a file. */
  @Test
  void countsFromTheBeginningOfTheFile() throws IOException {
    long start = 5_000_000_000L;
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(full("tfhd", 0, 1).u32(1).u64(start + length))
                            .box(trun(8, SIZES))
                            .box(senc(0, 3))));
    DecryptionOptions options =
        new DecryptionOptions(OPTIONS.keys(), start, false, false, false, false, Optional.empty());
    assertClear(Decryption.everyWay(options, init(), file(moof, mdat(CODED))));
  }

  /** Case 35: without a flag the second traf begins where the data of the first end. */
  @Test
  void countsFromTheEndOfTheTrafBefore() throws IOException {
    byte[] coded = CODED.clone();
    CENC.protect(coded, 73, 64, 2);
    CENC.protect(coded, 73, 64, 0);
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(full("tfhd", 0, 0).u32(1))
                            .box(trun(length + 8, 40, 33))
                            .box(senc(0, 2)))
                    .box(
                        box("traf")
                            .box(full("tfhd", 0, 0).u32(2))
                            .box(trun(0, 64))
                            .box(senc(0, 1))));
    assertClear(decrypt(init(), file(moof, mdat(coded))));
  }

  /** Case 36. */
  @Test
  void leavesGapsAlone() throws IOException {
    byte[] gap = samples(100);
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(box("traf").box(tfhd(1)).box(trun(length + 108, SIZES)).box(senc(0, 3))));
    Decryption decryption = decrypt(init(), file(moof, mdat(file(gap, CODED))));
    assertClear(decryption);
    assertThat(Arrays.copyOf(tail(decryption, 100 + CLEAR.length), 100)).isEqualTo(gap);
  }

  @Test
  void refusesSamplesThatOverlap() {
    byte[] moof =
        moof(
            length ->
                box("moof")
                    .box(
                        box("traf")
                            .box(tfhd(1))
                            .box(trun(length + 8, 40))
                            .box(trun(length + 47, 33))
                            .box(senc(0, 2))));
    assertThat(decrypt(init(), file(moof, mdat(CODED))).failure()).hasMessageContaining("overlap");
  }

  @Test
  void refusesUnknownSchemes() {
    var known = init().tracks().get(0);
    var entry = known.entries().get(0);
    var odd =
        new dev.millrace.mp4.SampleEntry(
            entry.type(),
            entry.format(),
            Optional.of(
                new dev.millrace.mp4.TrackEncryption(
                    dev.millrace.mp4.FourCc.of("adkm"), protection(CENC))),
            entry.box());
    var init =
        new dev.millrace.mp4.InitSegment(
            List.of(
                new dev.millrace.mp4.Track(
                    1, known.handler(), 1000, List.of(odd), known.defaults(), known.groups())));
    assertThat(decrypt(init, file(moof(SIZES), mdat(CODED))).failure())
        .hasMessageContaining("adkm");
  }
}
