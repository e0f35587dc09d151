package dev.millrace.cenc;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;

/**
 * AES-CTR as ISO/IEC 23001-7 §9.3 has it: the counter is the last 8 bytes of a block and wraps in
 * them, where other ciphers carry into the first 8. Long runs go through a cipher of that mode, up
 * to the wrap; short ones and parts of blocks through a window of counters.
 */
final class KeyStream implements BlockMode {
  private static final int BLOCK = 16;

  private final AesCiphers ciphers;
  private final Map<ContentKey, Keyed> known = new HashMap<>();
  private final BlockWindow window = new BlockWindow();
  private Keyed keyed;
  private long high;
  private long low;
  private long taken;

  KeyStream(AesCiphers ciphers, ContentKey key) {
    this.ciphers = ciphers;
    keyed = known.computeIfAbsent(key, this::keyed);
  }

  private Keyed keyed(ContentKey key) {
    return new Keyed(key.secret(), ciphers.counter(), ciphers.blocks(key));
  }

  @Override
  public void key(Passage passage, int at, ContentKey key) {
    Keyed wanted = known.computeIfAbsent(key, this::keyed);
    if (!wanted.equals(keyed)) {
      flush(passage, at);
      keyed = wanted;
    }
  }

  @Override
  public void begin(byte[] iv) {
    ByteBuffer halves = ByteBuffer.wrap(iv);
    high = halves.getLong();
    low = halves.getLong();
    taken = 0;
  }

  @Override
  public int decrypt(Passage passage, int at, int length) {
    if (length < DIRECT_BYTES) {
      gather(passage, at, length);
      return 0;
    }
    int head = (int) -taken & (BLOCK - 1);
    int whole = (length - head) & -BLOCK;
    gather(passage, at, head);
    direct(passage, at + head, whole);
    gather(passage, at + head + whole, length - head - whole);
    return 0;
  }

  private void gather(Passage passage, int at, int length) {
    if (length == 0) {
      return;
    }
    int skew = (int) taken & (BLOCK - 1);
    int count = (skew + length + BLOCK - 1) / BLOCK;
    if (!window.hasRoom(count)) {
      flush(passage, at);
    }
    window.place(window.size() + skew, passage.outputAt(at), length, length, 1);
    addCounters(count);
    taken += length;
  }

  private void addCounters(int count) {
    long counter = low + (taken >>> 4);
    for (int i = 0; i < count; i++) {
      window.add(high, counter + i);
    }
  }

  @Override
  public void decrypt(Passage passage, int at, int length, int cycle, int count) {
    int blocks = length / BLOCK;
    int next = at;
    for (int left = count; left > 0; ) {
      if (!window.hasRoom(blocks)) {
        flush(passage, next);
      }
      int some = Math.min(left, window.room() / blocks);
      window.place(window.size(), passage.outputAt(next), length, cycle, some);
      addCounters(some * blocks);
      taken += (long) some * length;
      left -= some;
      next += some * cycle;
    }
  }

  /** From a block's beginning to a block's end. */
  private void direct(Passage passage, int at, int length) {
    passage.copyTo(at);
    long untilWrap = -(low + (taken >>> 4)); // 0: as many as there can be
    int before = length;
    if (untilWrap != 0 && Long.compareUnsigned(untilWrap, length / BLOCK) < 0) {
      before = (int) untilWrap * BLOCK;
    }
    update(passage, at, before);
    if (before < length) {
      update(passage, at + before, length - before);
    }
    passage.written(at + length);
  }

  private void update(Passage passage, int at, int length) {
    byte[] counter = new byte[BLOCK];
    ByteBuffer.wrap(counter).putLong(high).putLong(low + (taken >>> 4));
    try {
      keyed.counter.init(Cipher.DECRYPT_MODE, keyed.secret, new IvParameterSpec(counter));
      keyed.counter.update(passage.input(), at, length, passage.output(), passage.outputAt(at));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot be: the key fits and there is room", e);
    }
    taken += length;
  }

  @Override
  public void flush(Passage passage, int at) {
    if (!window.isEmpty()) {
      passage.copyTo(at);
      window.combine(keyed.blocks, passage.output());
    }
  }

  private record Keyed(SecretKey secret, Cipher counter, Cipher blocks) {
    @Override
    public String toString() {
      return "***";
    }
  }
}
