package dev.millrace.mp4;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.full;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case 27 of the contract, and its limits. */
final class SampleGroupReaderTest {
  private static final String A = "aa".repeat(16);
  private static final String B = "bb".repeat(16);

  private static SampleGroups read(BoxBuilder... boxes) throws MediaFormatException {
    BoxBuilder table = box("stbl");
    for (BoxBuilder child : boxes) {
      table.box(child);
    }
    byte[] bytes = table.bytes();
    return SampleGroupReader.read(Box.at(bytes, 0, bytes.length).children());
  }

  private static BoxBuilder sgpd(int version) {
    return full("sgpd", version, 0).text("seig");
  }

  /** An entry with an IV of 8 bytes for each sample. */
  private static BoxBuilder entry(BoxBuilder sgpd, String kid) {
    return sgpd.u8(0).u8(0x19).u8(1).u8(8).hex(kid);
  }

  private static SampleProtection group(String kid) {
    byte[] bytes = HexFormat.of().parseHex(kid);
    return new SampleProtection(true, 1, 9, 8, bytes, new byte[0]);
  }

  @Test
  void readsVersion0_whoseEntriesHaveNoLength() throws Exception {
    BoxBuilder sgpd = sgpd(0).u32(2).u8(0).u8(0).u8(1).u8(0).hex(A).u8(8).hex("0102030405060708");

    SampleGroups groups = read(entry(sgpd, B));

    assertThat(groups.descriptions()).hasSize(2).element(1).isEqualTo(group(B));
    assertThat(groups.descriptions().get(0).constantIv()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void readsVersion1_withOneLength() throws Exception {
    assertThat(read(entry(entry(sgpd(1).u32(20).u32(2), A), B)).descriptions())
        .containsExactly(group(A), group(B));
  }

  @Test
  void readsVersion1_withALengthOfEach() throws Exception {
    BoxBuilder sgpd = entry(sgpd(1).u32(0).u32(2).u32(20), A).u32(23);

    assertThat(read(entry(sgpd, B).zeros(3)).descriptions()).containsExactly(group(A), group(B));
  }

  @Test
  void readsVersion2_inBothForms() throws Exception {
    SampleGroups withLength = read(entry(entry(sgpd(2).u32(20).u32(2).u32(2), A), B));
    SampleGroups without = read(entry(entry(sgpd(2).u32(2).u32(2), A), B));

    assertThat(withLength.descriptions()).containsExactly(group(A), group(B));
    assertThat(withLength.defaultIndex()).isEqualTo(2);
    assertThat(without).isEqualTo(withLength);
  }

  @Test
  void readsRuns() throws Exception {
    BoxBuilder plain = full("sbgp", 0, 0).text("seig").u32(2).u32(3).u32(1).u32(5).u32(0x10002);
    BoxBuilder withParameter = full("sbgp", 1, 0).text("seig").u32(9).u32(1).u32(4).u32(1);

    assertThat(read(plain).runCounts()).containsExactly(3, 5);
    assertThat(read(plain).runIndexes()).containsExactly(1, 0x10002);
    assertThat(read(withParameter).runCounts()).containsExactly(4);
  }

  @Test
  void takesOfSeveralAssignments_theFirstThatGivesAGroup() throws Exception {
    BoxBuilder first =
        full("sbgp", 0, 0).text("seig").u32(3).u32(2).u32(0).u32(0).u32(9).u32(3).u32(1);
    BoxBuilder second = full("sbgp", 0, 0).text("seig").u32(2).u32(4).u32(2).u32(6).u32(3);

    SampleGroups groups = read(first, second);

    assertThat(groups.runCounts()).containsExactly(2, 2, 1, 5);
    assertThat(groups.runIndexes()).containsExactly(2, 1, 1, 3);
  }

  @Test
  void passesOverOtherGroupings() throws Exception {
    assertThat(read(full("sgpd", 1, 0).text("roll").u32(2).u32(1).u16(-1), box("sgpd")))
        .isEqualTo(SampleGroups.NONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 65_536, 0x8000_0000L, 0xffff_ffffL})
  void refusesCountsThatAreLies(long count) {
    BoxBuilder groups = entry(sgpd(1).u32(20).u32(count), A);
    BoxBuilder runs = full("sbgp", 0, 0).text("seig").u32(count).u32(1).u32(1);

    assertThatThrownBy(() -> read(groups)).isInstanceOf(MediaFormatException.class);
    assertThatThrownBy(() -> read(runs)).isInstanceOf(MediaFormatException.class);
  }

  @Test
  void readsAsManyGroupsAsAnIndexCanName_andNoMore() throws Exception {
    byte[] most = new byte[20 * SampleGroupReader.MAX_DESCRIPTIONS];
    BoxBuilder tooMany = sgpd(1).u32(20).u32(65_536).put(most).zeros(20);

    assertThat(read(sgpd(1).u32(20).u32(65_535).put(most)).descriptions()).hasSize(65_535);
    assertThatThrownBy(() -> read(tooMany)).hasMessageContaining("more groups");
  }

  @Test
  void refusesWhatIsNotReadHere() {
    BoxBuilder severalKeys = sgpd(1).u32(20).u32(1).u8(0x80).u8(0).u8(1).u8(8).hex(A);
    BoxBuilder oddIv = sgpd(1).u32(20).u32(1).u8(0).u8(0).u8(1).u8(7).hex(A);
    BoxBuilder noConstantIv = sgpd(1).u32(20).u32(1).u8(0).u8(0).u8(1).u8(0).hex(A);
    BoxBuilder compact = full("csgp", 0, 0).text("seig").u32(0);

    assertThatThrownBy(() -> read(severalKeys)).hasMessageContaining("several keys");
    assertThatThrownBy(() -> read(oddIv)).hasMessageContaining("not 0, 8 or 16");
    assertThatThrownBy(() -> read(noConstantIv)).hasMessageContaining("not 8 or 16");
    assertThatThrownBy(() -> read(compact)).hasMessageContaining("csgp");
    assertThatThrownBy(() -> read(entry(sgpd(1).u32(21).u32(1), A))).hasMessageContaining("longer");
  }

  @Test
  void readsGroupsOfClearSamples() throws Exception {
    SampleGroups groups = read(sgpd(1).u32(20).u32(1).u8(0).u8(0).u8(0).u8(0).hex(A));

    assertThat(groups.descriptions())
        .extracting(SampleProtection::isProtected)
        .isEqualTo(List.of(false));
  }
}
