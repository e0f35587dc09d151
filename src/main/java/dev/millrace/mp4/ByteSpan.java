package dev.millrace.mp4;

/**
 * Bytes of a file.
 *
 * @param first position of the first, from 0
 * @param last position of the last, which belongs to it
 */
public record ByteSpan(long first, long last) {
  public long length() {
    return last - first + 1;
  }
}
