package dev.millrace.cenc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/**
 * Blocks from many places that go through a cipher at once, and then back to their places. Holds
 * {@value #MAX_BLOCKS} blocks.
 */
final class BlockWindow {
  static final int MAX_BLOCKS = 1024;
  private static final int BLOCK = 16;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] blocks = new byte[MAX_BLOCKS * BLOCK];
  private final byte[] results = new byte[MAX_BLOCKS * BLOCK];
  private int used;

  private final int[] outputs = new int[MAX_BLOCKS];
  private final int[] offsets = new int[MAX_BLOCKS];
  private final int[] lengths = new int[MAX_BLOCKS];
  private int places;

  boolean isEmpty() {
    return used == 0;
  }

  boolean hasRoom(int count) {
    return used + count * BLOCK <= blocks.length;
  }

  /** A block that is ciphertext and no more. */
  void add(byte[] from, int at) {
    copyBlock(from, at, blocks, used);
    used += BLOCK;
  }

  /** A block that is a counter. */
  void add(long high, long low) {
    LONG.set(blocks, used, high);
    LONG.set(blocks, used + 8, low);
    used += BLOCK;
  }

  /** As many whole blocks, whose results belong there. */
  void add(byte[] from, int at, int length, int output) {
    place(used, length, output);
    if (length == BLOCK) {
      copyBlock(from, at, blocks, used);
    } else {
      System.arraycopy(from, at, blocks, used, length);
    }
    used += length;
  }

  /**
   * Results of blocks that are here already belong there.
   *
   * @param offset of the first of their bytes
   */
  void place(int offset, int length, int output) {
    outputs[places] = output;
    offsets[places] = offset;
    lengths[places] = length;
    places++;
  }

  /** How many bytes are here. */
  int size() {
    return used;
  }

  /** Copies the last block. */
  void last(byte[] into) {
    System.arraycopy(blocks, used - BLOCK, into, 0, BLOCK);
  }

  /** The results take the places; the window is empty then. */
  void replace(Cipher cipher, byte[] output) {
    run(cipher);
    for (int i = 0; i < places; i++) {
      if (lengths[i] == BLOCK) {
        copyBlock(results, offsets[i], output, outputs[i]);
      } else {
        System.arraycopy(results, offsets[i], output, outputs[i], lengths[i]);
      }
    }
    clear();
  }

  /** The results are a key stream for what stands in the places; the window is empty then. */
  void combine(Cipher cipher, byte[] output) {
    run(cipher);
    for (int i = 0; i < places; i++) {
      int from = offsets[i];
      int to = outputs[i];
      int end = to + lengths[i];
      for (; to + 8 <= end; to += 8, from += 8) {
        LONG.set(output, to, (long) LONG.get(output, to) ^ (long) LONG.get(results, from));
      }
      for (; to < end; to++, from++) {
        output[to] ^= results[from];
      }
    }
    clear();
  }

  private void run(Cipher cipher) {
    try {
      int done = cipher.update(blocks, 0, used, results, 0);
      if (done != used) {
        throw new IllegalStateException("a cipher kept whole blocks");
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot be: there is room", e);
    }
  }

  private void clear() {
    used = 0;
    places = 0;
  }

  private static void copyBlock(byte[] from, int at, byte[] to, int toAt) {
    LONG.set(to, toAt, (long) LONG.get(from, at));
    LONG.set(to, toAt + 8, (long) LONG.get(from, at + 8));
  }
}
