package dev.millrace.cenc;

import static dev.millrace.testing.BoxBuilder.box;
import static dev.millrace.testing.BoxBuilder.file;
import static dev.millrace.testing.BoxBuilder.full;
import static dev.millrace.testing.BoxBuilder.uuid;
import static dev.millrace.testing.Movies.audio;
import static dev.millrace.testing.Movies.descriptions;
import static dev.millrace.testing.Movies.movie;
import static dev.millrace.testing.Movies.protection;
import static dev.millrace.testing.Movies.subtitles;
import static dev.millrace.testing.Movies.track;
import static dev.millrace.testing.Movies.video;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mp4.InitSegmentReader;
import dev.millrace.mp4.SegmentIndexReader;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.BoxBuilder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damaged initialization segments and indexes: whatever they are, they are read or refused, and a
 * clean one is as long as it was. Two seconds, more with {@code -Dfuzz.seconds}; the seed is in the
 * message of a failure and can be set by {@code -Dfuzz.seed}.
 */
final class InitSegmentFuzzTest {
  private static final long SECONDS = Long.getLong("fuzz.seconds", 2);
  private static final long SEED = Long.getLong("fuzz.seed", 20_260_601);
  private static final int[] ODD = {0, 1, 2, 7, 8, 16, 0x7fff_ffff, 0x8000_0000, -1, -8, 65_535};

  private static byte[] movieFile() {
    BoxBuilder tenc = full("tenc", 1, 0).u8(0).u8(0x19).u8(1).u8(0).zeros(16).u8(8).zeros(8);
    BoxBuilder piff = uuid("8974dbce-7be7-4c51-84f9-7148f9882554").u32(0).u24(1).u8(8).zeros(16);
    BoxBuilder seig =
        full("sgpd", 2, 0).text("seig").u32(0).u32(1).u32(1).u32(20).u16(0).u8(1).u8(8);
    BoxBuilder runs = full("sbgp", 0, 0).text("seig").u32(2).u32(3).u32(1).u32(4).u32(0);
    return file(
        box("ftyp").text("iso6").u32(0),
        movie(
            track(
                1,
                descriptions(video("encv", protection("avc1", "cbcs", tenc)), video("avc1")),
                seig.zeros(16),
                runs,
                runs),
            track(2, descriptions(audio("enca", 1, protection("mp4a", "piff", piff)))),
            track(3, descriptions(subtitles("enct", protection("stpp", "cenc")))),
            full("pssh", 0, 0).zeros(20),
            box("mvex").box(full("trex", 0, 0).u32(1).u32(1).zeros(12))));
  }

  private static byte[] indexFile() {
    BoxBuilder inner = full("sidx", 1, 0).u32(1).u32(1000).u64(0).u64(0).u16(0).u16(1);
    inner.u32(9).u32(9).u32(0);
    BoxBuilder outer = full("sidx", 0, 0).u32(1).u32(1000).u32(0).u32(0).u16(0).u16(2);
    for (int i = 0; i < 2; i++) {
      outer.u32(0x8000_0000L | inner.length()).u32(9).u32(0);
    }
    return file(box("free").zeros(9), outer, inner, inner);
  }

  @Test
  void readsOrRefuses_whateverIsDamaged() {
    Random random = new Random(SEED);
    byte[] movie = movieFile();
    byte[] index = indexFile();
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    for (int round = 0; System.nanoTime() - end < 0; round++) {
      byte[] bytes = damaged(round % 4 == 0 ? index : movie, random);
      try {
        readAll(bytes);
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        String hex = HexFormat.of().formatHex(bytes);
        throw new AssertionError("seed " + SEED + ", round " + round + ": " + hex, e);
      }
    }
  }

  private static void readAll(byte[] bytes) {
    attempt(() -> InitSegmentReader.read(bytes));
    attempt(() -> assertThat(InitSegmentCleaner.clean(bytes, false)).hasSameSizeAs(bytes));
    attempt(() -> assertThat(InitSegmentCleaner.clean(bytes, true)).hasSameSizeAs(bytes));
    attempt(() -> followIndex(bytes));
  }

  private static void followIndex(byte[] bytes) throws MediaFormatException {
    SegmentIndexReader reader = new SegmentIndexReader(0, 63);
    while (reader.wanted().isPresent()) {
      int from = (int) Math.min(bytes.length, reader.wanted().get().first());
      int to = (int) Math.min(bytes.length, reader.wanted().get().last() + 1);
      reader.accept(reader.wanted().get().first(), Arrays.copyOfRange(bytes, from, to));
    }
    assertThat(reader.references()).allMatch(place -> place.firstByte() <= place.lastByte());
  }

  /** One to four changes. */
  private static byte[] damaged(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(bytes.length - 4);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> ByteBuffer.wrap(bytes).putInt(at, ODD[random.nextInt(ODD.length)]);
        case 2 -> bytes = Arrays.copyOf(bytes, at + 5);
        case 3 -> System.arraycopy(bytes, random.nextInt(at + 1), bytes, at, 4);
        default -> bytes[at + 3] += (byte) (random.nextInt(33) - 16);
      }
    }
    return bytes;
  }

  private interface Attempt {
    void run() throws MediaFormatException;
  }

  private static void attempt(Attempt attempt) {
    try {
      attempt.run();
    } catch (MediaFormatException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }
}
