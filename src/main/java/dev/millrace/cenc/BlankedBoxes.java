package dev.millrace.cenc;

import dev.millrace.mp4.Box;
import dev.millrace.mp4.FourCc;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Boxes of one {@code moov} or {@code moof} that clear media do not need. They become {@code free}
 * with nothing in them, where they are, or ({@link #compacted}) one such box behind the whole, so
 * that nothing outside moves in either case.
 */
final class BlankedBoxes {
  private static final int FREE = FourCc.of("free");

  private final List<Box> blanked = new ArrayList<>();
  private final Deque<Box> containers = new ArrayDeque<>();
  private final Map<Box, Integer> shorter = new LinkedHashMap<>();

  /** What is blanked from now on stands in that box, in the one entered before, and so on. */
  void enter(Box container) {
    containers.push(container);
  }

  void leave() {
    containers.pop();
  }

  /** In the order of their positions; none within another. */
  void blank(Box box) {
    byte[] bytes = box.bytes();
    boolean isLarge = ByteBuffer.wrap(bytes).getInt(box.start()) == 1;
    putType(box, FREE);
    Arrays.fill(bytes, box.start() + (isLarge ? 16 : 8), box.end(), (byte) 0);
    blanked.add(box);
    containers.forEach(container -> shorter.merge(container, length(box), Integer::sum));
  }

  /** Gives a box another type, which it keeps in both layouts. */
  static void putType(Box box, int type) {
    ByteBuffer.wrap(box.bytes()).putInt(box.start() + 4, type);
  }

  /**
   * The other layout: the box without those that were blanked, then one {@code free} box as long as
   * they were. Sizes in the array of the box are changed for it.
   *
   * @param whole the outermost that was entered
   * @return as long as {@code whole}
   */
  byte[] compacted(Box whole) {
    shorter.forEach(BlankedBoxes::shorten);
    ByteBuffer out = ByteBuffer.allocate(length(whole)); // zeros
    int at = whole.start();
    for (Box box : blanked) {
      out.put(whole.bytes(), at, box.start() - at);
      at = box.end();
    }
    out.put(whole.bytes(), at, whole.end() - at);
    if (out.hasRemaining()) {
      out.putInt(out.remaining()).putInt(FREE);
    }
    return out.array();
  }

  private static void shorten(Box box, int bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(box.bytes());
    int size = buffer.getInt(box.start());
    if (size == 1) {
      buffer.putLong(box.start() + 8, length(box) - bytes);
    } else if (size != 0) { // 0: to the end of what it is in, wherever that is
      buffer.putInt(box.start(), length(box) - bytes);
    }
  }

  private static int length(Box box) {
    return box.end() - box.start();
  }
}
