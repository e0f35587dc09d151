package dev.millrace.upstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Chunkings;
import dev.millrace.testing.FaultyOrigins;
import dev.millrace.testing.OffsetBytes;
import dev.millrace.testing.ScriptedSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecodedBodyTest {
  private static final byte[] PLAIN = OffsetBytes.range(0, 100_000);
  private static final byte[] MEMBER = FaultyOrigins.gzipped(PLAIN);

  /** Every optional field of RFC 1952 §2.3.1 around the deflate form of "a". */
  private static final int[] ALL_FIELDS = {
    0x1f,
    0x8b,
    8,
    31,
    0,
    0,
    0,
    0,
    0,
    3, // fixed
    2,
    0,
    'x',
    'y',
    'n',
    0,
    'c',
    0,
    1,
    2, // extra, name, comment, header CRC
    0x4b,
    4,
    0,
    0x43,
    0xbe,
    0xb7,
    0xe8,
    1,
    0,
    0,
    0 // data, trailer
  };

  private static byte[] twoMembers() {
    return ByteBuffer.allocate(2 * MEMBER.length).put(MEMBER).put(MEMBER).array();
  }

  private static byte[] allFields() {
    ByteBuffer bytes = ByteBuffer.allocate(ALL_FIELDS.length);
    IntStream.of(ALL_FIELDS).forEach(b -> bytes.put((byte) b));
    return bytes.array();
  }

  static Stream<List<byte[]>> chunkings() {
    return Chunkings.of(twoMembers());
  }

  static Stream<byte[]> cuts() {
    return IntStream.of(1, 9, 10, 11, 100, MEMBER.length - 9, MEMBER.length - 1)
        .mapToObj(size -> Arrays.copyOf(MEMBER, size));
  }

  @ParameterizedTest
  @MethodSource("chunkings")
  void decodesEveryMember_whateverTheChunking(List<byte[]> chunks) {
    ScriptedSource coded = ScriptedSource.of(chunks.toArray(byte[][]::new));
    DecodedBody body = new DecodedBody(coded);

    String plain = new String(PLAIN, ISO_8859_1);
    assertThat(FetchFixture.readAll(body).equals(plain + plain)).isTrue();
    assertThat(body.read().isLast()).isTrue();
    assertThat(coded.held()).isZero();
  }

  @Test
  void decodesAChunkThatIsTheLast() {
    ScriptedSource coded = new ScriptedSource().add(twoMembers(), true);

    assertThat(FetchFixture.readAll(new DecodedBody(coded))).hasSize(2 * PLAIN.length);
    assertThat(coded.held()).isZero();
  }

  @Test
  void passesOverEveryOptionalField() {
    ScriptedSource coded = new ScriptedSource();
    for (byte b : allFields()) {
      coded.add(new byte[] {b}, false);
    }

    assertThat(FetchFixture.readAll(new DecodedBody(coded.end()))).isEqualTo("a");
  }

  @ParameterizedTest
  @MethodSource("cuts")
  void fails_whenItStopsEarly(byte[] cut) {
    ScriptedSource coded = ScriptedSource.of(cut);
    DecodedBody body = new DecodedBody(coded);
    FetchFixture.readAll(body);

    assertThat(FetchFixture.failureOf(body)).isInstanceOf(UpstreamException.class);
    assertThat(coded.held()).isZero();
  }

  @Test
  void fails_whenItIsNotGzip() {
    ScriptedSource coded = new ScriptedSource().add("hello").add("you");

    assertThat(FetchFixture.failureOf(new DecodedBody(coded)))
        .hasCauseInstanceOf(ZipException.class);
    assertThat(coded.failure()).isInstanceOf(UpstreamException.class);
    assertThat(coded.held()).isZero();
  }

  @Test
  void isEmpty_whenNothingWasCoded() {
    assertThat(FetchFixture.readAll(new DecodedBody(new ScriptedSource().end()))).isEmpty();
  }

  @Test
  void fails_whenChecksumDoesNotMatch() {
    byte[] altered = MEMBER.clone();
    altered[altered.length - 6] ^= 1;
    DecodedBody body = new DecodedBody(ScriptedSource.of(altered));
    FetchFixture.readAll(body);

    assertThat(FetchFixture.failureOf(body)).hasCauseInstanceOf(ZipException.class);
  }

  @Test
  void ignoresWhatIsNoMember_afterTheFirst() {
    ScriptedSource coded = new ScriptedSource().add(MEMBER, false).add(new byte[20], true);

    assertThat(FetchFixture.readAll(new DecodedBody(coded))).hasSize(PLAIN.length);
    assertThat(coded.held()).isZero();
  }

  @Test
  void givesNothing_untilMoreComes() {
    ScriptedSource coded = new ScriptedSource();
    DecodedBody body = new DecodedBody(coded);
    Content.Chunk nothing = body.read();
    assertThat(nothing).isNull();

    body.demand(() -> {});
    assertThat(coded.isDemanded()).isTrue();
  }

  @Test
  void passesFailuresBothWays() {
    ScriptedSource cut = new ScriptedSource();
    DecodedBody body = new DecodedBody(cut);
    IOException reset = new IOException("reset");
    cut.fail(reset);
    assertThat(FetchFixture.failureOf(body)).isSameAs(reset);

    ScriptedSource unwanted = new ScriptedSource().add(MEMBER, true);
    DecodedBody other = new DecodedBody(unwanted);
    other.read().release();
    other.fail(reset);
    assertThat(FetchFixture.failureOf(other)).isSameAs(reset);
    assertThat(unwanted.held()).isZero();
  }

  @Test
  void holdsNothing_whenItIsFailedAndNeverReadAgain() {
    ScriptedSource coded = new ScriptedSource().add(MEMBER, true);
    DecodedBody body = new DecodedBody(coded);
    body.read().release();
    assertThat(coded.held()).isEqualTo(1);

    body.fail(new IOException("the client has left"));

    assertThat(coded.held()).isZero();
  }
}
