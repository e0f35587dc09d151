package dev.millrace.mp4;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentIndexReaderTest {
  private static final long INDEX = 0x8000_0000L;

  /** A reference to each size; one with the highest bit leads to an index. */
  private static BoxBuilder sidx(int version, long firstOffset, Long... sizes) {
    BoxBuilder sidx = full("sidx", version, 0).u32(1).u32(1000);
    if (version == 0) {
      sidx.u32(500).u32(firstOffset);
    } else {
      sidx.u64(500).u64(firstOffset);
    }
    sidx.u16(0).u16(sizes.length);
    Arrays.stream(sizes).forEach(size -> sidx.u32(size).u32(40).u32(0x9000_0000L));
    return sidx;
  }

  private static Long[] times(int count, long size) {
    return Collections.nCopies(count, size).toArray(Long[]::new);
  }

  /** Gives what is wanted out of a file, until nothing is. */
  private static List<MediaReference> read(byte[] file, int firstRead) throws MediaFormatException {
    SegmentIndexReader reader = new SegmentIndexReader(0, firstRead - 1);
    while (reader.wanted().isPresent()) {
      ByteSpan span = reader.wanted().get();
      int from = (int) Math.min(file.length, span.first());
      int to = (int) Math.min(file.length, span.last() + 1);
      reader.accept(span.first(), Arrays.copyOfRange(file, from, to));
    }
    return reader.references();
  }

  @ParameterizedTest
  @CsvSource({"0,0", "0,1", "0,50", "1,0", "1,1", "1,50", "0,65535", "1,65535"})
  void readsReferences(int version, int count) throws Exception {
    byte[] file = file(sidx(version, 7, times(count, 100L)));

    List<MediaReference> found = read(file, 65_536);

    assertThat(found).hasSize(count);
    for (int i = 0; i < count; i++) {
      long first = file.length + 7 + 100L * i;
      assertThat(found.get(i))
          .isEqualTo(new MediaReference(first, first + 99, 500 + 40L * i, 40, 1000));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 20, 100, 65_536})
  void passesOverBoxesInFront(int firstRead) throws Exception {
    byte[] file =
        file(box("ftyp").text("iso6"), box("moov").zeros(70_000).large(), sidx(0, 0, 5L, 6L));

    assertThat(read(file, firstRead))
        .extracting(MediaReference::firstByte, MediaReference::lastByte)
        .containsExactly(
            tuple((long) file.length, file.length + 4L),
            tuple(file.length + 5L, file.length + 10L));
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 100, 65_536})
  void followsIndexesOfIndexes_inTheOrderOfTime(int firstRead) throws Exception {
    BoxBuilder inner = sidx(1, 0, 10L, 20L);
    long innerLength = inner.length() + 30L;
    byte[] outer = sidx(0, 0, INDEX | innerLength, 5L, INDEX | innerLength).bytes();
    byte[] media = new byte[30];
    byte[] file = file(outer, inner, media, new byte[5], inner, media);

    long a = (long) outer.length + inner.length();
    assertThat(read(file, firstRead))
        .extracting(MediaReference::firstByte)
        .containsExactly(a, a + 10, a + 30, a + 35 + inner.length(), a + 45 + inner.length());
  }

  @Test
  void readsFourLevels_andRefusesTheFifth() throws Exception {
    BoxBuilder index = sidx(0, 0, 10L);
    byte[] levels = index.bytes();
    for (int level = 2; level <= SegmentIndexReader.MAX_DEPTH; level++) {
      levels = file(sidx(0, 0, INDEX | levels.length), levels);
    }
    byte[] four = levels;
    byte[] five = file(sidx(0, 0, INDEX | levels.length), levels);

    assertThat(read(four, 65_536)).hasSize(1);
    assertThatThrownBy(() -> read(five, 65_536))
        .isInstanceOf(MediaFormatException.class)
        .hasMessageContaining("deeper than 4");
  }

  @Test
  void refusesMoreReferencesThanItsLimit() throws Exception {
    BoxBuilder half = sidx(0, 0, times(32_768 - 1, 0L));
    long length = half.length();
    byte[] most = file(sidx(0, 0, INDEX | length, INDEX | length), half, half);
    byte[] tooMany = file(sidx(0, 0, INDEX | length, INDEX | length, 1L), half, half);

    assertThat(read(most, 65_536)).isEmpty(); // references to nothing
    assertThatThrownBy(() -> read(tooMany, 65_536)).hasMessageContaining("65,536");
  }

  @Test
  void refusesEndlessReading() {
    byte[] boxes = new byte[0];
    for (int i = 0; i <= SegmentIndexReader.MAX_READS; i++) {
      boxes = file(boxes, box("free").zeros(17_000));
    }
    byte[] file = boxes;

    assertThatThrownBy(() -> read(file, 16)).hasMessageContaining("more reads than 256");
  }

  @Test
  void refusesWhatIsNoIndex() {
    byte[] html = "<!DOCTYPE html><html></html>".getBytes(UTF_8);

    assertThatThrownBy(() -> read(file(box("moof"), sidx(0, 0)), 99))
        .hasMessageContaining("before");
    assertThatThrownBy(() -> read(file(box("ftyp").endless()), 99)).hasMessageContaining("before");
    assertThatThrownBy(() -> read(html, 99)).isInstanceOf(MediaFormatException.class);
    assertThatThrownBy(() -> read(new byte[0], 99)).hasMessageContaining("ends before");
    assertThatThrownBy(() -> read(file(box("ftyp")), 99)).hasMessageContaining("ends before");
    assertThatThrownBy(() -> read(file(sidx(0, 0, INDEX | 8), box("moof")), 99))
        .hasMessageContaining("leads to what is none");
  }

  @Test
  void refusesWhatContradictsItself() {
    byte[] file = sidx(0, 0, 5L, 6L).bytes();
    byte[] cut = Arrays.copyOf(file, file.length - 1);
    byte[] counts = sidx(0, 0, 5L, 6L).bytes();
    counts[31] = 3; // references

    assertThatThrownBy(() -> read(cut, 99)).hasMessageContaining("ends before");
    assertThatThrownBy(() -> read(counts, 99)).hasMessageContaining("ends before what");
    assertThatThrownBy(() -> read(sidx(1, -1).bytes(), 99)).hasMessageContaining("no time scale");
    assertThatThrownBy(() -> read(sidx(1, Long.MAX_VALUE, 9L).bytes(), 99))
        .hasMessageContaining("2^63");
    assertThatThrownBy(() -> read(sidx(0, 0).claiming(2 << 20).bytes(), 99))
        .hasMessageContaining("leads to what is none");
  }
}
