package dev.millrace.ts;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.mp4.InitSegment;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import dev.millrace.testing.Movies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What films made by hand become, and what is refused. */
class TransportStreamMuxerTest {
  private static final int MOOF_BYTES = 100;

  private static BoxBuilder movie(String type) {
    return Movies.movie(
        Movies.track(1, Movies.descriptions(Movies.audio(type, 0, box("dac3").zeros(3)))));
  }

  /** A fragment of one sample, 90 kHz. */
  private static BoxBuilder moof(long time, long size, int offset) {
    return box("moof")
        .box(full("mfhd", 0, 0).u32(1))
        .box(
            box("traf")
                .box(full("tfhd", 0, 0x2_0000).u32(1))
                .box(full("tfdt", 1, 0).u64(time))
                .box(full("trun", 0, 0x201).u32(1).u32(offset).u32(size)));
  }

  private static byte[] film(long time, byte[] sample) {
    return file(movie("ac-3"), moof(time, sample.length, MOOF_BYTES), box("mdat").put(sample));
  }

  private static byte[] muxed(byte[] film) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (TransportStreamMuxer muxer = new TransportStreamMuxer(InitSegment.EMPTY)) {
      muxer.accept(ByteBuffer.wrap(film), output -> write(output, stream));
      muxer.finish(output -> write(output, stream));
    }
    return stream.toByteArray();
  }

  private static void write(ByteBuffer output, ByteArrayOutputStream stream) {
    byte[] bytes = new byte[output.remaining()];
    output.get(bytes);
    stream.writeBytes(bytes);
  }

  private static void assertRefused(byte[] film, String message) {
    assertThatThrownBy(() -> muxed(film))
        .isInstanceOf(MediaFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void measuresItsOwnFragments() {
    assertThat(moof(0, 0, 0).length()).isEqualTo(MOOF_BYTES - 8);
  }

  /** Lengths round what fits a packet: 184 bytes less clock, header and times. */
  @ParameterizedTest
  @ValueSource(
      ints = {1, 150, 160, 161, 162, 163, 164, 184, 200, 345, 346, 347, 348, 2_799, 70_000})
  void fillsPackets(int length) throws IOException {
    byte[] stream = muxed(film(0, new byte[length]));

    assertThat(new TransportPackets(stream).problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0,90000",
    "8589844591,8589934591",
    "8589844592,0",
    "8589844593,1",
    "90000000000,4100744080"
  })
  void countsTimesIn33Bits(long time, long expected) throws IOException {
    byte[] stream = muxed(film(time, new byte[10]));

    int pes = stream.length - 10 - 5;
    long high = (stream[pes] >> 1) & 7;
    long middle = (ByteBuffer.wrap(stream).getShort(pes + 1) & 0xffffL) >> 1;
    long low = (ByteBuffer.wrap(stream).getShort(pes + 3) & 0xffffL) >> 1;
    assertThat((high << 30) | (middle << 15) | low).isEqualTo(expected);
  }

  @Test
  void hasSoundWhereOlderProxiesHaveIt() throws IOException {
    byte[] stream = muxed(film(0, new byte[10]));

    assertThat(ByteBuffer.wrap(stream).getShort(stream.length - 188 + 1) & 0x1fff).isEqualTo(0x101);
  }

  @Test
  void takesTheLongestSample_andNoLonger() throws IOException {
    int most = TransportStreamMuxer.MAX_SAMPLE_BYTES;

    assertThat(muxed(film(0, new byte[most])).length).isGreaterThan(most);
    assertRefused(film(0, new byte[most + 1]), "longer than 4 MiB");
  }

  @Test
  void refusesBoxesThatAreTooLong_beforeTheyCome() {
    byte[] start = Arrays.copyOf(file(movie("ac-3")), file(movie("ac-3")).length + 8);
    ByteBuffer.wrap(start)
        .putInt(start.length - 8, TransportStreamMuxer.MAX_BOX_BYTES + 1)
        .putInt(start.length - 4, 0x6d6f6f66);

    assertRefused(start, "longer than 8 MiB");
  }

  @Test
  void refusesCodecsThatHaveNoPlace() {
    byte[] film = file(movie("Opus"), moof(0, 4, MOOF_BYTES), box("mdat").zeros(4));

    assertRefused(film, "segment.mp4");
  }

  @Test
  void refusesMediaThatIsCut() {
    byte[] film = film(0, new byte[1_000]);
    for (int length : new int[] {film.length - 1, film.length - 999, film.length - 1_010}) {
      assertRefused(Arrays.copyOf(film, length), "in the middle");
    }
  }

  @Test
  void refusesMediaWithoutFragments() {
    assertRefused(file(movie("ac-3")), "no fragment");
  }

  @Test
  void refusesSamplesBeforeTheirFragment() {
    assertRefused(file(movie("ac-3"), moof(0, 4, 8), box("mdat").zeros(8)), "before its fragment");
  }
}
