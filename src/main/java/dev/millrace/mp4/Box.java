package dev.millrace.mp4;

import dev.millrace.stream.MediaFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A box (ISO/IEC 14496-12 §4.2) in an array that holds it whole. Reads are checked against the end
 * of the box, so that no lie about a size reaches beyond it.
 *
 * @param bytes the array; whoever edits a box writes into it
 * @param start of its header
 * @param contentStart behind its header: 8, 16 (large size), and 16 more for {@code uuid}
 * @param end behind its last byte
 */
@SuppressWarnings("ArrayRecordComponent") // a view; two are equal in the same array only
public record Box(byte[] bytes, int type, int start, int contentStart, int end) {
  /** Deeper ones are refused. */
  public static final int MAX_DEPTH = 16;

  /** More boxes in one are refused. */
  public static final int MAX_CHILDREN = 65_536;

  private static final int UUID = FourCc.of("uuid");

  /**
   * The box that begins here.
   *
   * @param limit where its parent ends
   * @throws MediaFormatException if it does not end before
   */
  public static Box at(byte[] bytes, int start, int limit) throws MediaFormatException {
    if (limit - start < 8) {
      throw MediaFormatException.malformed("A box has no room for its header.");
    }
    long size = intAt(bytes, start) & 0xffff_ffffL;
    int type = intAt(bytes, start + 4);
    int header = 8;
    if (size == 1) {
      header = 16;
      size = limit - start < 16 ? 0 : longAt(bytes, start + 8);
    } else if (size == 0) {
      size = (long) limit - start; // to the end, which only the last may say
    }
    header += type == UUID ? 16 : 0;
    if (size < header || size > limit - start) {
      throw MediaFormatException.malformed(
          "Box '"
              + FourCc.text(type)
              + "' is longer than what it is in, or shorter than its head.");
    }
    return new Box(bytes, type, start, start + header, (int) (start + size));
  }

  /** What it holds, from its beginning on. */
  public List<Box> children() throws MediaFormatException {
    return children(contentStart);
  }

  /**
   * What it holds behind fields of its own. Up to seven bytes that are no box may end it.
   *
   * @param from where the first child begins
   */
  public List<Box> children(int from) throws MediaFormatException {
    List<Box> children = new ArrayList<>();
    int at = from;
    while (end - at >= 8) {
      if (children.size() == MAX_CHILDREN) {
        throw MediaFormatException.malformed("Box '" + FourCc.text(type) + "' holds too many.");
      }
      Box child = at(bytes, at, end);
      children.add(child);
      at = child.end;
    }
    return children;
  }

  /** The first of its children of that type. */
  public Optional<Box> child(int wanted) throws MediaFormatException {
    return children().stream().filter(child -> child.type == wanted).findFirst();
  }

  /** Behind its header, in bytes. */
  public int contentLength() {
    return end - contentStart;
  }

  /** Of a full box (§4.2): the first byte of its content. */
  public int version() throws MediaFormatException {
    return intAt(0) >>> 24;
  }

  /** Of a full box (§4.2): the three bytes after its version. */
  public int flags() throws MediaFormatException {
    return intAt(0) & 0xff_ffff;
  }

  /**
   * An unsigned byte.
   *
   * @param offset in its content
   */
  public int byteAt(int offset) throws MediaFormatException {
    return bytes[checked(offset, 1)] & 0xff;
  }

  public int shortAt(int offset) throws MediaFormatException {
    int at = checked(offset, 2);
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  public int intAt(int offset) throws MediaFormatException {
    return intAt(bytes, checked(offset, 4));
  }

  public long unsignedAt(int offset) throws MediaFormatException {
    return intAt(offset) & 0xffff_ffffL;
  }

  public long longAt(int offset) throws MediaFormatException {
    return longAt(bytes, checked(offset, 8));
  }

  /** A copy. */
  public byte[] bytesAt(int offset, int length) throws MediaFormatException {
    int at = checked(offset, length);
    return java.util.Arrays.copyOfRange(bytes, at, at + length);
  }

  /** Where in the array that many bytes of its content stand. */
  public int checked(int offset, int length) throws MediaFormatException {
    if (offset < 0 || length < 0 || (long) offset + length > contentLength()) {
      throw MediaFormatException.malformed(
          "Box '" + FourCc.text(type) + "' ends before what it should hold.");
    }
    return contentStart + offset;
  }

  /** Whether its type and the 16 bytes after it are those of an extended type. */
  public boolean isUuid(byte[] extended) {
    return type == UUID
        && java.util.Arrays.equals(bytes, contentStart - 16, contentStart, extended, 0, 16);
  }

  private static int intAt(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  private static long longAt(byte[] bytes, int at) {
    return (long) intAt(bytes, at) << 32 | (intAt(bytes, at + 4) & 0xffff_ffffL);
  }

  @Override
  public String toString() {
    return FourCc.text(type) + "@" + start + "+" + (end - start);
  }
}
