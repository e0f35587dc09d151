package dev.millrace.cenc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.mp4.InitSegment;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CencEncryptor.Aux;
import dev.millrace.testing.CencEncryptor.Lead;
import dev.millrace.testing.ClearMovie;
import dev.millrace.testing.SampleProtector;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Case 53: protected movies with bytes, sizes and counts changed. Two seconds of it by default;
 * {@code -Dfuzz.seconds=600} for longer, {@code -Dfuzz.seed} to repeat.
 */
class CencFuzzTest {
  private static final long SECONDS = Long.getLong("fuzz.seconds", 2);
  private static final long SEED = Long.getLong("fuzz.seed", 20_261_201);
  private static final long MOST_ALLOCATED = 48L << 20;
  private static final long MOST_NANOS = 5_000_000_000L;
  private static final ClearMovie MOVIE =
      new ClearMovie(2, 2, List.of(1, 17, 160, 330), List.of(3, 32, 200));
  private static final SampleProtector CENC = SampleProtector.of("cenc");
  private static final SampleProtector CBCS = SampleProtector.of("cbcs");
  private static final DecryptionOptions OPTIONS =
      DecryptionOptions.of(Decryption.ring(CENC.kid(), CENC.key()));

  private static final List<byte[]> SEEDS =
      List.of(
          coded(CencEncryptor.of(CENC.subsamples(SampleProtector.TWO)).aux(Aux.BOTH)),
          coded(CencEncryptor.of(CENC).aux(Aux.SAIO).saio(1, true)),
          coded(CencEncryptor.of(CENC).piff()),
          coded(CencEncryptor.of(CENC).rotating(CENC, CENC)),
          coded(CencEncryptor.of(CBCS).lead(Lead.ENTRY, 1)),
          coded(CencEncryptor.of(CBCS.pattern(5, 5).subsamples(SampleProtector.TWO))));

  private static byte[] coded(CencEncryptor encryptor) {
    return encryptor.encrypt(MOVIE.bytes()).file();
  }

  @Test
  void failsOnlyAsItSays() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    for (long seed = SEED; System.nanoTime() < end; seed++) {
      Random random = new Random(seed);
      byte[] mutant = mutated(SEEDS.get(random.nextInt(SEEDS.size())), random);
      int most = 2 << random.nextInt(14);
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      Decryption decryption = decrypted(mutant, random, most, seed);
      String which = "-Dfuzz.seed=" + seed + ": " + HexFormat.of().formatHex(mutant);
      if (decryption.failure() == null) {
        assertThat(decryption.bytes().length).as(which).isEqualTo(mutant.length);
      } else {
        assertThat(decryption.failure()).as(which).isInstanceOf(MediaFormatException.class);
      }
      assertThat(System.nanoTime() - start).as(which).isLessThan(MOST_NANOS);
      assertThat(threads.getCurrentThreadAllocatedBytes() - allocated)
          .as(which)
          .isLessThan(MOST_ALLOCATED);
    }
  }

  private static Decryption decrypted(byte[] mutant, Random random, int most, long seed) {
    try {
      return Decryption.of(OPTIONS, InitSegment.EMPTY, mutant, at -> 1 + random.nextInt(most));
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "-Dfuzz.seed=" + seed + " of " + HexFormat.of().formatHex(mutant), e);
    }
  }

  private static byte[] mutated(byte[] seed, Random random) {
    byte[] mutant = seed.clone();
    for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
      int at = random.nextInt(mutant.length - 8);
      switch (random.nextInt(6)) {
        case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> mutant[at] = (byte) random.nextInt();
        case 2 -> Arrays.fill(mutant, at, at + 4, (byte) (random.nextBoolean() ? -1 : 0));
        case 3 -> put(mutant, at & ~3, random.nextInt(2 << random.nextInt(30)));
        case 4 -> System.arraycopy(mutant, random.nextInt(mutant.length - 8), mutant, at, 8);
        default -> mutant = Arrays.copyOf(mutant, Math.max(64, mutant.length - random.nextInt(40)));
      }
    }
    return mutant;
  }

  private static void put(byte[] bytes, int at, int value) {
    java.nio.ByteBuffer.wrap(bytes).putInt(at, value);
  }
}
