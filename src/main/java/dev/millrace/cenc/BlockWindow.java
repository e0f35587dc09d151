package dev.millrace.cenc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/**
 * Blocks from many places that go through a cipher at once, and then back to their places. Holds
 * {@value #MAX_BLOCKS} blocks, for {@value #MAX_PLACES} places.
 */
final class BlockWindow {
  static final int MAX_BLOCKS = 1024;
  private static final int MAX_PLACES = 512;
  private static final int BLOCK = 16;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] blocks = new byte[MAX_BLOCKS * BLOCK];
  private final byte[] results = new byte[MAX_BLOCKS * BLOCK];
  private int used;

  private final Place[] places = new Place[MAX_PLACES];
  private int placeCount;

  BlockWindow() {
    for (int i = 0; i < MAX_PLACES; i++) {
      places[i] = new Place();
    }
  }

  boolean isEmpty() {
    return used == 0;
  }

  /** For so many blocks more, and a place more. */
  boolean hasRoom(int count) {
    return count <= room();
  }

  /** How many blocks more there is room for; 0 if there is none for a place. */
  int room() {
    return placeCount == MAX_PLACES ? 0 : (blocks.length - used) / BLOCK;
  }

  /** How many bytes are here. */
  int size() {
    return used;
  }

  /** A block that is ciphertext, without a place. */
  void add(byte[] from, int at) {
    copyBlock(from, at, blocks, used);
    used += BLOCK;
  }

  /** A block that is a counter, without a place. */
  void add(long high, long low) {
    LONG.set(blocks, used, high);
    LONG.set(blocks, used + 8, low);
    used += BLOCK;
  }

  /**
   * Runs of whole blocks.
   *
   * @param cycle from one's beginning to the next one's, in bytes
   */
  void add(byte[] from, int at, int length, int cycle, int count) {
    int next = at;
    for (int i = 0; i < count; i++) {
      if (length == BLOCK) {
        copyBlock(from, next, blocks, used);
      } else {
        System.arraycopy(from, next, blocks, used, length);
      }
      used += length;
      next += cycle;
    }
  }

  /**
   * Where results belong: runs of that length, a cycle apart.
   *
   * @param offset of the first of their bytes here
   */
  void place(int offset, int output, int length, int cycle, int count) {
    Place place = places[placeCount++];
    place.offset = offset;
    place.output = output;
    place.length = length;
    place.cycle = cycle;
    place.count = count;
  }

  /** Copies the last block. */
  void last(byte[] into) {
    System.arraycopy(blocks, used - BLOCK, into, 0, BLOCK);
  }

  /** The results take the places; the window is empty then. */
  void replace(Cipher cipher, byte[] output) {
    run(cipher);
    for (int i = 0; i < placeCount; i++) {
      Place place = places[i];
      int from = place.offset;
      int to = place.output;
      for (int n = 0; n < place.count; n++) {
        if (place.length == BLOCK) {
          copyBlock(results, from, output, to);
        } else {
          System.arraycopy(results, from, output, to, place.length);
        }
        from += place.length;
        to += place.cycle;
      }
    }
    clear();
  }

  /** The results are a key stream for what stands in the places; the window is empty then. */
  void combine(Cipher cipher, byte[] output) {
    run(cipher);
    for (int i = 0; i < placeCount; i++) {
      Place place = places[i];
      int from = place.offset;
      int to = place.output;
      for (int n = 0; n < place.count; n++) {
        combine(from, output, to, place.length);
        from += place.length;
        to += place.cycle;
      }
    }
    clear();
  }

  private void combine(int offset, byte[] output, int start, int length) {
    int from = offset;
    int to = start;
    int end = start + length;
    for (; to + 8 <= end; to += 8, from += 8) {
      LONG.set(output, to, (long) LONG.get(output, to) ^ (long) LONG.get(results, from));
    }
    for (; to < end; to++, from++) {
      output[to] ^= results[from];
    }
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
    placeCount = 0;
  }

  private static void copyBlock(byte[] from, int at, byte[] to, int toAt) {
    LONG.set(to, toAt, (long) LONG.get(from, at));
    LONG.set(to, toAt + 8, (long) LONG.get(from, at + 8));
  }

  /** Reused: there are thousands in a segment. */
  private static final class Place {
    private int offset;
    private int output;
    private int length;
    private int cycle;
    private int count;
  }
}
