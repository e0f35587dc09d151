package dev.millrace.cenc;

import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;

/**
 * AES-CBC (NIST SP 800-38A §6.2). A block needs only the ciphertext before it: that is put before
 * it in the cipher's input wherever a chain is taken up, and its own result dropped. So a cipher is
 * initialized once, and blocks of many chains go through it together.
 */
final class BlockChain implements BlockMode {
  private static final int BLOCK = 16;

  private final AesCiphers ciphers;
  private final Map<ContentKey, Cipher> known = new HashMap<>();
  private final BlockWindow window = new BlockWindow();
  private final byte[] previous = new byte[BLOCK];
  private final byte[] dropped = new byte[BLOCK];
  private Cipher cipher;
  private boolean isPreviousInWindow;

  BlockChain(AesCiphers ciphers, ContentKey key) {
    this.ciphers = ciphers;
    cipher = known.computeIfAbsent(key, ciphers::chain);
  }

  @Override
  public void key(Passage passage, int at, ContentKey key) {
    Cipher wanted = known.computeIfAbsent(key, ciphers::chain);
    if (wanted != cipher) {
      flush(passage, at);
      cipher = wanted;
    }
  }

  @Override
  public void begin(byte[] iv) {
    System.arraycopy(iv, 0, previous, 0, BLOCK);
    isPreviousInWindow = false;
  }

  @Override
  public int decrypt(Passage passage, int at, int length) {
    int whole = length & -BLOCK;
    if (whole >= DIRECT_BYTES) {
      direct(passage, at, whole);
    } else if (whole > 0) {
      decrypt(passage, at, whole, whole, 1);
    }
    return length - whole;
  }

  @Override
  public void decrypt(Passage passage, int at, int length, int cycle, int count) {
    int next = at;
    for (int left = count; left > 0; ) {
      prepare(passage, next, length);
      int some = Math.min(left, window.room() / (length / BLOCK));
      window.place(window.size(), passage.outputAt(next), length, cycle, some);
      window.add(passage.input(), next, length, cycle, some);
      left -= some;
      next += some * cycle;
    }
  }

  /** A block that was held back. */
  void decryptHeld(Passage passage, int at, byte[] block, int output) {
    prepare(passage, at, BLOCK);
    window.place(window.size(), output, BLOCK, BLOCK, 1);
    window.add(block, 0);
  }

  /** Makes room, for the block before as well, and puts that in unless it is there. */
  private void prepare(Passage passage, int at, int length) {
    if (!window.hasRoom(1 + length / BLOCK)) {
      flush(passage, at);
    }
    if (!isPreviousInWindow) {
      window.add(previous, 0);
      isPreviousInWindow = true;
    }
  }

  private void direct(Passage passage, int at, int length) {
    takePrevious();
    passage.copyTo(at);
    byte[] input = passage.input();
    try {
      cipher.update(previous, 0, BLOCK, dropped, 0);
      cipher.update(input, at, length, passage.output(), passage.outputAt(at));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot be: there is room", e);
    }
    passage.written(at + length);
    System.arraycopy(input, at + length - BLOCK, previous, 0, BLOCK);
  }

  private void takePrevious() {
    if (isPreviousInWindow) {
      window.last(previous);
      isPreviousInWindow = false;
    }
  }

  @Override
  public void flush(Passage passage, int at) {
    takePrevious();
    if (!window.isEmpty()) {
      passage.copyTo(at);
      window.replace(cipher, passage.output());
    }
  }
}
