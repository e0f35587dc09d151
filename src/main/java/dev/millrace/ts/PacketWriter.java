package dev.millrace.ts;

import dev.millrace.stream.ByteSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes packets of 188 bytes (ISO/IEC 13818-1 §2.4.3), in pieces of at most 64 KiB. */
final class PacketWriter {
  static final int PACKET_BYTES = 188;
  private static final int PIECE_BYTES = (64 << 10) / PACKET_BYTES * PACKET_BYTES;
  private static final int SYNC = 0x47;
  private static final int HEADER_BYTES = 4;
  private static final int ROOM = PACKET_BYTES - HEADER_BYTES;
  private static final int CLOCK_BYTES = 6;
  private static final int DISCONTINUITY = 0x80;
  private static final int RANDOM_ACCESS = 0x40;
  private static final int CLOCK = 0x10;

  /** No clock in this packet. */
  static final long NO_CLOCK = -1;

  private byte[] piece = new byte[0];
  private int length;

  /** A section in a packet of its own. */
  void section(int pid, AccessUnit section, ByteSink out) throws IOException {
    int at = packet(pid, true, 0, out);
    piece[at - 1] |= 0x10;
    piece[at] = 0; // it begins at once
    System.arraycopy(section.bytes(), 0, piece, at + 1, section.length());
    Arrays.fill(piece, at + 1 + section.length(), at + ROOM, (byte) 0xff);
  }

  /** A packet that has nothing but a clock. */
  void clock(ElementaryStream stream, int continuity, long clock, ByteSink out) throws IOException {
    int at = packet(stream.pid(), false, continuity, out);
    piece[at - 1] |= 0x20;
    adaptation(at, ROOM, CLOCK, clock);
  }

  /**
   * One PES packet.
   *
   * @param clock in units of 90 kHz, or {@link #NO_CLOCK}
   */
  void pes(ElementaryStream stream, AccessUnit pes, boolean isEntry, long clock, ByteSink out)
      throws IOException {
    int flags =
        (stream.begins() ? DISCONTINUITY : 0)
            | (isEntry ? RANDOM_ACCESS : 0)
            | (clock == NO_CLOCK ? 0 : CLOCK);
    int from = 0;
    while (from < pes.length()) {
      int at = packet(stream.pid(), from == 0, stream.nextContinuity(), out);
      int needed = flags == 0 ? 0 : 2 + ((flags & CLOCK) != 0 ? CLOCK_BYTES : 0);
      int payload = Math.min(ROOM - needed, pes.length() - from);
      int adaptation = ROOM - payload;
      piece[at - 1] |= (byte) (adaptation > 0 ? 0x30 : 0x10);
      if (adaptation > 0) {
        adaptation(at, adaptation, flags, clock);
      }
      System.arraycopy(pes.bytes(), from, piece, at + adaptation, payload);
      from += payload;
      flags = 0;
    }
  }

  /** Gives where the rest of it begins. */
  private int packet(int pid, boolean isStart, int continuity, ByteSink out) throws IOException {
    if (length == piece.length) {
      flush(out);
      piece = new byte[PIECE_BYTES];
    }
    piece[length] = SYNC;
    piece[length + 1] = (byte) ((isStart ? 0x40 : 0) | pid >> 8);
    piece[length + 2] = (byte) pid;
    piece[length + 3] = (byte) continuity;
    length += PACKET_BYTES;
    return length - ROOM;
  }

  private void adaptation(int at, int size, int flags, long clock) {
    piece[at] = (byte) (size - 1);
    if (size == 1) {
      return;
    }
    piece[at + 1] = (byte) flags;
    int end = at + 2;
    if ((flags & CLOCK) != 0) {
      long base = clock & (1L << 33) - 1;
      for (int shift = 25; shift >= 1; shift -= 8) {
        piece[end++] = (byte) (base >> shift);
      }
      piece[end++] = (byte) ((base & 1) << 7 | 0x7e);
      piece[end++] = 0;
    }
    Arrays.fill(piece, end, at + size, (byte) 0xff);
  }

  /** Puts what is written; nothing of it is touched again. */
  void flush(ByteSink out) throws IOException {
    if (length > 0) {
      out.put(ByteBuffer.wrap(piece, 0, length));
    }
    piece = new byte[0];
    length = 0;
  }
}
