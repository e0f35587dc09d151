package dev.millrace.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;

/** Ways to cut a body into chunks; whoever reads bodies must not see the difference. */
public final class Chunkings {
  private static final long SEED = 20_261_130;

  private Chunkings() {}

  /** Whole, by 1, 7 and 16,384 ± 1 bytes, and at random; for {@code MethodSource}s. */
  public static Stream<List<byte[]>> of(byte[] body) {
    Random random = new Random(SEED);
    return Stream.of(
        List.of(body),
        cut(body, at -> 1),
        cut(body, at -> 7),
        cut(body, at -> 16_383),
        cut(body, at -> 16_384),
        cut(body, at -> 16_385),
        cut(body, at -> 1 + random.nextInt(70_000)));
  }

  private static List<byte[]> cut(byte[] body, IntUnaryOperator size) {
    List<byte[]> chunks = new ArrayList<>();
    for (int at = 0; at < body.length; ) {
      int end = Math.min(body.length, at + size.applyAsInt(at));
      chunks.add(Arrays.copyOfRange(body, at, end));
      at = end;
    }
    return chunks;
  }
}
