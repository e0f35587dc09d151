package dev.millrace.cenc;

import java.security.GeneralSecurityException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What it costs to decrypt a segment of 4 MiB that comes in pieces of 64 KiB: 240 samples, each
 * with 100 clear bytes before each protected range. A decryptor is made for each segment, as a
 * response does. Beside it the bare cipher, and the bare copy, on the same arrays.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DecryptBenchmark {
  private static final int BYTES = 4 << 20;
  private static final int PIECE = 64 << 10;
  private static final int SAMPLES = 240;
  private static final int CLEAR = 100;
  private static final ContentKey KEY = ContentKey.of("a key of 16 byte".getBytes());

  /** The segment and a place for one piece of it. */
  @State(Scope.Benchmark)
  public static class Segment {
    final byte[] bytes = new byte[BYTES];
    final byte[] piece = new byte[PIECE + PayloadDecryptor.MAX_HELD];

    /** Random. */
    @Setup
    public void fill() {
      new Random(1).nextBytes(bytes);
    }
  }

  /** Scheme, pattern, how many ranges a sample has. */
  @State(Scope.Benchmark)
  public static class Plan {
    @Param({"CENC 0:0 x1", "CENC 0:0 x6", "CENS 1:9 x1", "CBC1 0:0 x1", "CBCS 1:9 x1", "CBCS 1:9 x6", "CBCS 0:0 x1"})
    public String form;

    ProtectedRanges ranges;

    /** The samples follow one another. */
    @Setup
    public void plan() {
      String[] words = form.split("[ :x]+");
      ProtectedRanges.Setting setting =
          new ProtectedRanges.Setting(
              ProtectionScheme.valueOf(words[0]),
              KEY,
              Integer.parseInt(words[1]),
              Integer.parseInt(words[2]),
              false);
      int count = Integer.parseInt(words[3]);
      ranges = new ProtectedRanges();
      long length = BYTES / SAMPLES / count;
      for (int sample = 0; sample < SAMPLES; sample++) {
        ranges.sample(setting, new byte[16], 0);
        for (int i = 0; i < count; i++) {
          long start = (sample * count + i) * length;
          ranges.range(start + CLEAR, start + length);
        }
      }
    }
  }

  @Benchmark
  public int decrypt(Segment segment, Plan plan) {
    RangeDecryptor decryptor = new RangeDecryptor(AesCiphers.PLATFORM);
    decryptor.follow(plan.ranges);
    int written = 0;
    for (int at = 0; at < BYTES; at += PIECE) {
      written += decryptor.accept(at, segment.bytes, at, PIECE, segment.piece, 0);
    }
    return written;
  }

  @Benchmark
  public byte copy(Segment segment) {
    for (int at = 0; at < BYTES; at += PIECE) {
      System.arraycopy(segment.bytes, at, segment.piece, 0, PIECE);
    }
    return segment.piece[7];
  }

  @Benchmark
  public int rawCtr(Segment segment) throws GeneralSecurityException {
    return raw("AES/CTR/NoPadding", segment);
  }

  @Benchmark
  public int rawCbc(Segment segment) throws GeneralSecurityException {
    return raw("AES/CBC/NoPadding", segment);
  }

  private static int raw(String mode, Segment segment) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(mode);
    cipher.init(Cipher.DECRYPT_MODE, KEY.secret(), new IvParameterSpec(new byte[16]));
    int written = 0;
    for (int at = 0; at < BYTES; at += PIECE) {
      written += cipher.update(segment.bytes, at, PIECE, segment.piece, 0);
    }
    return written;
  }
}
