package dev.millrace.cenc;

import dev.millrace.stream.ByteSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Gathers what goes out during one call into few pieces, each in an array of its own, as the sink
 * may keep them.
 */
final class OutputPieces {
  /** The longest piece that is decrypted at once. */
  static final int PIECE_BYTES = 32 << 10;

  private static final int MAX_PUT_BYTES = 64 << 10;
  private static final int SMALL_BYTES = 1 << 10;
  private static final byte[] NOTHING = new byte[0];

  private final ByteSink sink;
  private byte[] piece = NOTHING;
  private int from;
  private int filled;
  private int hint;

  /**
   * @param inputBytes how much is taken during this call
   */
  OutputPieces(ByteSink sink, int inputBytes) {
    this.sink = sink;
    this.hint = inputBytes;
  }

  /** Takes bytes that nobody changes any more. */
  void put(byte[] bytes, int offset, int length) throws IOException {
    pass(ByteBuffer.wrap(bytes, offset, length));
  }

  /** Takes bytes that stay valid until what is put during this call is written. */
  void pass(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    if (length <= SMALL_BYTES) {
      room(length);
      bytes.get(piece, filled, length);
      filled += length;
      return;
    }
    flush();
    while (bytes.hasRemaining()) {
      int part = Math.min(bytes.remaining(), MAX_PUT_BYTES);
      sink.put(bytes.slice(bytes.position(), part));
      bytes.position(bytes.position() + part);
    }
  }

  /** Takes as many zeros. */
  void zeros(int length) throws IOException {
    for (int left = length; left > 0; ) {
      int part = Math.min(left, PIECE_BYTES);
      room(part);
      Arrays.fill(piece, filled, filled + part, (byte) 0);
      filled += part;
      left -= part;
    }
  }

  /** Takes what a decryptor makes of bytes that stand at {@code position}. */
  void decrypt(PayloadDecryptor payload, long position, byte[] bytes, int offset, int length)
      throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, PIECE_BYTES);
      int left = piece.length - filled - PayloadDecryptor.MAX_HELD;
      if (left >= SMALL_BYTES) {
        part = Math.min(part, left);
      }
      room(part + PayloadDecryptor.MAX_HELD);
      filled += payload.accept(position + done, bytes, offset + done, part, piece, filled);
      done += part;
    }
  }

  /** Hands over what was gathered. */
  void flush() throws IOException {
    if (filled > from) {
      sink.put(ByteBuffer.wrap(piece, from, filled - from).slice());
      from = filled;
    }
  }

  private void room(int length) throws IOException {
    if (piece.length - filled < length) {
      flush();
      hint = Math.max(length, Math.min(PIECE_BYTES + PayloadDecryptor.MAX_HELD, hint + 64));
      piece = new byte[hint];
      from = 0;
      filled = 0;
    }
  }
}
