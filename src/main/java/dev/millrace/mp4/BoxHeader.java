package dev.millrace.mp4;

/**
 * The first bytes of a box in a stream (ISO/IEC 14496-12 §4.2).
 *
 * @param type its code
 * @param position of its first byte
 * @param headerLength 8, or 16 with a size of 64 bits
 * @param end position behind it; {@link Long#MAX_VALUE} if it reaches to the end of the stream
 */
public record BoxHeader(int type, long position, int headerLength, long end) {
  /** Of its content, which is endless if {@code end} is. */
  public boolean isEndless() {
    return end == Long.MAX_VALUE;
  }

  /** With its header, in bytes. */
  public long size() {
    return isEndless() ? Long.MAX_VALUE : end - position;
  }
}
