package dev.millrace.cenc;

/** Decrypts what is encrypted of a sample, run by run, as it passes. One caller. */
interface BlockMode {
  /** Shorter runs go through a window with others: what a cipher costs before it begins. */
  int DIRECT_BYTES = 512;

  /** A key is used from now on. */
  void key(Passage passage, int at, ContentKey key);

  /**
   * A sample begins, or its chain anew.
   *
   * @param iv 16 bytes
   */
  void begin(byte[] iv);

  /**
   * What follows what came before; its result is there after {@link #flush}.
   *
   * @param at where it begins in the input
   * @return how many bytes at the end of it are not taken, as their block is not whole
   */
  int decrypt(Passage passage, int at, int length);

  /**
   * The same of many runs of whole blocks, shorter than {@link #DIRECT_BYTES}.
   *
   * @param cycle from one's beginning to the next one's, in bytes
   */
  void decrypt(Passage passage, int at, int length, int cycle, int count);

  /** Writes all results; {@code at} is where the input has been taken to. */
  void flush(Passage passage, int at);
}
