package dev.millrace.cenc;

/**
 * Decrypts the protected ranges of a stream as its bytes pass (contract §4.5). The rest is copied.
 * At most 15 bytes are held back, in the middle of a block.
 */
interface PayloadDecryptor {
  /** What may be held back, in bytes. */
  int MAX_HELD = 15;

  /** What lies ahead; ranges before the current position are forgotten. */
  void follow(ProtectedRanges ranges);

  /**
   * Takes what stands at {@code position}, and writes what is clear by now, what was held before
   * first.
   *
   * @param output another array than {@code input}, with room for {@code length} + {@link
   *     #MAX_HELD}
   * @return how many bytes were written
   */
  int accept(long position, byte[] input, int offset, int length, byte[] output, int outputOffset);

  /** How many bytes are held back. */
  int held();
}
