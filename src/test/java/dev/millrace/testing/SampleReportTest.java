package dev.millrace.testing;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static dev.millrace.testing.Movies.descriptions;
import static dev.millrace.testing.Movies.movie;
import static dev.millrace.testing.Movies.track;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testing.SampleReport.Sample;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SampleReportTest {
  private static final int MOOF_BYTES = 120;
  private static final BoxBuilder INIT =
      movie(
          track(1, descriptions()),
          track(2, descriptions()),
          box("mvex").box(full("trex", 0, 0).u32(2).u32(1).u32(0).u32(3).u32(0)));

  private static List<Sample> samples(String... texts) throws Exception {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    return Arrays.stream(texts)
        .map(text -> text.getBytes(US_ASCII))
        .map(bytes -> new Sample(bytes.length, HexFormat.of().formatHex(md5.digest(bytes))))
        .toList();
  }

  @Test
  void readsFragments_withTheSizesOfRunFragmentAndTrack() throws Exception {
    BoxBuilder run = full("trun", 0, 0x201).u32(2).u32(MOOF_BYTES + 8).u32(2).u32(0);
    BoxBuilder first =
        box("traf")
            .box(full("tfhd", 0, 0x20010).u32(1).u32(1))
            .box(run)
            .box(full("trun", 0, 0).u32(2));
    BoxBuilder second = box("traf").box(full("tfhd", 0, 0).u32(2)).box(full("trun", 0, 0).u32(2));
    byte[] fragment = file(box("moof").box(first).box(second), box("mdat").text("abcdxyzXYZ"));

    SampleReport report = SampleReport.of(file(INIT, fragment, fragment));

    assertThat(report.tracks().get(1L)).isEqualTo(samples("ab", "", "c", "d", "ab", "", "c", "d"));
    assertThat(report.tracks().get(2L)).isEqualTo(samples("xyz", "XYZ", "xyz", "XYZ"));
    assertThat(report.size()).isEqualTo(12);
  }

  @Test
  void readsProgressiveFiles() throws Exception {
    BoxBuilder sizes = full("stsz", 0, 0).u32(0).u32(3).u32(1).u32(2).u32(3);
    BoxBuilder chunks = full("stsc", 0, 0).u32(2).u32(1).u32(2).u32(1).u32(2).u32(1).u32(1);
    BoxBuilder offsets = full("co64", 0, 0).u32(2).u64(20).u64(16);
    BoxBuilder media = box("mdat").text("cdeXabbX").large();

    assertThat(
            SampleReport.of(file(media, movie(track(7, descriptions(), sizes, chunks, offsets))))
                .inOrder())
        .containsExactly(samples("a", "bb", "cde"));
  }

  @Test
  void refusesSamplesThatAreNotThere() {
    BoxBuilder traf =
        box("traf").box(full("tfhd", 0, 0x20000).u32(2)).box(full("trun", 0, 1).u32(400).u32(0));

    assertThatThrownBy(() -> SampleReport.of(file(INIT, box("moof").box(traf))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a sample of track 2 is not in the file");
    assertThatThrownBy(() -> SampleReport.of(box("moov").claiming(99).bytes()))
        .hasMessageContaining("has the size 99 of 8");
  }
}
