package dev.millrace.cenc;

import dev.millrace.stream.MediaFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes that cannot be decrypted yet, as what says how comes after them; and all that follows them.
 * Bounded: a stream that needs more cannot be decrypted while it passes.
 */
final class HeldBytes {
  /** Boxes, and what stands between them; more are refused. */
  static final int MAX_PARTS = 4_096;

  private static final int FIRST_ROOM = 16 << 10;

  private final int limit;
  private final List<Part> parts = new ArrayList<>();
  private byte[] bytes = new byte[0];
  private int length;

  /**
   * @param isPayload of an mdat; else it is ready
   * @param boxEnd of that mdat
   * @param offset among the held bytes
   */
  private record Part(boolean isPayload, long position, long boxEnd, int offset) {}

  /** Takes what was held, in its order. */
  interface Release {
    void ready(ByteBuffer bytes) throws IOException;

    /**
     * Content of an mdat.
     *
     * @param boxEnd of the mdat it is in; what follows of it comes later
     */
    void payload(long position, long boxEnd, byte[] bytes, int offset, int length)
        throws IOException;
  }

  HeldBytes(int limit) {
    this.limit = limit;
  }

  /**
   * Takes what is ready.
   *
   * @throws MediaFormatException if it is too much
   */
  void ready(ByteBuffer more) throws MediaFormatException {
    if (parts.isEmpty() || parts.get(parts.size() - 1).isPayload()) {
      add(new Part(false, 0, 0, length));
    }
    add(more);
  }

  /**
   * Takes what is not.
   *
   * @param boxEnd of the mdat it is in
   * @throws MediaFormatException if it is too much
   */
  void payload(long position, long boxEnd, ByteBuffer more) throws MediaFormatException {
    Part last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
    if (last == null || !last.isPayload() || last.boxEnd() != boxEnd) {
      add(new Part(true, position, boxEnd, length));
    }
    add(more);
  }

  /** In bytes. */
  int room() {
    return bytes.length;
  }

  private void add(Part part) throws MediaFormatException {
    if (parts.size() == MAX_PARTS) {
      throw MediaFormatException.unsupported(
          "More than " + MAX_PARTS + " boxes stand before what says how samples are encrypted.");
    }
    parts.add(part);
  }

  private void add(ByteBuffer more) throws MediaFormatException {
    int added = more.remaining();
    if (added > limit - length) {
      throw MediaFormatException.unsupported(
          "Samples stand more than "
              + limit
              + " bytes before what says how they are encrypted, so they cannot be decrypted while"
              + " they pass.");
    }
    if (bytes.length < length + added) {
      int room = Math.max(FIRST_ROOM, Math.max(length + added, 2 * bytes.length));
      bytes = Arrays.copyOf(bytes, Math.min(limit, room));
    }
    more.get(bytes, length, added);
    length += added;
  }

  /** Where the first of it stood; {@link Long#MAX_VALUE} if there is nothing. */
  long firstPayload() {
    return parts.stream()
        .filter(Part::isPayload)
        .mapToLong(Part::position)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  void release(Release to) throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      int end = i + 1 < parts.size() ? parts.get(i + 1).offset() : length;
      if (part.isPayload()) {
        to.payload(part.position(), part.boxEnd(), bytes, part.offset(), end - part.offset());
      } else {
        to.ready(ByteBuffer.wrap(bytes, part.offset(), end - part.offset()));
      }
    }
  }
}
