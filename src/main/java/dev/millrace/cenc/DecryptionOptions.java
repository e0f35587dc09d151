package dev.millrace.cenc;

import java.math.BigInteger;
import java.util.Optional;

/**
 * How a stream is decrypted.
 *
 * @param keys of the request; none: only times are changed
 * @param startOffset absolute position of the first byte in the file it is of
 * @param isInitHidden whether {@code ftyp} and {@code moov} are blanked, as the player has them
 * @param isCompact whether protection boxes are really removed, and a {@code free} box of their
 *     length follows the box they were in (contract §4.3, fallback B)
 * @param passesWithoutKey whether what has no key passes as it is, instead of failing
 * @param leavesPartialRuns contract §2, row 8
 * @param shift what is added to all decode times; absent: nothing
 */
public record DecryptionOptions(
    KeyRing keys,
    long startOffset,
    boolean isInitHidden,
    boolean isCompact,
    boolean passesWithoutKey,
    boolean leavesPartialRuns,
    Optional<Shift> shift) {
  /** With these keys, and everything else as it usually is. */
  public static DecryptionOptions of(KeyRing keys) {
    return new DecryptionOptions(keys, 0, false, false, false, false, Optional.empty());
  }

  /**
   * A time in seconds as a fraction, so that no clock loses a tick: {@code units / timescale}.
   *
   * @param units may be negative
   * @param timescale positive
   */
  public record Shift(long units, long timescale) {
    /** In units of a track, rounded to the nearest. */
    public long in(long trackTimescale) {
      BigInteger scale = BigInteger.valueOf(timescale);
      BigInteger twice =
          BigInteger.valueOf(units).multiply(BigInteger.valueOf(trackTimescale)).shiftLeft(1);
      BigInteger[] parts = twice.add(scale).divideAndRemainder(scale.shiftLeft(1));
      boolean isBelow = parts[1].signum() < 0;
      return (isBelow ? parts[0].subtract(BigInteger.ONE) : parts[0]).longValueExact();
    }
  }
}
