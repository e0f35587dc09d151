package dev.millrace.cenc;

import dev.millrace.testing.SampleProtector;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Samples with gaps between them, clear and encrypted, and the plan that leads back. */
final class ProtectedStream {
  private static final int GAP = 3;
  private static final int OUTPUT_START = 5;

  private final long start;
  private final byte[] clear;
  private final byte[] coded;
  private final ProtectedRanges ranges;

  private ProtectedStream(long start, byte[] clear, byte[] coded, ProtectedRanges ranges) {
    this.start = start;
    this.clear = clear;
    this.coded = coded;
    this.ranges = ranges;
  }

  /** Position of the first byte in its stream. */
  long start() {
    return start;
  }

  byte[] clear() {
    return clear;
  }

  byte[] coded() {
    return coded;
  }

  ProtectedRanges ranges() {
    return ranges;
  }

  static ProtectedStream of(SampleProtector protector, int... lengths) {
    return of(List.of(protector), lengths);
  }

  /** The protectors take turns, sample by sample. */
  static ProtectedStream of(List<SampleProtector> protectors, int... lengths) {
    long start = 5_000_000_000L;
    byte[] clear = new byte[Arrays.stream(lengths).sum() + GAP * (lengths.length + 1)];
    new Random(lengths.length).nextBytes(clear);
    byte[] coded = clear.clone();
    List<ProtectedRanges.Setting> settings =
        protectors.stream().map(ProtectedStream::setting).toList();
    ProtectedRanges ranges = new ProtectedRanges();
    int at = GAP;
    for (int i = 0; i < lengths.length; i++) {
      SampleProtector protector = protectors.get(i % protectors.size());
      protector.protect(coded, at, lengths[i], i);
      ranges.sample(settings.get(i % protectors.size()), Arrays.copyOf(protector.iv(i), 16), 0);
      plan(ranges, protector, start + at, lengths[i]);
      at += lengths[i] + GAP;
    }
    return new ProtectedStream(start, clear, coded, ranges);
  }

  private static void plan(
      ProtectedRanges ranges, SampleProtector protector, long start, int length) {
    int[] parts = protector.subsamples().apply(length);
    long at = start;
    for (int i = 0; i < parts.length; i += 2) {
      ranges.range(at + parts[i], at + parts[i] + parts[i + 1]);
      at += parts[i] + parts[i + 1];
    }
    if (parts.length == 0) {
      ranges.range(start, start + length);
    }
  }

  private static ProtectedRanges.Setting setting(SampleProtector protector) {
    return new ProtectedRanges.Setting(
        ProtectionScheme.valueOf(protector.scheme().toUpperCase(Locale.ROOT)),
        ContentKey.of(HexFormat.of().parseHex(protector.key())),
        protector.crypt(),
        protector.skip(),
        protector.endsPartialRuns());
  }

  /** What a decryptor makes of it if it is given these many bytes at a time, in turns. */
  byte[] decrypted(AesCiphers ciphers, int... chunks) {
    RangeDecryptor decryptor = new RangeDecryptor(ciphers);
    decryptor.follow(ranges);
    byte[] result = new byte[coded.length];
    int at = 0;
    int written = 0;
    for (int turn = 0; at < coded.length; turn++) {
      int length = Math.min(chunks[turn % chunks.length], coded.length - at);
      // arrays of their own, so that nothing beyond is read or written
      byte[] input = new byte[length + 2];
      System.arraycopy(coded, at, input, 1, length);
      byte[] output = new byte[OUTPUT_START + length + PayloadDecryptor.MAX_HELD];
      int before = decryptor.held();
      int count = decryptor.accept(start + at, input, 1, length, output, OUTPUT_START);
      if (count != before + length - decryptor.held()
          || decryptor.held() > PayloadDecryptor.MAX_HELD) {
        throw new AssertionError("counts do not fit at " + at);
      }
      System.arraycopy(output, OUTPUT_START, result, written, count);
      at += length;
      written += count;
    }
    if (written != coded.length) {
      throw new AssertionError("bytes are held at the end: " + decryptor.held());
    }
    return result;
  }
}
