package dev.millrace.cenc;

/**
 * A piece of a stream on its way from one array to another. What nobody decrypts is copied in one
 * go, as late as it can be.
 */
final class Passage {
  private byte[] input = new byte[0];
  private byte[] output = new byte[0];
  private int shift;
  private int copied;

  /**
   * @param from what is to be copied begins there in {@code input}
   * @param to and there in {@code output}
   */
  void begin(byte[] input, int from, byte[] output, int to) {
    this.input = input;
    this.output = output;
    shift = to - from;
    copied = from;
  }

  byte[] input() {
    return input;
  }

  byte[] output() {
    return output;
  }

  /** Where in the output stands what stands there in the input. */
  int outputAt(int at) {
    return at + shift;
  }

  /** Copies what has not been written before that place of the input. */
  void copyTo(int at) {
    if (at > copied) {
      System.arraycopy(input, copied, output, copied + shift, at - copied);
      copied = at;
    }
  }

  /** Somebody has written what stands before that place of the input. */
  void written(int at) {
    copied = at;
  }
}
