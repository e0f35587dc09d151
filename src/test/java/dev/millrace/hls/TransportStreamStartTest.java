package dev.millrace.hls;

import static dev.millrace.testing.TransportStream.join;
import static dev.millrace.testing.TransportStream.packets;
import static dev.millrace.testing.TransportStream.png;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Chunkings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportStreamStartTest {
  private static final int MAX = TransportStreamStart.MAX_BYTES;

  private static int cut(byte[]... parts) {
    return new TransportStreamStart().cutBytes(ByteBuffer.wrap(join(parts)), true).orElseThrow();
  }

  /** Shown byte by byte; what it said first, and when. */
  private static int cutByteByByte(byte[]... parts) {
    byte[] body = join(parts);
    TransportStreamStart start = new TransportStreamStart();
    for (int seen = 0; seen < body.length; seen++) {
      OptionalInt cut = start.cutBytes(ByteBuffer.wrap(body, 0, seen), false);
      if (cut.isPresent()) {
        return cut.getAsInt();
      }
    }
    return start.cutBytes(ByteBuffer.wrap(body), true).orElseThrow();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] junk(int length) {
    byte[] junk = new byte[length];
    Arrays.fill(junk, (byte) 'G'); // as GIF begins, and as every packet does
    for (int i = 1; i < length; i += 2) {
      junk[i] = (byte) (i % 256 == 0x47 ? 0 : i);
    }
    return junk;
  }

  static Stream<Object[]> hidden() {
    byte[] jpeg = bytes("\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF\0and so on\u00ff\u00d9");
    return Stream.of(
        new Object[] {"a PNG of 70 bytes", png(25)},
        new Object[] {"a larger PNG", png(40_000)},
        new Object[] {"a PNG and filler", join(png(25), new byte[7], bytes("\u00ff\u00ff\u00ff"))},
        new Object[] {"a PNG and text", join(png(25), bytes("not a filler"))},
        new Object[] {"a JPEG", jpeg},
        new Object[] {"a JPEG and filler", join(jpeg, new byte[600])},
        new Object[] {"a JPEG with another inside", join(jpeg, bytes("thumb\u00ff\u00d9"))},
        new Object[] {"a PNG whose chunks lie", join(Arrays.copyOf(png(0), 20), new byte[50])},
        new Object[] {"a GIF", join(bytes("GIF89a"), junk(90))},
        new Object[] {"what begins with FF", bytes("\u00ff\u00ff\u00ff")},
        new Object[] {"one byte", bytes("x")},
        new Object[] {"a page", bytes("<html><body>nothing here</body></html>\n")});
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hidden")
  void cutsWhatStandsBefore(String name, byte[] before) {
    byte[] stream = packets(10);
    assertThat(cut(before, stream)).isEqualTo(before.length);
    assertThat(cutByteByByte(before, stream)).isEqualTo(before.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 40})
  void cutsAPicture_howeverFewPacketsFollow(int count) {
    assertThat(cut(png(25), packets(count))).isEqualTo(70);
    assertThat(cutByteByByte(png(25), packets(count))).isEqualTo(70);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void cutsShortJunk_whenTheBodyEndsWithAPacket(int count) {
    assertThat(cut(bytes("junk"), packets(count))).isEqualTo(4);
    assertThat(cut(bytes("junk"), packets(count - 1), bytes("x"))).isZero();
  }

  @Test
  void cutsNothing_whenTheStreamBegins() {
    byte[] stream = packets(10);
    assertThat(cut(stream)).isZero();
    ByteBuffer three = ByteBuffer.wrap(stream, 0, 377);
    assertThat(new TransportStreamStart().cutBytes(three, false)).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#EXTM3U\n#EXT-X-VERSION:3",
        "#EXT-X-VERSION:3\n",
        "\u00ef\u00bb\u00bf#EXTM3U\n",
        "WEBVTT\n\n00:00",
        "\0\0\0\u0018ftypiso6",
        "\0\0\0\u0018stypmsdh",
        "\0\0\0\u0018moofmfhd",
        "\0\0\0\u0018sidx\0\0\0\0",
        "ID3\u0004\0\0\0\0\0\0"
      })
  void leavesAlone_whatSaysWhatItIs(String beginning) {
    byte[] body = join(bytes(beginning), packets(10));
    assertThat(cut(body)).isZero();
    assertThat(new TransportStreamStart().cutBytes(ByteBuffer.wrap(body, 0, 11), false))
        .hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "G", "GGGGGGGGGGGGGGGG", "0123456789abcdeG", "\u0089PNG\r\n\u001a\n"})
  void leavesShortBodiesAlone(String body) {
    assertThat(cut(bytes(body))).isZero();
  }

  @Test
  void leavesRealPicturesAlone() {
    assertThat(cut(png(40_000))).isZero();
    assertThat(cut(png(0), bytes("G and less than a packet"))).isZero();
  }

  @Test
  void leavesEncryptedBodiesAlone() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      byte[] body = new byte[MAX];
      random.nextBytes(body);
      body[0] = 0x10; // no packet at the very start
      assertThat(cut(body)).isZero();
    }
  }

  @Test
  void asksForMore_untilItKnows() {
    byte[] body = join(png(25), packets(10));
    TransportStreamStart start = new TransportStreamStart();
    for (int seen : new int[] {0, 7, 8, 69, 70, 71, 446}) {
      assertThat(start.cutBytes(ByteBuffer.wrap(body, 0, seen), false)).isEmpty();
    }
    assertThat(start.cutBytes(ByteBuffer.wrap(body, 0, 447), false)).hasValue(70);
  }

  @Test
  void looksNoFurtherThanTheLimit() {
    byte[] junk = new byte[MAX];
    TransportStreamStart start = new TransportStreamStart();
    assertThat(start.cutBytes(ByteBuffer.wrap(junk, 0, MAX - 1), false)).isEmpty();
    assertThat(start.cutBytes(ByteBuffer.wrap(junk), false)).hasValue(0);
  }

  @Test
  void findsAStream_thatIsSeenJustBeforeTheLimit() {
    byte[] stream = packets(5);
    byte[] before = new byte[MAX - (4 * 188 + 1)];
    byte[] body = Arrays.copyOf(join(before, stream), MAX);
    assertThat(new TransportStreamStart().cutBytes(ByteBuffer.wrap(body), false))
        .hasValue(before.length);
    byte[] later = Arrays.copyOf(join(before, new byte[1], stream), MAX);
    assertThat(new TransportStreamStart().cutBytes(ByteBuffer.wrap(later), false)).hasValue(0);
  }

  static Stream<List<byte[]>> chunkings() {
    return Chunkings.of(join(png(90_000), packets(1_000)));
  }

  @ParameterizedTest
  @MethodSource("chunkings")
  void isCutAsABodyPasses_whateverTheChunks(List<byte[]> chunks) throws IOException {
    assertThat(passed(chunks)).isEqualTo(packets(1_000));
  }

  @Test
  void passesOn_whatHasNothingToCut() throws IOException {
    byte[] key = bytes("0123456789abcdeG");
    assertThat(passed(List.of(key))).isEqualTo(key);
    byte[] large = new byte[MAX + 100_000];
    assertThat(passed(List.of(large))).isEqualTo(large);
  }

  private static byte[] passed(List<byte[]> chunks) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    TransportStreamCut cut = new TransportStreamCut();
    for (byte[] chunk : chunks) {
      cut.accept(ByteBuffer.wrap(chunk), output -> put(output, all));
    }
    cut.finish(output -> put(output, all));
    cut.close();
    return all.toByteArray();
  }

  private static void put(ByteBuffer output, ByteArrayOutputStream to) {
    byte[] bytes = new byte[output.remaining()];
    output.get(bytes);
    to.writeBytes(bytes);
  }
}
