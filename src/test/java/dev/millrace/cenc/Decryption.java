package dev.millrace.cenc;

import dev.millrace.mp4.InitSegment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * What a decryptor makes of a stream.
 *
 * @param bytes all that it gave out, up to a failure
 * @param mostHeld how many bytes it had taken, and not given out yet, at most
 * @param tally at the end
 * @param failure how it ended; null if well
 */
@SuppressWarnings("ArrayRecordComponent") // read once, by the test that made it
record Decryption(byte[] bytes, long mostHeld, DecryptionTally tally, IOException failure) {
  private static final int SPLITS = 2000;

  /** In chunks of these sizes, depending on the position. */
  static Decryption of(
      DecryptionOptions options, InitSegment init, byte[] input, IntUnaryOperator chunk) {
    CencDecryptor decryptor = new CencDecryptor(options, init);
    ByteArrayOutputStream out = new ByteArrayOutputStream(input.length);
    long mostHeld = 0;
    IOException failure = null;
    try {
      for (int at = 0; at < input.length; ) {
        int end = Math.min(input.length, at + chunk.applyAsInt(at));
        // read only, and an array of its own: nothing beyond is read, nothing written
        ByteBuffer part = ByteBuffer.wrap(Arrays.copyOfRange(input, at, end));
        decryptor.accept(part, output -> put(output, out));
        if (part.hasRemaining()) {
          throw new AssertionError(part.remaining() + " bytes were not taken");
        }
        at = end;
        mostHeld = Math.max(mostHeld, at - out.size());
      }
      decryptor.finish(output -> put(output, out));
    } catch (IOException e) {
      failure = e;
    }
    decryptor.close();
    return new Decryption(out.toByteArray(), mostHeld, decryptor.tally(), failure);
  }

  private static void put(ByteBuffer output, ByteArrayOutputStream out) {
    if (output.remaining() > 64 << 10) {
      throw new AssertionError("a piece of " + output.remaining() + " bytes");
    }
    byte[] bytes = new byte[output.remaining()];
    output.get(bytes);
    out.writeBytes(bytes);
  }

  static Decryption whole(DecryptionOptions options, InitSegment init, byte[] input) {
    return of(options, init, input, at -> input.length);
  }

  /** Whole, byte by byte, split in two at each of the first positions, and at random: the same. */
  static Decryption everyWay(DecryptionOptions options, InitSegment init, byte[] input) {
    Decryption whole = whole(options, init, input);
    Decryption single = of(options, init, input, at -> 1).requireSame(whole, "single bytes");
    for (int split = 1; split < Math.min(SPLITS, input.length); split++) {
      int first = split;
      of(options, init, input, at -> at == 0 ? first : input.length)
          .requireSame(whole, "split at " + split);
    }
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      int most = 2 << random.nextInt(16);
      of(options, init, input, at -> 1 + random.nextInt(most))
          .requireSame(whole, "chunks of up to " + most);
    }
    return single;
  }

  private Decryption requireSame(Decryption whole, String how) {
    boolean isSame =
        Arrays.equals(bytes, whole.bytes)
            && tally.equals(whole.tally)
            && String.valueOf(failure).equals(String.valueOf(whole.failure));
    if (!isSame) {
      int at = Arrays.mismatch(bytes, whole.bytes);
      throw new AssertionError(
          how
              + " is not as whole: byte "
              + at
              + ", "
              + tally
              + " "
              + failure
              + " instead of "
              + whole.tally
              + " "
              + whole.failure);
    }
    return this;
  }

  /** All there is, or why not. */
  byte[] clear() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return bytes;
  }

  /** Of key ids and keys, 32 digits each. */
  static KeyRing ring(String... kidsAndKeys) {
    Map<KeyId, ContentKey> keys = new java.util.HashMap<>();
    for (int i = 0; i < kidsAndKeys.length; i += 2) {
      keys.put(
          KeyId.of(HexFormat.of().parseHex(kidsAndKeys[i])),
          ContentKey.of(HexFormat.of().parseHex(kidsAndKeys[i + 1])));
    }
    return KeyRing.of(keys);
  }
}
