package dev.millrace.cenc;

import dev.millrace.cenc.ProtectedRanges.Setting;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decrypts protected ranges with AES-128 (ISO/IEC 23001-7 §9, §10), whatever the chunks. What is
 * clear, and what a pattern skips, is copied; only blocks of a chain that are not whole yet are
 * held back. Blocks and short runs of one call go through the cipher together. A range whose
 * beginning has not passed since {@link #follow} is left as it is.
 *
 * <p>One stream, one caller. About 90 KiB, and a cipher for each key.
 */
final class RangeDecryptor implements PayloadDecryptor {
  private static final int BLOCK = 16;

  /** Stands for a run without an end; what is skipped after it is nothing. */
  private static final int ENDLESS = 1 << 30;

  private final AesCiphers ciphers;
  private final Passage passage = new Passage();
  private final byte[] iv = new byte[BLOCK];
  private final byte[] heldBlock = new byte[BLOCK];
  private int held;

  private @Nullable KeyStream stream;
  private @Nullable BlockChain chain;

  private ProtectedRanges ranges = new ProtectedRanges();
  private int range;
  private boolean isInRange;
  private int sample = -1;
  private long expected = -1;

  private @Nullable Setting setting;
  private @Nullable BlockMode mode;
  private boolean beginsAnew;
  private boolean isWholeBlocks;
  private boolean leavesPartialRuns;
  private int cryptBytes;
  private int cycleBytes;
  private int inCycle;

  RangeDecryptor(AesCiphers ciphers) {
    this.ciphers = ciphers;
  }

  /**
   * @throws IllegalStateException if bytes are held back, which the new ranges say nothing of
   */
  @Override
  public void follow(ProtectedRanges ahead) {
    requireNothingHeld();
    ranges = ahead;
    range = 0;
    isInRange = false;
    sample = -1;
    expected = -1;
  }

  /**
   * @throws IllegalStateException if bytes are held back, and these are not the ones behind them
   */
  @Override
  public int accept(
      long position, byte[] input, int offset, int length, byte[] output, int outputOffset) {
    if (position != expected) {
      skipTo(position);
    }
    expected = position + length;
    int heldBefore = held;
    int at = heldBefore == 0 ? offset : completeHeld(input, offset, length);
    passage.begin(input, at, output, outputOffset + heldBefore + at - offset);
    if (heldBefore > 0) {
      if (held < BLOCK) {
        return 0;
      }
      held = 0;
      decryptHeld(at, outputOffset);
    }
    int end = offset + length;
    pass(position - offset, at, end);
    flush(end - held);
    return heldBefore + length - held;
  }

  @Override
  public int held() {
    return held;
  }

  private void skipTo(long position) {
    requireNothingHeld();
    isInRange = false;
    while (range < ranges.count() && ranges.start(range) < position) {
      range++;
    }
  }

  private void requireNothingHeld() {
    if (held > 0) {
      throw new IllegalStateException("a protected range is cut: " + held + " bytes are held");
    }
  }

  /** Returns what of the input comes after the block. */
  private int completeHeld(byte[] input, int offset, int length) {
    int taken = Math.min(BLOCK - held, length);
    System.arraycopy(input, offset, heldBlock, held, taken);
    held += taken;
    advance(taken);
    return offset + taken;
  }

  private void decryptHeld(int at, int output) {
    if (chain != null) {
      chain.decryptHeld(passage, at, heldBlock, output);
    }
  }

  /**
   * @param origin position in the stream of what would stand at 0 in the input
   */
  private void pass(long origin, int from, int end) {
    int at = from;
    while (at < end && range < ranges.count()) {
      long left = ranges.end(range) - origin - at;
      if (left <= 0) {
        range++;
        isInRange = false;
        continue;
      }
      if (!isInRange) {
        long clear = ranges.start(range) - origin - at;
        if (clear >= end - at) {
          return;
        }
        at += (int) clear;
        left -= clear;
        enterRange(at);
      }
      int stop = (int) Math.min(end, at + left);
      runs(at, stop, left);
      at = stop;
    }
  }

  private void enterRange(int at) {
    isInRange = true;
    inCycle = 0;
    boolean isNewSample = ranges.sample(range) != sample;
    if (isNewSample) {
      sample = ranges.sample(range);
      take(at, ranges.setting(sample));
    }
    if (isNewSample || beginsAnew) {
      ranges.iv(sample, iv, 0);
      mode().begin(iv);
    }
  }

  private void take(int at, Setting taken) {
    if (taken.equals(setting)) {
      return;
    }
    setting = taken;
    BlockMode next = taken.scheme().isCounter() ? stream(taken) : chain(taken);
    next.key(passage, at, taken.key());
    mode = next;
    beginsAnew = taken.scheme() == ProtectionScheme.CBCS;
    isWholeBlocks = taken.scheme() != ProtectionScheme.CENC;
    boolean hasPattern = taken.scheme().hasPattern() && taken.skipBlocks() > 0;
    cryptBytes = hasPattern ? taken.cryptBlocks() * BLOCK : ENDLESS;
    cycleBytes = hasPattern ? cryptBytes + taken.skipBlocks() * BLOCK : ENDLESS;
    leavesPartialRuns = hasPattern && taken.leavesPartialRuns();
  }

  private BlockMode mode() {
    return Objects.requireNonNull(mode, "mode");
  }

  private KeyStream stream(Setting first) {
    if (stream == null) {
      stream = new KeyStream(ciphers, first.key());
    }
    return stream;
  }

  private BlockChain chain(Setting first) {
    if (chain == null) {
      chain = new BlockChain(ciphers, first.key());
    }
    return chain;
  }

  /**
   * @param left how far it is to the end of the range
   */
  private void runs(int from, int stop, long left) {
    BlockMode current = mode();
    int at = from;
    while (at < stop) {
      int cycles = inCycle == 0 && cycleBytes < ENDLESS ? (stop - at) / cycleBytes : 0;
      if (cycles > 0 && cryptBytes > 0) {
        current.decrypt(passage, at, cryptBytes, cycleBytes, cycles);
        at += cycles * cycleBytes;
        continue;
      }
      int length = Math.min(encrypted(left - (at - from)), stop - at);
      if (length > 0) {
        held = current.decrypt(passage, at, length);
      } else {
        length = Math.min(cycleBytes - inCycle, stop - at);
      }
      at += length;
      advance(length);
    }
    if (held > 0) {
      System.arraycopy(passage.input(), stop - held, heldBlock, 0, held);
    }
  }

  /** How many bytes from here on are of an encrypted run; 0 or less: none. */
  private int encrypted(long left) {
    int rest = cryptBytes - inCycle;
    if (!isWholeBlocks) {
      return (int) Math.min(rest, left);
    }
    if (leavesPartialRuns && left + inCycle < cryptBytes) {
      return 0;
    }
    int inBlock = inCycle & (BLOCK - 1);
    return (int) Math.min(rest, ((left + inBlock) & -BLOCK) - inBlock);
  }

  private void advance(int length) {
    inCycle += length;
    if (inCycle == cycleBytes) {
      inCycle = 0;
    }
  }

  private void flush(int at) {
    if (stream != null) {
      stream.flush(passage, at);
    }
    if (chain != null) {
      chain.flush(passage, at);
    }
    passage.copyTo(at);
  }
}
