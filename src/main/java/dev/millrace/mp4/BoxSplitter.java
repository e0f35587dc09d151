package dev.millrace.mp4;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts a stream into the boxes of its top level (ISO/IEC 14496-12 §4.2) as its bytes come, whatever
 * the chunks. Holds the header of a box, and as much of it as its reader asks for. Confined to one
 * caller.
 */
public final class BoxSplitter {
  /** What {@link Boxes#begin} answers if this is no stream of boxes: all of it is rest. */
  public static final int NO_BOX = -1;

  private static final int HEADER_BYTES = 8;
  private static final int LONG_HEADER_BYTES = 16;
  private static final int FIRST_ROOM = 4096;

  private final Boxes boxes;

  private byte[] held = new byte[LONG_HEADER_BYTES];
  private int heldBytes;
  private int wantedBytes = HEADER_BYTES;
  private long position;
  private Where where = Where.HEADER;
  private BoxHeader header = new BoxHeader(0, 0, 0, 0);

  private enum Where {
    HEADER,
    COLLECT,
    CONTENT,
    REST
  }

  /** Who reads the boxes. */
  public interface Boxes {
    /**
     * A box begins.
     *
     * @param head its header's bytes; not to be changed
     * @return how many of its first bytes are wanted in one array, header included: {@code
     *     headerLength} if none but the header, at most its size; or {@link #NO_BOX}
     * @throws IOException if it is refused
     */
    int begin(BoxHeader header, byte[] head) throws IOException;

    /**
     * What was asked for.
     *
     * @param bytes the reader's from now on; may be longer than {@code length}
     */
    void collected(BoxHeader header, byte[] bytes, int length) throws IOException;

    /** Its further content, piece by piece. */
    void content(BoxHeader header, long position, ByteBuffer part) throws IOException;

    /** A box has ended. */
    void end(BoxHeader header) throws IOException;

    /**
     * What follows is no box: its size is less than its header.
     *
     * @throws IOException if it is refused
     */
    void broken(String what) throws IOException;

    /** What comes after that. */
    void rest(long position, ByteBuffer part) throws IOException;
  }

  /**
   * For one stream.
   *
   * @param position of the first byte
   */
  public BoxSplitter(Boxes boxes, long position) {
    this.boxes = boxes;
    this.position = position;
  }

  /** Takes all of it. */
  public void accept(ByteBuffer input) throws IOException {
    while (input.hasRemaining()) {
      switch (where) {
        case HEADER -> header(input);
        case COLLECT -> collect(input);
        case CONTENT -> content(input);
        case REST -> rest(input);
      }
    }
  }

  /** Room that is taken by what is held of a box, in bytes. */
  public int heldBytes() {
    return held.length;
  }

  /** Behind the last byte taken. */
  public long position() {
    return position;
  }

  /** The stream has ended: whether that is at the end of a box, or in one that has none. */
  public boolean isWhole() {
    return switch (where) {
      case HEADER -> heldBytes == 0;
      case COLLECT -> false;
      case CONTENT -> header.isEndless();
      case REST -> true;
    };
  }

  /** What was taken of a header that is not whole; empty elsewhere. */
  public byte[] unfinishedHeader() {
    return where == Where.HEADER ? Arrays.copyOf(held, heldBytes) : new byte[0];
  }

  private void header(ByteBuffer input) throws IOException {
    if (!fill(input)) {
      return;
    }
    ByteBuffer head = ByteBuffer.wrap(held);
    long size = head.getInt(0) & 0xffff_ffffL;
    if (size == 1 && heldBytes == HEADER_BYTES) {
      wantedBytes = LONG_HEADER_BYTES;
      return;
    }
    boolean isEndless = size == 0;
    size = size == 1 ? head.getLong(8) : size;
    long start = position - heldBytes;
    if (!isEndless && (size < heldBytes || size > Long.MAX_VALUE - 1 - start)) {
      broken(head.getInt(4));
      return;
    }
    header =
        new BoxHeader(head.getInt(4), start, heldBytes, isEndless ? Long.MAX_VALUE : start + size);
    begin();
  }

  private void begin() throws IOException {
    byte[] head = Arrays.copyOf(held, heldBytes);
    int wanted = boxes.begin(header, head);
    if (wanted == NO_BOX) {
      beginRest();
      return;
    }
    if (wanted < heldBytes || wanted > header.size()) {
      throw new IllegalStateException(wanted + " of " + header);
    }
    where = Where.COLLECT;
    wantedBytes = wanted;
    held = Arrays.copyOf(head, Math.max(heldBytes, Math.min(wanted, FIRST_ROOM)));
    if (heldBytes == wantedBytes) {
      collected();
    }
  }

  private void collect(ByteBuffer input) throws IOException {
    if (fill(input)) {
      collected();
    }
  }

  private void collected() throws IOException {
    byte[] bytes = held;
    int length = heldBytes;
    held = new byte[LONG_HEADER_BYTES];
    heldBytes = 0;
    where = Where.CONTENT;
    boxes.collected(header, bytes, length);
    endIfWhole();
  }

  private void content(ByteBuffer input) throws IOException {
    int length = (int) Math.min(input.remaining(), header.end() - position);
    ByteBuffer part = input.slice(input.position(), length);
    input.position(input.position() + length);
    long at = position;
    position += length;
    boxes.content(header, at, part);
    endIfWhole();
  }

  private void endIfWhole() throws IOException {
    if (position == header.end()) {
      where = Where.HEADER;
      wantedBytes = HEADER_BYTES;
      boxes.end(header);
    }
  }

  private void broken(int type) throws IOException {
    boxes.broken("Box '" + FourCc.text(type) + "' is shorter than its header.");
    beginRest();
  }

  private void beginRest() throws IOException {
    where = Where.REST;
    boxes.rest(position - heldBytes, ByteBuffer.wrap(held, 0, heldBytes));
    heldBytes = 0;
  }

  private void rest(ByteBuffer input) throws IOException {
    ByteBuffer part = input.slice();
    input.position(input.limit());
    long at = position;
    position += part.remaining();
    boxes.rest(at, part);
  }

  /** Whether all that is wanted is there. Room is made as bytes come, not as a box announces. */
  private boolean fill(ByteBuffer input) {
    while (heldBytes < wantedBytes && input.hasRemaining()) {
      if (heldBytes == held.length) {
        held = Arrays.copyOf(held, (int) Math.min(wantedBytes, 2L * heldBytes));
      }
      int length = Math.min(input.remaining(), Math.min(held.length, wantedBytes) - heldBytes);
      input.get(held, heldBytes, length);
      heldBytes += length;
      position += length;
    }
    return heldBytes == wantedBytes;
  }
}
